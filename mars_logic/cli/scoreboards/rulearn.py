"""The scoreboard of RULEARN's puzzles: published players, people, and ours."""

from __future__ import annotations

import time
from dataclasses import asdict

from mars_logic.cli.output import make_folder, progress, require_matplotlib, say, write_answer
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.errors import InputError

_PUZZLES = ("rulearn/all",)
_ABOUT = (
    "Made by `mars-logic scoreboard`. Shares are of puzzles solved, with Wilson intervals of "
    "95 %; steps are means of solved puzzles, with intervals over seeds where several were "
    "played. The winning action is not counted. Published: the paper's first version, tables "
    "of the reference's repository (csv), and these with a right 12th code of an escape room "
    "counted as a solution; people had one step more. Ours: idea finds out the rule; told is "
    "given it; baseline keeps no hypotheses."
)


def play(asked: BoardRequest) -> None:
    """Play what is missing, then write and print the scoreboard.

    Raises:
        InputError: A name is unknown, or the folder holds something else.
    """
    from mars_logic.experiments.plots import as_png, chart
    from mars_logic.experiments.scoreboards.rulearn.episodes import (
        BY_NAME,
        CONTESTANTS,
        played_units,
        puzzle_units,
    )
    from mars_logic.experiments.scoreboards.rulearn.page import report, solved_chart
    from mars_logic.system.files import write_atomically

    out, settings, workers = asked.folder, asked.language.settings(), asked.processes
    require_matplotlib("--out")
    model = settings.model or ""
    chosen = asked.players or [each.name for each in CONTESTANTS if model or not each.asks]
    if unknown := [each for each in chosen if each not in BY_NAME]:
        message = f"there is no contestant '{unknown[0]}'"
        raise InputError(f"--players: {message}; allowed: {', '.join(BY_NAME)}")
    contestants = [each for each in CONTESTANTS if each.name in chosen]
    for each in contestants:
        if each.asks and not model:
            message = f"'{each.name}' needs a language model"
            raise InputError(f"--model: {message}; allowed: --model NAME, or other --players")
    puzzles = asked.puzzles or _PUZZLES
    units = puzzle_units(puzzles, contestants, asked.seeds, orders=asked.orders, model=model)
    if not units:
        raise InputError("scoreboard: no chosen player plays these puzzles; allowed: other players")
    make_folder(out)
    start = time.perf_counter()
    with progress() as shown:
        bar = shown.add_task("rulearn", total=len(units))
        episodes = played_units(
            units, out, workers, lambda: shown.advance(bar), settings if model else None
        )
    text = f"# Scoreboard of rulearn\n\n{_ABOUT}\n\n{report(episodes)}"
    write_answer(out / "README.md", text)
    write_atomically(out / "solved.png", as_png(chart(solved_chart(episodes))))
    say(f"{len(units)} episodes, {time.perf_counter() - start:.0f} s with {workers} processes")
    asked.tell(text, lambda: {"episodes": [asdict(each) for each in episodes.values()]})
