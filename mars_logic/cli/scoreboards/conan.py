"""The scoreboard of Conan: detectives on scenes of their own, beside published results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.cli.output import make_folder, write_answer
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.domains.conan.commands.corpora import require_explorer, write_rows
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.domains.conan.detective.investigating import DetectionSpec
    from mars_logic.language.settings import LanguageSettings

SEED = 56
"""Of the corpus: nothing was fitted to its scenes."""
_COLUMNS = ("name", "intent", "goal", "overall", "task", "traces", "scenes", "compares")
_ABOUT = (
    "Shares of right answers to questions with four choices, and of right tasks among all; ± is "
    "half of a 95 % interval, for which scenes are what was drawn. All detectives saw the same "
    "scenes: `afd` simulates vandals, `prior` knows how often answers are right, and a language "
    "model reads a log of what was seen."
)


def play(asked: BoardRequest) -> None:
    """Make scenes and questions, let detectives answer, and write and print the table.

    Raises:
        InputError: Something in the folder is damaged or made from something else, or the language
            model gave no answer.
    """
    from mars_logic.domains.conan.corpus import CorpusSpec
    from mars_logic.domains.conan.detective.summary import CAVEAT, detection_summary
    from mars_logic.domains.conan.jobs import detections_job, questions_job, scenes_job
    from mars_logic.experiments.cells import table
    from mars_logic.experiments.scoreboards.notes import answers_of

    out, processes = asked.folder, asked.processes
    settings = asked.model()
    explored = _explored(asked)
    if settings is not None and any(explorer == "witness" for explorer, _ in explored):
        raise InputError("--explorer: witness: no log is written of it; allowed: one that walks")
    make_folder(out)
    corpus, seed, scenes = out / "corpus", asked.seed, asked.scenes or 100
    seed = SEED if seed is None else seed
    write_rows(corpus, scenes_job(CorpusSpec("conan", seed), scenes), processes)
    write_rows(corpus, questions_job(corpus, asked.choices or "standard"), processes)
    rows: list[Mapping[str, Any]] = []
    notes: list[str] = []
    for place, spec in _detections(corpus, explored, settings):
        write_rows(place, detections_job(spec, answers_of(spec.language)), processes)
        found = detection_summary(place)
        ours = [row for row in found["rows"] if "half_widths" in row]
        others = [row for row in found["rows"] if "half_widths" not in row]
        rows += ours
        notes += [_named(ours[0]["name"], line) for line in _not_shown(found["notes"])]
    rows += others
    about = f"{_ABOUT} Corpus seed {seed}, {asked.choices or 'standard'} questions."
    head = f"# Scoreboard of Conan\n\nMade by `mars-logic scoreboard conan`. {about}\n\n"
    text = table(_COLUMNS, ([_cell(row, name) for name in _COLUMNS] for row in rows))
    text += "\n\n" + "\n".join(f"- {line}" for line in dict.fromkeys((*notes, CAVEAT)))
    write_answer(out / "README.md", head + text)
    asked.tell(text, lambda: {"rows": rows, "notes": notes})


def _explored(asked: BoardRequest) -> list[tuple[str, str]]:
    """Explorers with their starts.

    Raises:
        InputError: There is no such explorer, or it is not clear where each starts.
    """
    explorers, starts = asked.explorer or ["nearest"], asked.start or ["centre"]
    for explorer in explorers:
        require_explorer(explorer)
    if len(starts) not in (1, len(explorers)):
        told = f"starts: {len(starts)}, explorers: {len(explorers)}"
        raise InputError(f"--start: {told}; allowed: one for all, or one for each")
    return list(zip(explorers, starts * (len(explorers) // len(starts)), strict=True))


def _detections(
    corpus: Path, explored: Iterable[tuple[str, str]], settings: LanguageSettings | None
) -> Iterator[tuple[Path, DetectionSpec]]:
    """How scenes are investigated, and where that is kept; what looks at nothing does so once."""
    from mars_logic.domains.conan.detective.investigating import DetectionSpec

    for number, (explorer, start) in enumerate(explored):
        detectives = ("prior",) * (number == 0) + ("afd",) + ("model",) * (settings is not None)
        for detective in detectives:
            language = settings if detective == "model" else None
            name = f"{detective}_{explorer.replace('/', '-').replace(':', '_')}_{start}"
            spec = DetectionSpec(corpus, explorer, start, detective=detective, language=language)
            yield corpus.parent / name, spec


def _not_shown(notes: Iterable[str]) -> Iterator[str]:
    """Notes without those that the table holds, and without that which comes last."""
    from mars_logic.domains.conan.detective.summary import CAVEAT, INTERVALS

    return (line for line in notes if line != CAVEAT and not line.startswith(INTERVALS))


def _named(name: str, line: str) -> str:
    return line if name in line else f"{name}: {line}"


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    width = row.get("half_widths", {}).get(name)
    if isinstance(value, float):
        return f"{value:.3f}" + (f" ± {width:.3f}" if width is not None else "")
    return "" if value is None else str(value)
