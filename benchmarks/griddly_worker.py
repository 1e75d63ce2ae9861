"""Plays Sokoban in Griddly for the benchmark: a number of moves in, a line; their seconds out.

    python griddly_worker.py WORLD     # with griddly 1.6.7, numpy 1 and Python 3.11

This file is run by its path, by an interpreter that has Griddly, and needs nothing of mars_logic.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path


def main(world: str) -> None:
    """Answer until there are no more lines.

    Args:
        world: The file of the world whose levels are played.
    """
    import yaml
    from griddly import GymWrapper, gd

    env = GymWrapper(
        yaml_file="Single-Player/GVGAI/sokoban2.yaml",
        player_observer_type=gd.ObserverType.VECTOR,
        global_observer_type=gd.ObserverType.NONE,
    )
    dice, answers = random.Random(1), sys.stdout
    sys.stdout = sys.stderr  # nothing else may be between the answers
    drawn = yaml.safe_load(Path(world).read_text(encoding="utf-8"))["map"]["drawn"]
    levels = [each.strip().translate(str.maketrans("Wo@", "whA")) + "\n" for each in drawn]
    env.reset(level_string=levels[0])
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        moves = dice.choices((1, 2, 3, 4), k=int(line))
        env.reset(level_string=dice.choice(levels))
        begun = time.process_time()
        for move in moves:
            if env.step(move)[2]:
                env.reset(level_string=dice.choice(levels))
        print(time.process_time() - begun, file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
