"""Every command that reads something a user gives, by what it reads and with what arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.hostile.material import SMALL


@dataclass(frozen=True)
class Reader:
    """A command with one argument that names an input.

    Attributes:
        kind: What the input is, as in ``material.INPUTS``.
        parameter: The name of the command's parameter.
        command: All arguments; ``@`` is the input, other inputs are valid.
    """

    kind: str
    parameter: str
    command: str

    def __str__(self) -> str:
        return f"{self.name}-{self.parameter}"

    @property
    def name(self) -> str:
        """The command's name: of one word, or of two."""
        first, second, *_ = self.command.split()
        both = f"{first} {second}"
        return both if first in _GROUPS or both in _OF_TWO_WORDS else first


_OF_TWO_WORDS: Final = ("bench planners", "bench sight", "bench tasks")
_GROUPS: Final = ("conan", "language", "laws", "messenger")
_BOTH = "random informed --seeds 1 --length 5"
_SHORT = "--sampled 0 --seeds 1 --episodes 1 --length 5"
_TRAIN = SMALL
_PLAY = "play/default__random__s0.parquet"
_SEATS: Final = (
    "scoreboard rulearn --puzzles rulearn/er_r1_01 --players baseline_llm --workers 1 -o new"
)
_ASK = "run react default --episodes 1 --length 3"
_TABLE: Final = (
    "language table mars --agents react --games default --episodes 1 --length 3 --workers 1 --yes"
)
_SPRING: Final = (
    "run spring default --episodes 1 --length 3 --language language.yaml "
    "--option context=experience"
)
READERS: Final = (
    Reader("world", "world", "show @"),
    Reader("world", "first", "diff @ default"),
    Reader("world", "second", "diff default @"),
    Reader("world", "files", "validate @"),
    Reader("world", "world", "edit @ --idle 0.05"),
    Reader("crafter rules", "files", "validate @"),
    Reader("crafter rules", "sources", "import @ -o new.yaml"),
    Reader("game", "world", "show @"),
    Reader("game", "first", "diff @ Hanoi3Disk"),
    Reader("game", "files", "validate @"),
    Reader("game", "game", "value @"),
    Reader("game", "worlds", "run bayes @ --episodes 1"),
    Reader("game", "belief", "run bayes game.yaml --episodes 1 --belief @"),
    Reader("world", "world", f"bench planners {_BOTH} --world @"),
    Reader("world", "world", f"bench sight {_SHORT} --world @"),
    Reader("world", "world", "bench tasks --goal collect_wood --limit 5 -o new --world @"),
    Reader("world", "worlds", "prove @"),
    Reader("world", "world", "explain @ collect_diamond"),
    Reader("world", "world", "ask @ rules.lp --memory 64"),
    Reader("world", "sources", "export @ --to pddl-strips --goal collect_wood -o new"),
    Reader("world", "world", "plan @ --length 5"),
    Reader("world", "belief", "plan default --length 5 --belief @"),
    Reader("world", "worlds", "run random @ --episodes 1 --length 5"),
    Reader("world", "belief", "run informed default --episodes 1 --length 5 --belief @"),
    Reader("world", "world", "play @ --length 5"),
    Reader("game", "world", "play @"),
    Reader("manual", "manual", "messenger read @"),
    Reader("lexicon", "lexicon", "messenger read manual.txt --lexicon @"),
    Reader("labelled sentences", "learn", "messenger read --learn @ -o new.yaml"),
    Reader("labelled sentences", "sentences", "run random MessengerL1 --sentences @"),
    Reader("world", "world", "learn @ --episodes 1 --length 5"),
    Reader("world", "belief", "learn default --episodes 1 --length 5 --belief @"),
    Reader("world", "world", f"train @ {_TRAIN} -o new"),
    Reader("world", "source", "render @ -o new.png --size 64"),
    Reader("world", "rules", f"check @ {_PLAY}"),
    Reader("world", "belief", f"revise @ {_PLAY}"),
    Reader("world", "truth", f"revise default {_PLAY} --truth @"),
    Reader("world", "theory", "score @ default"),
    Reader("world", "truth", "score default @"),
    Reader("world", "prior", "score default default --prior @"),
    Reader("world", "world", "laws records @ --per 1 --episodes 1 -o new.json"),
    Reader("world", "truth", "laws learn records.json --truth @"),
    Reader("sentences", "rules", f"check @ {_PLAY}"),
    Reader("document", "rules", f"check @ {_PLAY}"),
    Reader("rules", "rules", f"check @ {_PLAY}"),
    Reader("rules", "belief", f"revise @ {_PLAY}"),
    Reader("proposals", "confirmed", f"check notes.txt {_PLAY} --confirmed @"),
    Reader("sentences", "theory", "score @ default"),
    Reader("document", "theory", "score @ default"),
    Reader("program", "rules", f"check @ {_PLAY}"),
    Reader("program", "program", "ask default @ --memory 64"),
    Reader("spec", "spec", "experiment @ -o new --workers 1"),
    Reader("language", "language", f"{_ASK} --language @"),
    Reader("script", "model", f"{_ASK} --model scripted:@"),
    Reader("language", "language", f"{_SEATS} --language @"),
    Reader("script", "model", f"{_SEATS} --model scripted:@"),
    Reader("language", "language", f"{_TABLE} -o new --language @"),
    Reader("script", "model", f"{_TABLE} -o new --model scripted:@"),
    Reader("language", "language", "language show-prompt react default --language @"),
    Reader("world", "world", "language show-prompt react @"),
    Reader("world", "world", "language schema @"),
    Reader("game", "world", "language schema @"),
    Reader("language", "language", "language cost talk --language @"),
    Reader("language", "language", "report talk -o new.html --language @"),
    Reader("language", "language", f"check notes.txt {_PLAY} --language @"),
    Reader("certificate", "certificates", "verify @"),
    Reader("certificate", "source", "render @ -o new.gif --size 64 --to 3"),
    Reader("certificate", "results", "summarise @"),
    Reader("certificate", "source", "report @ -o new.html"),
    Reader("game certificate", "certificates", "verify @"),
    Reader("plan", "certificates", "verify @ --world default --map 1"),
    Reader("world", "world", "verify wood.pddl --world @ --map 1"),
    Reader("certificate", "sources", "export @ --to pddl -o new"),
    Reader("trajectory", "trajectories", "check default @"),
    Reader("plain table", "trajectories", "check default @"),
    Reader("trajectory", "trajectories", "revise default @"),
    Reader("trajectory", "source", "render @ -o new.gif --size 64 --to 3"),
    Reader("trajectory", "play", "score default default --play @"),
    Reader("trajectory", "records", "laws learn @"),
    Reader("trajectory", "sources", "export @ --to parquet -o new.parquet"),
    Reader("trajectory", "results", "summarise @"),
    Reader("trajectory", "source", "report @ -o new.html"),
    Reader("records", "records", "laws learn @"),
    Reader("records", "laws", f"train default {_TRAIN} --reward laws -o new --laws @"),
    Reader("recording", "traces", "conform @"),
    Reader("game recording", "traces", "conform @"),
    Reader("game", "puzzles", "conform recording.jsonl --puzzles @"),
    Reader("recording", "sources", "import @ -o new"),
    Reader("recorder's episode", "sources", "import @ -o new"),
    Reader("recorder's totals", "results", "summarise @"),
    Reader("result table", "sources", "import @ -o new"),
    Reader("log", "records", "laws learn @"),
    Reader("trace", "records", "laws learn @"),
    Reader("clauses", "sources", "import @ --world default -o new.json"),
    Reader("learned domain", "sources", "import @ --world default -o new.json"),
    Reader("world", "world", "import recorder.npz -o new --world @"),
    Reader("records", "sources", "export @ --to popper -o new"),
    Reader("world", "world", "conan scenes @ --scenes 1 -o new"),
    Reader("scenes", "file", "conan scene @ 0"),
    Reader("laws", "options", f"{_SPRING} --option laws=@"),
)
"""Readers of files."""

FOLDER_READERS: Final = (
    Reader("certificates", "source", "report @ -o new.html"),
    Reader("certificates", "results", "summarise @"),
    Reader("certificates", "certificates", "verify @"),
    Reader("game certificates", "certificates", "verify @"),
    Reader("certificates", "out", "run random default --episodes 1 --length 40 --out @"),
    Reader("game certificates", "out", "run random Hanoi3Disk --episodes 1 --out @"),
    Reader("trajectories", "trajectories", "check default @"),
    Reader("trajectories", "trajectories", "revise default @"),
    Reader("trajectories", "records", "laws learn @"),
    Reader("trajectories", "sources", "export @ --to parquet -o new.parquet"),
    Reader("trajectories", "source", "report @ -o new.html"),
    Reader("trajectories", "results", "summarise @"),
    Reader("trajectories", "record", "run random default --episodes 1 --length 40 --record @"),
    Reader("experiment", "source", "report @ -o new.html"),
    Reader("experiment", "results", "summarise @"),
    Reader("experiment", "out", "experiment spec.yaml -o @ --workers 1"),
    Reader("exchanges", "replay", f"{_ASK} --language language.yaml --replay @"),
    Reader("exchanges", "exchanges", "experiment spec.yaml -o new --workers 1 --exchanges @"),
    Reader("exchanges", "exchanges", f"{_ASK} --language language.yaml --exchanges @"),
    Reader("exchanges", "replay", f"{_SEATS} --language language.yaml --replay @"),
    Reader("exchanges", "replay", f"{_TABLE} -o new --language generous.yaml --replay @"),
    Reader("exchanges", "exchanges", f"{_TABLE} -o new --language generous.yaml --exchanges @"),
    Reader("exchanges", "exchanges", f"{_SEATS} --language generous.yaml --exchanges @"),
    Reader("exchanges", "folder", "language cost @"),
    Reader("exchanges", "source", "report @ -o new.html"),
    Reader("corpus", "folder", "conan questions @"),
    Reader("corpus", "folder", "conan detect @ --explorer all -o new"),
    Reader("corpus", "folder", "conan ask @ 0"),
    Reader("corpus", "sources", "export @ --to questions -o new"),
    Reader("corpus", "file", "conan scene @ 0"),
    Reader("corpus", "out", "conan scenes conan --scenes 2 -o @"),
    Reader("detections", "out", "conan detect corpus --explorer all -o @"),
    Reader("detections", "results", "summarise @"),
    Reader("detections", "survival", "summarise detected --survival @"),
    Reader("library", "rules", f"check @ {_PLAY}"),
    Reader("library", "theory", "score @ default"),
    Reader("samples", "out", "sample --count 1 --change terrain --difficulty 1 -o @"),
    Reader(
        "solved puzzles",
        "out",
        "scoreboard rulearn --puzzles rulearn/er_r1_01 --players baseline --workers 1 -o @",
    ),
    Reader("measurements", "out", "bench --quick --alone --out @ images"),
    Reader("policy", "out", f"train default {_TRAIN} -o @"),
    Reader("policy", "agent", "run policy:@ default --episodes 1 --length 5"),
)
"""Readers of folders, among them those that go on with what a folder holds."""

WRITERS: Final = (
    Reader("file", "out", "show default --as yaml -o @"),
    Reader("file", "out", "plan default --length 5 -o @"),
    Reader("file", "film", "plan default --length 5 --film @.gif"),
    Reader("file", "propose", f"check notes.txt {_PLAY} --propose @.yaml"),
    Reader("file", "out", f"revise default {_PLAY} -o @.yaml"),
    Reader("file", "out", f"check default {_PLAY} -o @.json"),
    Reader("folder", "record", f"check default {_PLAY} --play 1 --record @"),
    Reader("file", "out", "score default default -o @.json"),
    Reader("file", "out", "laws records default --per 1 --episodes 1 -o @"),
    Reader("file", "out", "laws learn records.json -o @"),
    Reader("file", "out", "learn default --episodes 1 --length 5 -o @.yaml"),
    Reader("file", "journal", "learn default --episodes 1 --length 5 --journal @.md"),
    Reader("folder", "certificates", "learn default --episodes 1 --length 5 --certificates @"),
    Reader("folder", "out", f"train default {_TRAIN} -o @"),
    Reader("file", "out", "render default -o @.png --size 64"),
    Reader("file", "out", "report plays -o @.html"),
    Reader("file", "out", "summarise experiment -o @.md"),
    Reader("file", "out", f"export {_PLAY} --to parquet -o @"),
    Reader("folder", "out", "export default --to pddl-strips --goal collect_wood -o @"),
    Reader("file", "plan", "export default --to pddl --goal collect_wood --map 1 -o new --plan @"),
    Reader("folder", "out", "import recording.npz -o @"),
    Reader("file", "out", "import data.yaml -o @.yaml"),
    Reader("folder", "out", "sample --count 1 --change terrain --difficulty 1 -o @"),
    Reader("folder", "out", "sample rulearn/escape_room -o @"),
    Reader("folder", "out", "run random default --episodes 1 --length 5 --out @"),
    Reader("folder", "out", "run random game.yaml --episodes 1 --out @"),
    Reader("folder", "record", "run random default --episodes 1 --length 5 --record @"),
    Reader("folder", "out", "play default --length 5 --out @"),
    Reader("folder", "out", "play Hanoi3Disk --out @"),
    Reader("folder", "record", "play default --length 5 --record @"),
    Reader("folder", "out", "experiment spec.yaml -o @ --workers 1"),
    Reader("folder", "out", f"{_TABLE} --language generous.yaml -o @"),
    Reader("folder", "exchanges", f"{_ASK} --language language.yaml --exchanges @"),
    Reader("folder", "out", "prove default --map 0 --execute --out @"),
    Reader("file", "out", "learn rulearn/er_r1_01 -o @.yaml"),
    Reader("file", "journal", "learn rulearn/er_r1_01 --journal @.md"),
    Reader("file", "chart", "learn rulearn/er_r1_01 --chart @.png"),
    Reader(
        "folder",
        "out",
        "scoreboard rulearn --puzzles rulearn/er_r1_01 --players baseline --workers 1 -o @",
    ),
    Reader("file", "out", "messenger read manual.txt -o @.yaml"),
    Reader("folder", "out", "bench --quick --alone --out @ images"),
    Reader("folder", "out", f"bench planners {_BOTH} --world default --out @"),
    Reader("folder", "out", f"bench sight {_SHORT} --world default --out @"),
    Reader("folder", "out", "bench tasks --world default --goal collect_wood --out @"),
    Reader("folder", "out", "conan scenes conan --scenes 1 -o @"),
    Reader("folder", "out", "conan detect corpus --explorer all -o @"),
    Reader("folder", "out", "export corpus --to questions -o @"),
    Reader("file", "out", "conan ask corpus 0 -o @"),
    Reader("file", "out", "conan scene corpus 0 --as report --start centre --steps 5 -o @.png"),
)
"""Commands by where they write."""

TEXTS: Final = (
    Reader("text", "noise", f"check default {_PLAY} --noise @"),
    Reader("text", "noise", "laws learn records.json --noise @"),
    Reader("text", "achievement", "explain default @"),
    Reader("text", "goal", "show default --as asp --goal @"),
    Reader("text", "goal", "export default --to pddl-strips -o new --goal @"),
    Reader("text", "agent", "plan default --length 5 --agent @"),
    Reader("text", "agent", "run @ default --episodes 1 --length 5"),
    Reader("text", "agent", "run @ game.yaml --episodes 1"),
    Reader("text", "mode", "run idea rulearn/er_r1_01 --episodes 1 --mode @"),
    Reader("text", "mode", "learn rulearn/er_r1_01 --mode @"),
    *(
        Reader("text", choice, f"{command} --{choice} @")
        for choice in ("dialect", "hints")
        for command in (
            "show rulearn/re_r1_01",
            "play rulearn/re_r1_01",
            "learn rulearn/re_r1_01",
            "run idea rulearn/re_r1_01 --episodes 1",
        )
    ),
    Reader("text", "steps", "train default -o new --steps @"),
    Reader("text", "device", f"train default {_TRAIN} -o new --device @"),
    Reader("text", "hyperparameters", f"train default {_TRAIN} -o new --set @"),
    Reader("text", "names", "messenger read manual.txt --names @"),
    Reader("text", "split", "messenger read --learn labelled.json -o new.yaml --split @"),
    Reader("text", "assignments", "run random MessengerL1 --episodes 1 --assignments @"),
    Reader("text", "assignments", "play MessengerL1 --assignments @"),
    Reader("text", "observation", "run random MessengerL1 --episodes 1 --observation @"),
    Reader("text", "benchmark", "scoreboard @ -o new"),
    Reader("text", "explorer", "scoreboard conan --scenes 1 --workers 1 -o new --explorer @"),
    Reader("text", "explorer", "conan detect corpus -o new --explorer @"),
    Reader("text", "puzzles", "scoreboard rulearn -o new --puzzles @"),
    Reader("text", "players", "scoreboard rulearn -o new --players @"),
    Reader("text", "endpoint", f"{_SEATS} --model m --endpoint @"),
    Reader("text", "name", "language table @ -o new --model m"),
    Reader("text", "agents", "language table mars -o new --model m --agents @"),
    Reader("text", "games", "language table mars -o new --model m --games @"),
    Reader("text", "endpoint", "language table mars -o new --model m --endpoint @"),
    Reader("text", "agents", "scoreboard mars -o new --agents @"),
    Reader("text", "games", "scoreboard mars -o new --games @"),
    Reader("text", "games", "scoreboard onelife -o new --games @"),
    Reader("text", "agents", "scoreboard smartplay --agents @"),
    Reader("text", "games", "scoreboard smartplay --agents random --games @"),
    Reader("text", "endpoint", f"{_ASK} --model m --endpoint @"),
    Reader("text", "options", f"{_ASK} --language language.yaml --option @"),
    Reader("text", "agent", "language show-prompt @ default"),
    Reader("text", "options", "language show-prompt react default --option @"),
    Reader("text", "by", "summarise experiment --by @"),
    Reader("text", "baseline", "summarise experiment --baseline @"),
    Reader("text", "benchmarks", "bench --quick --alone @"),
    Reader("text", "goal", "bench tasks --world default -o new --goal @"),
    Reader("text", "engine", "bench tasks --world default --goal collect_wood -o new --engine @"),
    Reader("text", "first", "bench planners @ random --world default --seeds 1 --length 5"),
    Reader("text", "second", "bench planners random @ --world default --seeds 1 --length 5"),
    Reader("text", "must", "sample -o new --must @"),
    Reader("text", "forbid", "sample -o new --forbid @"),
    Reader("text", "change", "sample -o new --change @"),
    Reader("text", "difficulty", "sample -o new --difficulty @"),
    Reader("text", "family", "sample @ -o new"),
    Reader("text", "rules", "sample rulearn/reactor -o new --rules @"),
    Reader("text", "rules", "sample --vocabulary 9 -o new --rules @"),
    Reader("text", "size", "sample rulearn/reactor -o new --size @"),
    Reader("text", "size", "render default -o new.png --size @"),
    Reader("text", "scheduler", "experiment spec.yaml -o new --scheduler @"),
    Reader("text", "number", "conan scene corpus @"),
    Reader("text", "number", "conan ask corpus @"),
    Reader("text", "title", "report plays -o new.html --title @"),
)
"""Commands by the text that they take, which is no path."""
