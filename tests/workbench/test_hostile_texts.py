"""Hostile texts that are typed into the page: no freeze, no script, no file read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.hostile.kinds import TEXT
from tests.workbench.conftest import Open

pytestmark = pytest.mark.slow

MARKUP: Final = "<img src=x onerror=alert(1)><script>alert(1)</script>{{1+1}}"
VALID: Final = "name: fine\nbase: default\n"
OURS: Final = {
    "markup in a name": f"name: '{MARKUP}'\ntitle: '</script>{MARKUP}'\nbase: default\n",
    "markup in a key": f"name: x\nbase: default\n'{MARKUP}': 1\n",
    "a file": "name: x\nbase: /etc/passwd\n",
    "a file above": f"name: x\nbase: {'../' * 12}etc/passwd\n",
    "a drawing elsewhere": "name: x\nbase: default\nmap: {drawn: /etc/passwd}\n",
    "itself": "name: x\nbase: game.yaml\n",
    "a device": "name: x\nbase: /dev/zero\n",
    "surrogates": "name: '\U0001f600é'\nbase: default\n",
}


def texts(folder: Path) -> dict[str, str]:
    """Those of all commands, and those for a page; characters that no keyboard has are left out."""
    found = dict(OURS)
    for name, make in TEXT.items():
        path = make(folder / "hostile.yaml", VALID.encode())
        text = path.read_bytes().decode("utf-8", "replace")
        found[name] = text.replace("\0", "")
    return found


def test_they_are_told_as_mistakes(opened: Open, tmp_path: Path) -> None:
    bench = opened()
    (tmp_path / "other").mkdir()
    for name, text in texts(tmp_path / "other").items():
        if len(text) > 20_000:  # what is longer is pasted in the next test
            continue
        bench.write(text)
        bench.write(VALID.replace("fine", "fine_" + "".join(filter(str.isalpha, name))))
        bench.valid("fine_" + "".join(filter(str.isalpha, name)))
        bench.write(text)
        bench.page.wait_for_selector(".wb-error, .wb-begin, .wb-valid:not(:has-text('fine_'))")
        told = bench.page.inner_text(".wb-mistakes")
        assert "root:" not in told and "Traceback" not in told
        if "/etc/" in text and "include" not in name:
            assert "outside of the folder that may be read" in told, name
    for tab in ("Manual", "Rules of an agent", "Film", "Proofs", "Tech tree"):
        bench.tab(tab)
        bench.write(OURS["markup in a name"])
        bench.valid("")
        bench.page.wait_for_selector(".wb-progress:has-text('of <img')")
    assert bench.page.locator("img[src=x]").count() == 0


def test_a_text_that_is_too_long_is_told_and_kept(opened: Open, file: Path) -> None:
    bench = opened()
    bench.write("# " + "a long line " * 20_000)
    bench.wait(".wb-error", "the text is too long")
    assert file.with_name(".game.yaml.unsaved").stat().st_size > 200_000
    bench.write(VALID)
    bench.valid("fine")
