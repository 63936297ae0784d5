"""Kernels as people write them, with sizes, types, guards and pragmas chosen at random: a family for each idiom."""
