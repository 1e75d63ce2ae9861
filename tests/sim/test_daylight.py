from __future__ import annotations

import numpy as np

from mars_logic.sim.daylight import daylight_table


def test_daylight(vectors):
    np.testing.assert_allclose(daylight_table(), vectors["daylight"], rtol=0, atol=1e-12)


def test_no_number_of_creatures_hangs_on_the_last_bits():
    """The bounds of the balance are cut to integers; none is so close that rounding matters."""
    light = daylight_table()[::10]
    for bound in (3.5 - 3 * light, 1.5 + light):
        assert np.abs(bound - np.round(bound)).min() > 0.02
