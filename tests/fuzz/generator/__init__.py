"""The parts of generate_kernels.py: expressions, indices, statements, patterns, whole kernels."""
