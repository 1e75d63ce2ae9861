"""SmartPlay's scoreboard: our players in its seven games beside the published ones."""

from __future__ import annotations

from dataclasses import replace

from mars_logic.cli.output import make_folder, progress, require_matplotlib, write_answer
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.errors import InputError

_CHART = "scores.png"
_ABOUT = (
    "Brackets hold intervals of 95 % by a bootstrap over n episodes. Rows in bold are ours, the "
    "others published (SmartPlay, ICLR 2024). The learner is told the manual alone; in Crafter it "
    "starts from no rules and learns in two episodes before those that count. The oracle is told "
    "rules and state. Crafter's score sums the achievements unlocked so far over all steps until "
    "death or the 10,000th, so that it measures survival: a player that unlocks everything early "
    "and lives on gets about 200,000, seventy times the human score. Minecraft cannot be run here; "
    "in its column we play biome navigation on maps of our own, whose scores are not comparable "
    "with the published ones, and neither are capability scores that contain it."
)


def play(asked: BoardRequest) -> None:
    """Play what is missing, then write and print the scoreboard.

    Raises:
        InputError: A name is unknown, or the folder holds something else.
    """
    from mars_logic.experiments.plots import as_png
    from mars_logic.experiments.scoreboards.smartplay import episodes as board
    from mars_logic.experiments.scoreboards.smartplay.page import board_json, board_of, page
    from mars_logic.experiments.scoreboards.smartplay.plot import normalised_chart
    from mars_logic.system.files import write_atomically

    out, agents, games, episodes = asked.out, asked.agents, asked.games, asked.episodes
    language = asked.model()
    known = tuple(each for each in board.CONTESTANTS if language or each != board.MODEL)
    contestants = board.chosen(agents, known, "--agents")
    columns = board.chosen(games, tuple(board.TRIALS), "--games")
    many = board.total(contestants, columns, episodes)
    if not many:
        raise InputError("--agents: none of them plays any of these games; allowed: others")
    if out is not None:
        require_matplotlib("--out")
        make_folder(out)
    with progress() as shown:
        bar = shown.add_task("smartplay", total=many)
        folder = out / "episodes" if out else None
        about = contestants, columns, episodes, folder, lambda: shown.advance(bar), language
        named = (language.model if language else None) or board.MODEL
        found = board_of(
            replace(each, contestant=named) if each.contestant == board.MODEL else each
            for each in board.cells(*about)
        )
    contestants = [named if each == board.MODEL else each for each in contestants]
    text = page(found, contestants, columns)
    if out is not None:
        words = ["mars-logic scoreboard smartplay", *(["--agents", agents] if agents else [])]
        words += ["--games", games] if games else []
        words += ["--episodes", str(episodes)] if episodes else []
        head = f"# Scoreboard of SmartPlay\n\nMade by `{' '.join(words)}`. {_ABOUT}\n"
        head += f"\n![Normalised scores by game]({_CHART})\n"
        write_answer(out / "README.md", head + text)
        write_atomically(out / _CHART, as_png(normalised_chart(found, contestants, columns)))
    asked.tell(text, lambda: board_json(found, contestants, columns))
