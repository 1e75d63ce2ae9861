"""The scoreboard of Conan: detectives on scenes of their own, beside published results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.cli.output import make_folder, print_json, write_answer
from mars_logic.domains.conan.commands.corpora import require_explorer, write_rows
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.language.settings import LanguageSettings

SEED = 56
"""Of the corpus: nothing was fitted to its scenes."""
_COLUMNS = ("name", "intent", "goal", "overall", "traces", "scenes", "compares")
_ABOUT = (
    "Shares of right answers to questions with four choices. Our detectives explored the same "
    "scenes in the same way: `afd` simulates vandals, `prior` knows how often answers are right, "
    "and a language model reads a log of what was seen."
)


def conan_board(
    out: Path,
    count: int,
    choices: str,
    walk: tuple[str, str],
    processes: int,
    settings: LanguageSettings | None,
    *,
    as_json: bool,
) -> None:
    """Make scenes and questions, let detectives answer, and write and print the table.

    Args:
        out: The folder; what lies there is not made again.
        count: How many scenes.
        choices: How choices of questions are drawn.
        walk: How scenes are explored, and from where.
        processes: How many processes.
        settings: Of the language model, if one takes part.
        as_json: Whether to print JSON.

    Raises:
        InputError: Something in the folder is damaged or made from something else, or the language
            model gave no answer.
    """
    from mars_logic.domains.conan.corpus import CorpusSpec
    from mars_logic.domains.conan.detective.investigating import DetectionSpec
    from mars_logic.domains.conan.detective.summary import detection_summary
    from mars_logic.domains.conan.jobs import detections_job, questions_job, scenes_job
    from mars_logic.experiments.cells import table
    from mars_logic.experiments.scoreboards.notes import answers_of

    explorer, start = walk
    require_explorer(explorer)
    if explorer == "witness" and settings is not None:
        raise InputError("--explorer: witness: no log is written of it; allowed: one that walks")
    make_folder(out)
    corpus = out / "corpus"
    write_rows(corpus, scenes_job(CorpusSpec("conan", SEED), count), processes)
    write_rows(corpus, questions_job(corpus, choices), processes)
    rows: list[Mapping[str, Any]] = []
    notes: list[str] = []
    for detective in ("prior", "afd", *(("model",) if settings else ())):
        asked = settings if detective == "model" else None
        spec = DetectionSpec(corpus, explorer, start, detective=detective, language=asked)
        write_rows(out / detective, detections_job(spec, answers_of(asked)), processes)
        found = detection_summary(out / detective)
        ours = [row for row in found["rows"] if "half_widths" in row]
        others = [row for row in found["rows"] if "half_widths" not in row]
        rows += ours
        notes += [line for line in found["notes"] if line not in notes]
    rows += others
    head = f"# Scoreboard of Conan\n\nMade by `mars-logic scoreboard conan`. {_ABOUT}\n\n"
    text = table(_COLUMNS, ([_cell(row, name) for name in _COLUMNS] for row in rows))
    text += "\n\n" + "\n".join(f"- {line}" for line in notes)
    write_answer(out / "README.md", head + text)
    if as_json:
        board = {"schema": "mars-logic scoreboard 1", "benchmark": "conan"}
        print_json({**board, "rows": rows, "notes": notes})
    else:
        print(text)


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    width = row.get("half_widths", {}).get(name)
    if isinstance(value, float):
        return f"{value:.3f}" + (f" ± {width:.3f}" if width is not None else "")
    return "" if value is None else str(value)
