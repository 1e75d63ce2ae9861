"""Draws the regret of players of a bandit: `python docs/pictures/regret.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from mars_logic.benchmarks.bandits import Chooser, bayes, best_pulls, random_pulls, thompson
from mars_logic.domains import domain_of, load_game
from mars_logic.domains.scores import published

NAME = "BanditTwoArmedHighLowFixed"
EPISODES, SEED = 4000, 1
COLOURS = ("#6a737d", "#d55e00", "#009e73", "#0072b2")
"""Those of Okabe and Ito, which colour-blind people can tell apart."""
LINES = ("Human", "GPT-4-0613", "text-davinci-003", "Bard", "Claude", "llama-2-13b")


def main() -> None:
    """Draw it beside this file."""
    game = load_game(NAME)
    players: dict[str, Chooser] = {
        "random": random_pulls,
        "Thompson sampling": thompson,
        "bayes, told nothing": bayes(domain_of(game).untold(game)),
        "bayes, told the numbers": bayes(game),
    }
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    pulls = np.arange(1, game.length + 1)
    for (name, choose), colour in zip(players.items(), COLOURS, strict=True):
        regret = (~best_pulls(game, choose, EPISODES, SEED)).cumsum(axis=1).mean(axis=0)
        axes.plot(pulls, regret, color=colour, label=name, linewidth=2)
    for name in LINES:
        missed = game.length - published().score(name, "Bandits")
        axes.axhline(missed, color="#b0b7be", linewidth=1, linestyle=":", zorder=0)
        above = name != "GPT-4-0613"  # it lies on the humans' line
        axes.annotate(
            name,
            (1, missed),
            xycoords=("axes fraction", "data"),
            xytext=(4, 5 if above else -6),
            textcoords="offset points",
            fontsize=8,
            color="#6a737d",
            va="center",
            annotation_clip=False,
        )
    axes.set_yscale("log")
    axes.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axes.set_yticks([], minor=True)
    axes.set(xlim=(1, game.length), ylim=(0.4, 35))
    axes.set(xlabel="pulls", ylabel="pulls of the worse machine so far (mean)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right", ncols=2)
    figure.savefig(Path(__file__).with_name("regret.png"), dpi=110)


if __name__ == "__main__":
    main()
