"""Conan: what an agent did, inferred from the traces that it left (Xu et al., NeurIPS 2023)."""
