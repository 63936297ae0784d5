#!/usr/bin/env python3
"""How long a diagnostic takes after the last key: figures for a person to read, not a test.

    tests/lsp/latency.py SMEM-LINT [--lines 300 --lines 2000 | FILE...] [--times N] [--delay MS] [-- FLAGS]

Without files, one of so many lines is put together from kernels/, each program in a namespace of its own. A character is typed into a comment within a kernel, and the
time until the diagnostics of that text are there is measured, the delay of the server included. Before, the file is analysed twice, so that headers are precompiled.
"""
import argparse
import pathlib
import re
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from client import Client  # noqa: E402

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
PARTS = ["gemm_tiled_conflict", "reduction_interleaved", "transpose_tiled", "transpose_padded", "stencil_1d", "matvec", "histogram", "gemm_padded", "scan_hillis_steele", "layernorm_row",
         "softmax_row", "stencil_2d_halo", "gemm_naive", "scan_blelloch", "copy_coalesced", "reduction_shuffle", "gemm_vectorized", "broadcast", "half_warp", "grid_stride", "fft_exchange",
         "gemm_double_buffered", "bitonic_sort", "gemm_transposed_store", "local_array_index", "struct_access", "transpose_swizzled", "scan_conflict_free", "misaligned", "gemm_tiled",
         "reduction_sequential", "gemm_block_tiled_1d", "gemm_block_tiled_2d"]


def composed(lines):
    includes, bodies, calls, count = [], [], [], 0
    for number, part in enumerate(PARTS):
        if count >= lines:
            break
        body = []
        for line in (KERNELS / f"{part}.cu").read_text(encoding="utf-8").splitlines():
            (includes if line.startswith("#include") else body).append(line)
        text = re.sub(r"\bint main\(\)", f"int main_{number}()", "\n".join(body))
        bodies.append(f"namespace part_{number} {{\n{text}\n}}")
        calls.append(f"  part_{number}::main_{number}();")
        count = sum(one.count("\n") + 1 for one in bodies) + len(includes) + len(calls) + 2
    return "\n".join([*dict.fromkeys(includes), *bodies, "int main() {", *calls, "}"]) + "\n"


def measure(tool, path, text, arguments):
    client = Client(tool, *arguments.flags, cwd=path.parent)
    client.initialize({"delay": arguments.delay, "fixes": False})
    uri = client.open(path, text)
    found = client.diagnostics(uri, 1)
    line = text[:re.search(r"__global__[^;]*?\{", text).end()].count("\n")
    end = {"line": line, "character": len(text.splitlines()[line])}
    seconds = []
    for version in range(2, arguments.times + 4):
        begin = time.monotonic()
        client.change(uri, version, ({"start": end, "end": end}, " // " if version == 2 else "x"))
        client.diagnostics(uri, version)
        if version > 3:
            seconds.append(time.monotonic() - begin)
        end = {**end, "character": end["character"] + (4 if version == 2 else 1)}
    client.close()
    seconds.sort()
    print(f"{path.name}: {text.count(chr(10))} lines, {len(found)} diagnostics; {arguments.times} keys: median {statistics.median(seconds):.2f} s, "
          f"fastest {seconds[0]:.2f} s, slowest {seconds[-1]:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--lines", type=int, action="append")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--delay", type=int, default=100)
    own, _, flags = " ".join(sys.argv[1:]).partition(" -- ")
    arguments = parser.parse_args(own.split())
    arguments.flags = ["--", *flags.split()] if flags else []
    for file in arguments.files:
        measure(arguments.tool, file.resolve(), file.read_text(encoding="utf-8"), arguments)
    if arguments.files:
        return
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "catalogue.h").write_bytes((KERNELS / "catalogue.h").read_bytes())
        for lines in arguments.lines or [300, 2000]:
            path = pathlib.Path(folder, f"composed_{lines}.cu")
            text = composed(lines)
            path.write_text(text, encoding="utf-8")
            measure(arguments.tool, path, text, arguments)


if __name__ == "__main__":
    main()
