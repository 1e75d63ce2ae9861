"""What results show of themselves: short lines in Python, tables in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def number(count: int, what: str) -> str:
    """So many things, such as ``1 pull`` or ``50 pulls``."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def percent(share: float | None) -> str:
    """A share as a percentage; a dash where there is none."""
    return "–" if share is None else f"{share:.0%}"


def listed(texts: Iterable[str], link: str = " and") -> str:
    """Texts as ``a, b and c``; nothing if there is none."""
    *most, last = [*texts] or [""]
    return f"{', '.join(most)}{link} {last}" if most else last


def html_table(rows: Iterable[Sequence[str]], heads: Sequence[str] = (), caption: str = "") -> str:
    """A table in HTML, for ``_repr_html_``.

    Args:
        rows: The cells of each row, as plain text.
        heads: The heads of the columns, if any.
        caption: What stands above it, if anything.
    """
    about = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = f"<thead>{_row('th', heads)}</thead>" if heads else ""
    return f"<table>{about}{head}<tbody>{''.join(_row('td', row) for row in rows)}</tbody></table>"


def _row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"
