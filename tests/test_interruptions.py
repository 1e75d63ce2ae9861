"""Ctrl-C that comes at a bad moment."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from mars_logic.interruptions import held_back


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
