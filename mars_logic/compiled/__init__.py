"""Compiled code: the decorator with all its options, its cache, and calls between kernels."""
