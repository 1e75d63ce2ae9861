"""The version that results are named with."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from mars_logic.system import installed
from mars_logic.system.installed import installed_version


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """The version is kept for a process."""
    installed_version.cache_clear()
    yield
    installed_version.cache_clear()


def _git(folder: Path, *arguments: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    command = ("git", "-C", str(folder), *names, *arguments)
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one file of code and one of documentation."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "a.py").write_text("A = 1\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("one\n", encoding="utf-8")
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-qm", "first")
    monkeypatch.setattr(installed, "_CHECKOUT", tmp_path)
    return tmp_path


def test_a_checkout_names_its_commit(checkout: Path) -> None:
    commit = _git(checkout, "rev-parse", "--short", "HEAD")
    assert installed_version().endswith(f"(commit {commit})")


def test_changed_code_is_told_and_changed_docs_are_not(checkout: Path) -> None:
    (checkout / "README.md").write_text("two\n", encoding="utf-8")
    assert "with changes" not in installed_version()
    installed_version.cache_clear()
    (checkout / "agents" / "a.py").write_text("A = 2\n", encoding="utf-8")
    assert installed_version().endswith(", with changes)")


def test_an_installed_package_names_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "_CHECKOUT", tmp_path)
    assert "commit" not in installed_version()


def test_without_git_there_is_no_commit(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout / "nowhere"))
    assert "commit" not in installed_version()
