#!/usr/bin/env python3
"""The accuracy tables of the documentation, from validate/recorded/accuracy.json (which a test compares with a fresh comparison).

    docs/tools/accuracy.py summary    one row for each family of kernels
    docs/tools/accuracy.py full       one row for each program
    docs/tools/accuracy.py claims     what was claimed of our own kernels and what came of it, a row for each set
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIELDS = ("rows", "exact_right", "exact_wrong", "assumed_right", "assumed_wrong", "unknown", "missing")
HEADINGS = ("rows", "claimed exact: right", "wrong", "assumed: right", "wrong", "unknown", "missing")
FAMILIES = (
    ("matrix products (`gemm_*`, `matvec`)", ("gemm_", "matvec")),
    ("transposes (`transpose_*`)", ("transpose_",)),
    ("stride and broadcast tables (`stride_*`, `broadcast`)", ("stride_", "broadcast")),
    ("reductions, scans, sort, FFT", ("reduction_", "scan_", "bitonic_", "fft_")),
    ("stencils, row-wise kernels, copies", ("stencil_", "softmax_", "layernorm_", "copy_", "grid_stride", "misaligned", "half_warp")),
    ("atomics and histogram", ("atomics_", "histogram")),
    ("asynchronous copies, ldmatrix, inline PTX", ("async_", "warp_tile_", "swizzle_half8", "inline_ptx")),
    ("layout, indices in memory, common mistakes", ("dynamic_pool", "struct_access", "local_array_index", "mistake_")),
)


def table(heading, rows):
    print(f"| {heading} | {' | '.join(HEADINGS)} |\n|---|" + "---:|" * len(HEADINGS))
    for name, row in rows:
        print(f"| {name} | " + " | ".join(f"{row[field]:,}" for field in FIELDS) + " |")


def total(rows):
    rows = list(rows)
    return {field: sum(row[field] for row in rows) for field in FIELDS}


def share(rows, *fields):
    return f"{100 * sum(rows[field] for field in fields) / rows['rows']:.1f}%"


def main():
    recorded = json.loads((ROOT / "validate/recorded/accuracy.json").read_text(encoding="utf-8"))
    everything = total(recorded.values())
    if sys.argv[1:] == ["full"]:
        table("program", [(f"[{name}](../kernels/{name}.cu)", row) for name, row in recorded.items()] + [("**all**", everything)])
    elif sys.argv[1:] == ["summary"]:
        taken, rows = set(), []
        for family, prefixes in FAMILIES:
            names = {name for name in recorded if name.startswith(prefixes)}
            taken |= names
            rows.append((family, total(recorded[name] for name in names)))
        rest = set(recorded) - taken
        if rest:
            rows.append(("others", total(recorded[name] for name in rest)))
        table(f"{len(recorded)} programs", rows + [("**all**", everything)])
        print(f"\n{share(everything, 'exact_right', 'assumed_right')} of the rows match; {share(everything, 'exact_right', 'assumed_right', 'unknown')} match or are declared unknown.")
    elif sys.argv[1:] == ["claims"]:
        everyday = total(json.loads((ROOT / "validate/recorded/everyday-accuracy.json").read_text(encoding="utf-8")).values())
        kernels = sum(path.read_text(encoding="utf-8").count("__global__") for path in (ROOT / "validate/everyday").glob("*.cu"))
        table("our own kernels", [(f"[catalogue](docs/accuracy.md), {len(recorded)} programs", everything),
                                  (f"[everyday](validate/everyday), {kernels} kernels written to find mistakes", everyday)])
        right, wrong = (everything[f"exact_{end}"] + everyday[f"exact_{end}"] for end in ("right", "wrong"))
        print(f"\nPrecision of claims: {right:,} of {right + wrong:,} rows that were claimed to be exact are.")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
