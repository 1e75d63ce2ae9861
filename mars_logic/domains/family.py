"""What is offered for rules of any kind: those of survival worlds, and of each domain of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Literal, TypeVar

from mars_logic.errors import InputError

R = TypeVar("R")
Form = Literal["words", "yaml", "facts", "tree"]
"""The forms in which rules are shown."""


class Family(ABC, Generic[R]):
    """Rules of one kind."""

    called: ClassVar[str]
    """What one of them is, as ``a game``."""
    agents: ClassVar[bool] = False
    """Whether agents play in them, rather than players of their own."""
    hides_rules: ClassVar[bool] = False
    """Whether to find out the rules is the game, so that ``show`` tells what a player is told."""
    forms: ClassVar[tuple[Form, ...]] = ("words", "yaml", "facts")
    """The forms in which :meth:`shown` tells them."""
    stands_on_base: ClassVar[bool] = False
    """Whether a file states differences from other rules, so that it can be told as a whole."""

    @abstractmethod
    def label(self, rules: R) -> str:
        """The dialect or the domain."""

    @abstractmethod
    def about(self, rules: R) -> dict[str, Any]:
        """A row in lists, as plain values."""

    @abstractmethod
    def open_fields(self, rules: R) -> list[str]:
        """The fields of a theory that are open, as paths."""

    @abstractmethod
    def as_yaml(self, rules: R, *, whole: bool = False) -> str:
        """The rules as a file.

        Args:
            rules: The rules, or a theory.
            whole: Whether to state what follows from others, too, where rules stand on a base.
        """

    def cautions(self, rules: R) -> list[str]:  # noqa: ARG002
        """What may be a mistake in valid rules: each a path in their file and a sentence."""
        return []

    def own_goals(self, rules: R) -> tuple[str, ...] | None:  # noqa: ARG002
        """Achievements that are not those of all rules of this label; None if there are none."""
        return None

    def shown(self, rules: R, form: Form, *, solution: bool = False, whole: bool = False) -> str:
        """The rules, or a theory, in a form.

        Args:
            rules: The rules.
            form: The form.
            solution: Where rules are hidden: whether to tell them, too.
            whole: As in :meth:`as_yaml`.

        Raises:
            InputError: There is no such form of these rules.
        """
        if form not in self.forms:
            raise InputError(f"--as: {self.called} has no {form}; allowed: {', '.join(self.forms)}")
        return self._shown(rules, form, solution=solution, whole=whole)

    @abstractmethod
    def _shown(self, rules: R, form: Form, *, solution: bool, whole: bool) -> str:
        """The rules in one of ``forms``."""
