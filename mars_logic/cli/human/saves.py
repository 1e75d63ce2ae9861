"""Saved games: stored in the format of agents' episodes, and resumed where they stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mars_logic.data import store
from mars_logic.data.trajectory import About
from mars_logic.errors import InputError
from mars_logic.experiments.runs import certificate_name, save_trajectory, trajectory_of
from mars_logic.play import certificate
from mars_logic.play.session import AGENTS, PlaySession
from mars_logic.system.file_names import path_named
from mars_logic.world.theory import World


@dataclass(frozen=True)
class SavedGame:
    """A file of an earlier part of an episode.

    Attributes:
        path: The file.
        agent: Who played, aids included.
        actions: What was done.
    """

    path: Path
    agent: str
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Places:
    """Where an episode is kept.

    Attributes:
        world: The world.
        name: How it can be loaded again.
        seed: The environment's seed.
        out: The folder of certificates, if they are kept.
        record: The folder of trajectories, if they are kept.
        public: Whether trajectories leave out what is privileged.
    """

    world: World
    name: str
    seed: int
    out: Path | None = None
    record: Path | None = None
    public: bool = False

    @property
    def told(self) -> str | None:
        """The folders, for the player."""
        return " and ".join(str(folder) for folder in (self.out, self.record) if folder) or None

    def earlier(self) -> list[SavedGame]:
        """The saved files of this episode: at most one certificate and one trajectory.

        Raises:
            InputError: A file is not what its name says, or the two differ.
        """
        certificates, trajectories = [*self._certificates()], [*self._trajectories()]
        # Of two names the one with more aids: the other could not be removed any more.
        found = [kept for some in (certificates, trajectories) for kept in some[-1:]]
        for kept in found[1:]:
            if kept.actions != found[0].actions:
                raise _refusal(kept.path, f"it holds other actions than {found[0].path}")
        return found

    def save(self, session: PlaySession, earlier: list[SavedGame]) -> list[Path]:
        """Write what was played, each file whole or not at all, in place of its earlier part.

        A file that came to lie there meanwhile is not replaced; the new one then gets a number.
        Without any step, nothing is written.

        Raises:
            InputError: A file cannot be written.
        """
        if not session.steps:
            return []
        made = certificate.certify(session.played(), self.world, self.name, session.agent)
        written = []
        ours = {kept.path for kept in earlier}
        if self.out:
            path = _free(self._certificate(self.out, session.agent), ours)
            certificate.save(made, path)
            written.append(path)
        if self.record:
            path = _free(self._trajectory(self.record, session.agent), ours)
            save_trajectory(trajectory_of(made, self.world, public=self.public), path)
            written.append(path)
        for path in ours - set(written):
            path.unlink(missing_ok=True)  # its name tells of fewer aids
        return written

    def _certificate(self, folder: Path, agent: str) -> Path:
        return folder / path_named(certificate_name(self.world, agent, self.seed))

    def _trajectory(self, folder: Path, agent: str) -> Path:
        world = self.world
        about = About(self.name, world.digest, world.dynamics, seed=self.seed, agent=agent)
        return folder / path_named(store.file_name(about))

    def _certificates(self) -> Iterator[SavedGame]:
        for path in (self._certificate(self.out, agent) for agent in AGENTS if self.out):
            if path.exists():
                found = certificate.load(path)
                self._require(path, found.seed, found.episode, found.world.digest, found.agent)
                if problems := certificate.verify(found, self.world).problems:
                    raise _refusal(path, f"it does not replay: {problems[0]}")
                yield SavedGame(path, found.agent, found.actions)

    def _trajectories(self) -> Iterator[SavedGame]:
        for path in (self._trajectory(self.record, agent) for agent in AGENTS if self.record):
            if path.exists():
                found = store.load(path)
                about = found.about
                self._require(path, about.seed, about.episode, about.digest, about.agent)
                yield SavedGame(path, about.agent, tuple(found.action.tolist()))

    def _require(self, path: Path, seed: int, episode: int, digest: str, agent: str) -> None:
        wanted = (self.seed, 1, self.world.digest)
        if (seed, episode, digest) != wanted or agent not in AGENTS:
            raise _refusal(path, "this is another episode than the one to be played here")


def resume(session: PlaySession, earlier: list[SavedGame]) -> None:
    """Carry out what was played earlier.

    Raises:
        InputError: The episode was played to its end.
    """
    for kept in earlier[:1]:
        for action in kept.actions:
            session.act(action)
        if session.ended:
            raise _refusal(kept.path, "this episode has been played to its end")
    for kept in earlier:
        session.aids |= AGENTS[kept.agent]


def _free(path: Path, ours: set[Path]) -> Path:
    """This name, or, if another file lies there, the first number that makes it free."""
    taken, number = path, 2
    while taken.exists() and taken not in ours:
        taken = path.with_stem(f"{path.stem}_{number}")
        number += 1
    return taken


def _refusal(path: Path, found: str) -> InputError:
    return InputError(
        f"{path}:1: file: {found}; allowed: another seed or folder, or to remove the file"
    )
