"""Documents in JSON that are checked by a model, such as certificates: read from files, written."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from mars_logic.errors import InputError
from mars_logic.system.files import read_bytes, write_or_refuse
from mars_logic.system.json_files import read_json, value_of
from mars_logic.world import mistakes


class DocumentPart(BaseModel):
    """A part of a document; what it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


D = TypeVar("D", bound=DocumentPart)


def stated_schema(path: Path, most: int) -> object:
    """The schema that a file in JSON says it is of; None where it says none or cannot be read."""
    try:
        document = read_json(path, "a document", most)
    except InputError:
        return None
    return document.get("schema") if isinstance(document, dict) else None


def write_document(document: DocumentPart, path: Path) -> None:
    """Write a document, whole or not at all.

    Raises:
        InputError: The file cannot be written.
    """
    write_or_refuse(path, document.model_dump_json(by_alias=True) + "\n")


def read_document(path: Path, kind: type[D], what: str, schema: str, most: int) -> D:
    """Read a document.

    Args:
        path: The file.
        kind: The model of the document.
        what: What the file should be, for messages.
        schema: The name of the document's schema.
        most: The largest number of bytes.

    Raises:
        InputError: The file is missing, unreadable, or no such document.
    """
    content = read_bytes(path, what, most)
    value_of(content, f"{path}:1", what)  # pydantic takes keys twice, and what is no number
    try:
        return kind.model_validate_json(content)
    except ValidationError as error:
        raise mistakes.refusal(path, error, f"a document of schema '{schema}'") from None
