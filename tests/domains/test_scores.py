"""SmartPlay's tables, computed again from its raw scores."""

from __future__ import annotations

import json

import pytest

from mars_logic.domains.scores import capability_scores, normalised, published
from mars_logic.errors import InputError
from tests.paths import DATA

CAPABILITIES = json.loads((DATA / "smartplay" / "capabilities.json").read_text(encoding="utf-8"))
"""By player and capability: with the code's weights, with the paper's; four digits."""


def test_every_printed_cell():
    tables = published()
    cells = [
        (printed, normalised(tables.settings[game], tables.score(player, game)))
        for player, row in tables.normalised.items()
        for game, printed in zip(tables.games, row, strict=True)
    ]
    assert len(cells) == 63
    assert max(abs(printed - computed) for printed, computed in cells) <= 0.0051


@pytest.mark.parametrize("player", published().scores)
def test_capabilities(player):
    tables = published()
    scores = dict(zip(tables.games, tables.scores[player], strict=True))
    code, paper = capability_scores(scores), capability_scores(scores, "paper")
    for capability, expected in CAPABILITIES[player].items():
        found = [round(each[capability], 4) for each in (code, paper)]
        assert found == pytest.approx(expected, abs=1e-9)
    assert list(code) == list(CAPABILITIES[player])


def test_scores_are_not_clipped():
    assert normalised("BanditTwoArmedHighLowFixed", 48.611) == pytest.approx(1.0802, abs=0.0001)
    assert normalised("MessengerL1", -1) == 0


def test_what_humans_did_not_play():
    with pytest.raises(InputError, match="no human score of Hanoi4Disk was published; allowed: B"):
        normalised("Hanoi4Disk", 4)
    with pytest.raises(InputError, match="the score of Hanoi is missing"):
        capability_scores({"Bandits": 45, "RockPaperScissors": 43})
