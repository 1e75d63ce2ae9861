"""``python -m mars_logic`` is ``mars-logic``."""

from mars_logic.cli.main import main

main()
