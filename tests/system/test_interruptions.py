"""Ctrl-C that comes at a bad moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pydantic
import pytest

from mars_logic.system.interruptions import as_interruption, held_back


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals for threads")
def test_an_interruption_that_another_thread_gets_is_answered_at_the_end() -> None:
    """No thread but the caller's has the signal masked."""
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    done: list[str] = []
    try:
        with pytest.raises(KeyboardInterrupt), held_back():
            with held_back():
                assert other.ident is not None
                signal.pthread_kill(other.ident, signal.SIGINT)
                time.sleep(0.2)  # it gets there
                done.append("inner")
            done.append("outer")
    finally:
        over.set()
        other.join()
    assert done == ["inner", "outer"]


def test_nothing_is_answered_where_nothing_came() -> None:
    before = signal.getsignal(signal.SIGINT)
    with held_back():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


class Interrupted(pydantic.BaseModel):
    """A model whose serializer is interrupted."""

    value: int = 1

    @pydantic.field_serializer("value")
    def _write(self, _value: int) -> int:
        raise KeyboardInterrupt


def test_an_interruption_in_a_serializer_is_an_interruption() -> None:
    with pytest.raises(KeyboardInterrupt), as_interruption():
        Interrupted().model_dump()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(ValueError, match="else"), as_interruption():
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise ValueError("else")  # noqa: B904


def outcome(script: str) -> tuple[int, str, str]:
    """The status of a program, and what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("answer", ["raise", "sys.exit(130)"])
def test_an_interruption_while_a_class_is_made_ends_with_130(answer: str) -> None:
    """Data classes are made by an ``exec`` of text, after which Python would end by the signal."""
    script = f"""
import atexit, sys
import mars_logic.__main__ as command, mars_logic.cli.main as cli
def main():
    atexit.register(print, "the end")
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        {answer}
cli.main = main
command.run()
"""
    assert outcome(script) == (130, "the end\n", "")


def test_an_interruption_where_no_error_can_be_raised_is_answered() -> None:
    """Such as in what Python calls when the lock of an import is deleted: it is only printed."""
    script = """
import signal, time, weakref
import mars_logic.__main__ as command, mars_logic.cli.main as cli
class Lock:
    pass
def main():
    lock = Lock()
    watched = weakref.ref(lock, lambda _: signal.raise_signal(signal.SIGINT))
    del lock
    for _ in range(600):
        time.sleep(0.1)
    print("it was lost")
cli.main = main
command.run()
"""
    assert outcome(script) == (130, "", "")
