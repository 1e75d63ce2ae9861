"""The scoreboard of Conan: detectives on scenes of their own, beside published results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mars_logic.cli.output import make_folder, write_answer
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.domains.conan.commands.corpora import require_explorer, write_rows
from mars_logic.errors import InputError

SEED = 56
"""Of the corpus: nothing was fitted to its scenes."""
_COLUMNS = ("name", "intent", "goal", "overall", "traces", "scenes", "compares")
_ABOUT = (
    "Shares of right answers to questions with four choices. Our detectives explored the same "
    "scenes in the same way: `afd` simulates vandals, `prior` knows how often answers are right, "
    "and a language model reads a log of what was seen."
)


def play(asked: BoardRequest) -> None:
    """Make scenes and questions, let detectives answer, and write and print the table.

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

    out, processes = asked.folder, asked.processes
    explorer, start = asked.explorer or "nearest", asked.start or "centre"
    settings = asked.model()
    require_explorer(explorer)
    if explorer == "witness" and settings is not None:
        raise InputError("--explorer: witness: no log is written of it; allowed: one that walks")
    make_folder(out)
    corpus = out / "corpus"
    write_rows(corpus, scenes_job(CorpusSpec("conan", SEED), asked.scenes or 100), processes)
    write_rows(corpus, questions_job(corpus, asked.choices or "standard"), processes)
    rows: list[Mapping[str, Any]] = []
    notes: list[str] = []
    for detective in ("prior", "afd", *(("model",) if settings else ())):
        language = settings if detective == "model" else None
        spec = DetectionSpec(corpus, explorer, start, detective=detective, language=language)
        write_rows(out / detective, detections_job(spec, answers_of(language)), processes)
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
    asked.tell(text, lambda: {"rows": rows, "notes": notes})


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    width = row.get("half_widths", {}).get(name)
    if isinstance(value, float):
        return f"{value:.3f}" + (f" ± {width:.3f}" if width is not None else "")
    return "" if value is None else str(value)
