"""New puzzles, each with a proof that it is well posed."""

from mars_logic.domains.rulearn.sampling.request import RULES, PuzzleRequest
from mars_logic.domains.rulearn.sampling.sampler import PuzzleFolder, PuzzleSample, draw_puzzle

__all__ = ["RULES", "PuzzleFolder", "PuzzleRequest", "PuzzleSample", "draw_puzzle"]
