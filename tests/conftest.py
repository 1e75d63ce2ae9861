"""Settings for all tests."""

import os

from hypothesis import settings

# On a build machine the same examples every time; elsewhere new ones, to find what is still wrong.
settings.register_profile("build", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("build" if os.environ.get("CI") else "desk")
