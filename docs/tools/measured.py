#!/usr/bin/env python3
"""Tables of times measured on a GPU, from the records in validate/recorded.

    docs/tools/measured.py gemm         the ladder of matrix products at 4096, beside an article's
    docs/tools/measured.py transpose    transposes as a share of copy bandwidth, beside an article's
    docs/tools/measured.py switches     one change at a time: padding, swizzle, double buffer, cp.async, Tensor Cores
    docs/tools/measured.py timings      every launch of the catalogue
    docs/tools/measured.py overhead     smem-validate measure beside Nsight Compute
    docs/tools/measured.py repeats      twenty measurements of the catalogue
    docs/tools/measured.py provenance   where, when and with what

`switches` needs smem-lint on the path.
"""
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "validate/recorded"


def load(name):
    return json.loads((RECORDED / f"{name}-h200.json").read_text(encoding="utf-8"))


class Run:
    """One run of `smem-validate catalogue`; launches by the kernel's name. Links are relative to the repository's root."""
    def __init__(self, name):
        self.record = load(name)
        bad = [p["name"] for p in self.record["programs"] if p["outcome"] != "measured"]
        if bad:
            sys.exit(f"{name}: not measured: {', '.join(bad)}")
        self.launches = {l["kernel"]: l for p in self.record["programs"] for l in p["launches"]}
        self.file = {l["kernel"]: p["name"] for p in self.record["programs"] for l in p["launches"]}

    def __getitem__(self, kernel):
        return self.launches[kernel]

    def link(self, kernel):
        return f"[`{kernel}`](../kernels/{self.file[kernel]}.cu)"


def table(titles, rows, left=1):
    """The first `left` columns are text, the others numbers."""
    print("| " + " | ".join(titles) + " |")
    print("|" + "|".join("---" if i < left else "---:" for i in range(len(titles))) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def times(ratio):
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.1f}×"


def milliseconds(launch):
    return f"{launch['median_ns'] / 1e6:,.2f}"


# Each article's own figures, for its own GPU. (kernel here, what the article calls it, its figure)
GEMM_NK = (("gemm_naive_nk", "naive", 1044.31), ("gemm_tiled_conflict", "shared, 32-way read conflict", 275.40),
           ("gemm_transposed_store", "transposed, 32-way write conflict", 122.77), ("gemm_swizzled", "swizzled", 99.31))  # ms, RTX 3060 Ti
GEMM_KN = (("gemm_naive_col", "naive", 310), ("gemm_padded_both", "tiled 32 × 32, padded", 2800),
           ("gemm_register_tiled_padded", "64 × 64, 4 × 4 a thread, padded", 6200), ("gemm_cp_async_multistage", "… and a `cp.async` pipeline", 7100))  # GFLOP/s, A100
TRANSPOSE = (("transpose_strided_store", "naive", 85), ("transpose_tiled", "tile in shared memory", 1125), ("transpose_padded", "padded", 1380),
             ("transpose_templated", "tuned", 1520))  # GB/s of 1600, A100
COPIES = ("copy_elements<float>", "copy_elements<double>", "copy_elements<float4>")

# What changes, without it, with it, the article's ratio and its GPU.
SWITCHES = (
    ("padding: a column for a transposed store (32-way before)", "gemm_transposed_store", "gemm_padded", ""),
    ("padding: a column for a transpose's tile (32-way before)", "transpose_tiled", "transpose_padded", "1.23× (A100)"),
    ("padding: tiles that have no conflict", "gemm_tiled", "gemm_padded_both", "3× (A100)"),
    ("padding: register tiles read in 128 bits", "gemm_register_tiled", "gemm_register_tiled_padded", ""),
    ("padding: 16-bit tiles for WMMA, pitch 32 to 40", "gemm_wmma<32>", "gemm_wmma<40>", ""),
    ("swizzle instead of padding, transpose", "transpose_padded", "transpose_swizzled", ""),
    ("swizzle instead of padding, product", "gemm_padded", "gemm_swizzled", ""),
    ("double buffer", "gemm_padded_both", "gemm_double_buffered", ""),
    ("`cp.async`, one stage", "gemm_tiled", "gemm_cp_async", ""),
    ("`cp.async`, three stages, 128 bits, against plain loads", "gemm_register_tiled", "gemm_cp_async_multistage", "1.15× (A100)"),
    ("Tensor Cores through WMMA, against FP32", "gemm_tiled", "gemm_wmma<40>", ""),
)


def gemm():
    run = Run("headline-4096")
    first = run["gemm_naive_nk"]["median_ns"]
    rows = []
    for kernel, name, article in GEMM_NK:
        launch = run[kernel]
        excess = launch["wavefronts"] / launch["ideal_wavefronts"] if launch["ideal_wavefronts"] else None
        rows.append([f"{name}: {run.link(kernel)}", milliseconds(launch), times(first / launch["median_ns"]), f"{excess:.2f}" if excess else "-",
                     f"{article:,.2f}", times(GEMM_NK[0][2] / article)])
    table(["B stored (N,K)", "H200, ms", "speed-up", "wavefronts / ideal", "RTX 3060 Ti, ms", "speed-up"], rows)
    print()
    first, rows = run["gemm_naive_col"]["median_ns"], []
    for kernel, name, article in GEMM_KN:
        launch = run[kernel]
        rows.append([f"{name}: {run.link(kernel)}", f"{launch['gflops']:,.0f}", times(first / launch["median_ns"]),
                     f"{launch['wavefronts'] / launch['ideal_wavefronts']:.2f}" if launch["ideal_wavefronts"] else "-", f"{article:,}", times(article / GEMM_KN[0][2])])
    table(["B stored (K,N)", "H200, GFLOP/s", "speed-up", "wavefronts / ideal", "A100, GFLOP/s", "speed-up"], rows)


def transpose():
    run, large = Run("headline-4096"), Run("headline-8192")

    def share(run, kernel):
        return 100 * run[kernel]["requested_gbs"] / max(run[copy]["requested_gbs"] for copy in COPIES)

    def tuned(kernel):
        """The fastest of a template's instances."""
        return min((k for k in run.launches if k.split("<")[0] == kernel), key=lambda k: run[k]["median_ns"])
    ladder = [(tuned(kernel), name, article) for kernel, name, article in TRANSPOSE]
    rows = [[f"{name}: {run.link(kernel)}", f"{run[kernel]['requested_gbs']:,.0f}", f"{share(run, kernel):.0f}%", f"{share(large, kernel):.0f}%",
             f"{article:,}", f"{100 * article / 1600:.0f}%"] for kernel, name, article in ladder]
    best = max(COPIES, key=lambda copy: run[copy]["requested_gbs"])
    rows.append([f"copy: {run.link(best)}", f"{run[best]['requested_gbs']:,.0f}", "100%", "100%", "1,600", "100%"])
    table(["4096 × 4096 floats", "H200, GB/s", "of copy", "of copy at 8192 × 8192", "A100, GB/s", "of copy"], rows)


def predicted_wavefronts(program, defines):
    """The sum over each launch that smem-lint predicts, by kernel; nothing where a site is unknown."""
    command = ["smem-lint", "--arch=sm_90", "--quiet", "--format=json", "--fail-on=never", f"kernels/{program}.cu", "--"]
    done = subprocess.run(command + [f"-D{name}={value}" for name, value in defines.items()], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    sums = {}
    for launch in json.loads(done.stdout)["launches"]:
        counts = [site["wavefronts"] for site in launch["sites"] if site["space"] == "shared"]
        sums[launch["kernel"]] = None if None in counts else sum(counts)
    return sums


def switches():
    run = Run("headline-4096")
    kernels = sorted({kernel for _, without, with_, _ in SWITCHES for kernel in (without, with_)})
    predicted = {}
    with ThreadPoolExecutor() as pool:
        for sums in pool.map(lambda program: predicted_wavefronts(program, run.record["defines"]), sorted({run.file[kernel] for kernel in kernels})):
            predicted.update(sums)
    rows = []
    for what, without, with_, article in SWITCHES:
        ratio = run[without]["median_ns"] / run[with_]["median_ns"]
        known = predicted[without] is not None and predicted[with_] is not None
        rows.append([what, f"{run.link(without)} → {run.link(with_)}", times(ratio), times(run[without]["wavefronts"] / run[with_]["wavefronts"]),
                     times(predicted[without] / predicted[with_]) if known else "?", article or "-"])
    table(["change", "from → to", "H200, time", "wavefronts counted", "predicted", "article, time"], rows, left=2)
    exact = sum(predicted[kernel] == run[kernel]["wavefronts"] for kernel in kernels)
    print(f"\nOf these {len(kernels)} kernels the predicted sum of wavefronts at this size equals the counter in {exact}.")


def rate(launch, key):
    return f"{launch[key]:,.0f}" if key in launch else "-"


def timings():
    rows = []
    for program in load("timings")["programs"]:
        launches = program["launches"]
        source = f"[{program['name']}](../kernels/{program['name']}.cu)"
        if len(launches) > 40:
            microseconds = [l["median_ns"] / 1e3 for l in launches]
            rows.append([source, f"{len(launches)} instances", f"{min(microseconds):.2f} to {max(microseconds):.2f}", "-", "-", "-"])
            continue
        for launch in launches:
            shape = " ".join("(" + ",".join(str(n) for n in launch[key]).removesuffix(",1").removesuffix(",1") + ")" for key in ("grid", "block"))
            rows.append([source, f"`{launch['kernel']}` {shape}", f"{launch['median_ns'] / 1e3:,.2f}", rate(launch, "requested_gbs"), rate(launch, "sector_gbs"),
                         rate(launch, "gflops")])
    table(["program", "launch", "µs", "GB/s requested", "GB/s sectors", "GFLOP/s"], rows, left=2)


def overhead():
    record = load("overhead")
    total, programs = record["total"], record["programs"]
    ratios = sorted(row["smem_validate"] / row["ncu"] for row in programs.values())
    print(f"{record['programs_run']} of {record['programs_given']} programs, one after the other, wall clock: alone {total['alone']:.1f} s, "
          f"`smem-validate measure` {total['smem_validate']:.1f} s, `ncu --section SourceCounters` {total['ncu']:.1f} s: "
          f"**{total['ncu'] / total['smem_validate']:.1f} times as long**. In the least favourable program smem-validate took {100 * ratios[-1]:.0f}% of ncu's time.")


def repeats():
    record = load("repeats")
    same = [p for p in record["programs"] if p["outcome"] == "measured"]
    count = {p["repeats"] for p in record["programs"]}
    print(f"{len(same)} of {len(record['programs'])} programs gave identical integers in all of {', '.join(map(str, sorted(count)))} measurements.")
    for program in record["programs"]:
        if program["outcome"] != "measured":
            places = "; ".join(f"`{place}`" for place in program.get("unstable", []))
            print(f"`{program['name']}` did not: {places or program['reason']}.")


def provenance():
    for name in ("headline-4096", "headline-8192", "timings", "repeats", "overhead"):
        record = load(name)
        print(f"- `validate/recorded/{name}-h200.json`: {record['gpu']}, driver {record['driver_version']}, CUDA {record['toolkit']}, {record['date'][:10]}: "
              f"`{record['command']}`")


COMMANDS = {f.__name__: f for f in (gemm, transpose, switches, timings, overhead, repeats, provenance)}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]]()
