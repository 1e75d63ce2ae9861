"""Rock, paper, scissors against an opponent that draws its moves with hidden probabilities."""
