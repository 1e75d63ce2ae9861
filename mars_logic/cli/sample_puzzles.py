"""What ``sample`` does with families of puzzles."""

from __future__ import annotations

from pathlib import Path

from mars_logic.cli.output import print_json, progress


def sample_puzzles(
    family: str, out: Path, rules: str, size: str, count: int, seed: int, *, as_json: bool
) -> None:
    """Sample puzzles into a folder, and print what is proved of each.

    Args:
        family: The family, with its prefix.
        out: The folder.
        rules: The kind of rules.
        size: The sizes.
        count: How many puzzles.
        seed: The same seed gives the same files.
        as_json: Print one JSON document.

    Raises:
        InputError: There is no such family, or no such puzzle; or a file cannot be written.
    """
    from mars_logic.domains.rulearn.sampling import PuzzleFolder, PuzzleRequest

    folder = PuzzleFolder(out, PuzzleRequest.of(family, rules, size), seed)
    sampled = []
    with progress() as shown:
        bar = shown.add_task("puzzles", total=count)
        for number in range(count):
            sampled.append(folder.add(number))
            shown.advance(bar)
    if as_json:
        puzzles = [each.model_dump(mode="json", by_alias=True) for each in sampled]
        print_json({"schema": "mars-logic sampled puzzles 1", "puzzles": puzzles})
        return
    for each in sampled:
        print(f"{out / each.file}: {' '.join(each.proof.words)}")
