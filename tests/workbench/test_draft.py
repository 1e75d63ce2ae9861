"""The text outlives a crash, and replaces nothing unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.workbench.draft import Draft, open_draft


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_written_when_it_is_saved(here: Path) -> None:
    draft = open_draft(None)
    assert (draft.path, draft.text, draft.is_saved) == (here / "world.yaml", "", True)
    draft.keep()
    assert names(here) == []
    draft.text = "name: x\n"
    draft.keep()
    assert names(here) == [".world.yaml.unsaved"]
    draft.save()
    assert names(here) == ["world.yaml"] and draft.is_saved
    assert open_draft(None).path.name == "world_2.yaml"
    assert open_draft("mine.yaml", new=True).path == here / "mine.yaml"


def test_what_was_not_saved_is_there_again(here: Path) -> None:
    (here / "a.yaml").write_text("name: a\n", encoding="utf-8")
    draft = open_draft("a.yaml")
    draft.text = "name: b\n"
    draft.keep()
    again = open_draft("a.yaml")
    assert (again.text, again.saved, again.restored) == ("name: b\n", "name: a\n", True)
    again.revert()
    assert again.text == "name: a\n" and names(here) == ["a.yaml"]


def test_other_files_are_not_replaced_unasked(here: Path) -> None:
    (here / "a.yaml").write_text("name: a\n", encoding="utf-8")
    (here / "b.yaml").write_text("name: b\n", encoding="utf-8")
    draft = open_draft("a.yaml")
    draft.text = "name: c\n"
    assert draft.obstacle(draft.path) == ""
    assert draft.obstacle(draft.beside("c.yaml")) == ""
    assert draft.obstacle(draft.beside("b.yaml")) == "b.yaml exists already."
    (here / "a.yaml").write_text("name: d\n", encoding="utf-8")
    assert draft.obstacle(draft.path) == "a.yaml was changed elsewhere."
    draft.keep()
    draft.save(draft.beside("c.yaml"))
    assert names(here) == ["a.yaml", "b.yaml", "c.yaml"] and draft.path.name == "c.yaml"


def test_a_bundled_world_is_a_base(here: Path) -> None:
    draft = open_draft("all_three")
    assert draft.path == here / "my_all_three.yaml" and "base: all_three" in draft.text
    assert not draft.is_saved and names(here) == []


@pytest.mark.parametrize("name", ["a.txt", ".hidden.yaml", "../x.yaml", "a/b.yaml", "", "a\0.yaml"])
def test_only_names_of_world_files_are_taken(here: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"allowed: a name that ends in \.yaml"):
        Draft(here / "a.yaml", "").beside(name)


@pytest.mark.parametrize("name", ["folder.yaml", "no/such.yaml", "a.txt", "binary.yaml"])
def test_what_cannot_be_edited_is_refused(here: Path, name: str) -> None:
    (here / "folder.yaml").mkdir()
    (here / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="allowed: "):
        open_draft(name, new=True)


def test_a_file_that_is_named_exists(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="allowed: one that exists, or --new to begin it"):
        open_draft(str(tmp_path / "typo.yaml"))
