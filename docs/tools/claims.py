#!/usr/bin/env python3
"""Claims found in articles about shared memory, against the prediction and the recorded measurement.

    docs/tools/claims.py table      how many are confirmed and refuted, one row for each claim
    docs/tools/claims.py strides    degrees of strided loads, strides 1 to 33

A claim names the accesses of the catalogue that decide it and a condition on their predicted figures. `confirmed` or `refuted`
is what the condition yields; a claim whose reason was written for the other answer is an error. Needs smem-lint and
smem-validate on the path.
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Callable, Sequence

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class At:
    """The accesses of a catalogue kernel with one source text, or to the array of that name."""
    program: str
    expression: str
    operation: str = "load"
    space: str = "shared"
    kernel: str = ""       # default: the program's name


@dataclass(frozen=True)
class Bytes:
    """Shared memory of a block."""
    program: str
    kernel: str = ""


@dataclass(frozen=True)
class Limits:
    """Shared memory that an SM and a block can have, in KB."""
    arch: str


@dataclass(frozen=True)
class Claim:
    text: str
    places: Sequence
    holds: Callable        # of the predicted figures, one for each place
    expected: bool
    why: str


def ideal(figure):
    return figure.actual == figure.ideal


GLOBAL = {"space": "global"}
CONFLICT, ROLLED = "gemm_tiled_conflict", "gemm_tiled_conflict_rolled"

CLAIMS = [
    # --- Matrix product, B stored (N,K): naive, tiled, transposed, padded, swizzled
    Claim("Naive, B stored (N,K): a warp's load of `B[col*K + k]` breaks into 32 separate pieces",
          [At("gemm_naive_nk", "B[col * k + i]", **GLOBAL)], lambda b: b.actual == 32 * b.requests, True,
          "Lanes are K words apart: 32 sectors a request where 4 hold as much data."),
    Claim("Loading a tile with `threadIdx.x` along the rows is perfectly coalesced",
          [At(CONFLICT, "A[row * k + at]", **GLOBAL, kernel=CONFLICT), At(CONFLICT, "B[b_row * k + at]", **GLOBAL, kernel=CONFLICT)],
          lambda a, b: ideal(a) and ideal(b), True, "32 consecutive floats: 4 sectors of one line."),
    Claim("Reading `Tile_B[tx][k]` of a 32 × 32 float tile is a 32-way conflict (the loop as written)",
          [At(CONFLICT, "Bs[tx][i]", kernel=ROLLED)], lambda b: b.degree == 32, True,
          "Word 32·tx + k lies in bank k for every lane."),
    Claim("… and therefore costs 32 wavefronts for every k (the loop as compiled)",
          [At(CONFLICT, "Bs[tx][i]", kernel=CONFLICT), At(CONFLICT, "Bs[tx][i]", kernel=ROLLED)],
          lambda compiled, written: compiled.actual == written.actual, False,
          "The compiler unrolls the loop and merges four neighbouring k into one 128-bit load: 8-way in each of 4 phases, a quarter of the "
          "wavefronts. The conflict is real, 8 times the ideal; its size is not what the source suggests."),
    Claim("`Tile_A[ty][k]` is read by all lanes at one address: a broadcast, no conflict",
          [At(CONFLICT, "As[ty][i]", kernel=ROLLED)], lambda a: a.degree == 1 and ideal(a), True, "One word for the whole warp."),
    Claim("`As[ty][k]` is a row access at stride 1",
          [At("gemm_tiled", "As[ty][i]")], lambda a: "threadIdx.x" in a.address, False,
          "k is the same in all lanes and ty is uniform in a warp: the address does not depend on `threadIdx.x`. It is a broadcast."),
    Claim("Storing the tile transposed, `Tile_B[tx][ty]`, removes the read conflict",
          [At("gemm_transposed_store", "Bs[i][tx]")], lambda b: b.degree == 1, True, "32 consecutive words."),
    Claim("… and causes a 32-way write conflict",
          [At("gemm_transposed_store", "Bs[tx][ty]", "store")], lambda b: b.degree == 32, True,
          "Lanes are a row of 32 words apart. A 32-bit store has nothing to merge with here."),
    Claim("… which executes once where the conflicting read executed 32 times",
          [At(CONFLICT, "Bs[tx][i]", kernel=CONFLICT), At("gemm_transposed_store", "Bs[tx][ty]", "store")],
          lambda read, write: read.requests == 32 * write.requests, False,
          "As compiled the read is 8 requests a tile, not 32: what is traded is 256 wavefronts a tile for 32 and 32 free reads."),
    Claim("One column of padding makes the transposed store free of conflicts",
          [At("gemm_padded", "Bs[tx][ty]", "store", kernel="gemm_padded")], lambda b: b.degree == 1, True,
          "Pitch 33: lane tx writes bank (tx + ty) mod 32."),
    Claim("An XOR swizzle of the tile is free of conflicts for the store and the load",
          [At("gemm_swizzled", "Bs[swizzled(tx, ty)]", "store"), At("gemm_swizzled", "Bs[swizzled(i, tx)]")],
          lambda store, load: store.degree == 1 and load.degree == 1, True, "XOR with a constant permutes the 32 banks."),
    Claim("… without a wasted byte",
          [Bytes("gemm_swizzled"), Bytes("gemm_tiled")], lambda swizzled, plain: swizzled.bytes == plain.bytes, True,
          "The tile keeps its 32 × 32 words."),
    Claim("With FP16 and 32 columns the column read is a 16-way conflict",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<unsigned short, 32>")], lambda b: b.degree == 16, True,
          "A row has 64 bytes: every second lane starts in the same bank. The code printed beside the claim is FP32, where it is not."),
    Claim("Reading neighbouring FP16 elements has an inherent 2-way conflict",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<unsigned short, 1>")], lambda b: b.degree == 2, False,
          "Two halves of one word are one word; lanes that want the same word share it."),
    # --- Matrix product, B stored (K,N)
    Claim("Naive, B stored (K,N): the reads of B are strided and therefore the inefficient ones",
          [At("gemm_naive", "B[i * n + col]", **GLOBAL, kernel="gemm_naive_col")], lambda b: not ideal(b), False,
          "True of one thread over time; a request is formed across lanes, where B is consecutive: 4 sectors of 4."),
    Claim("The wrong mapping of threads costs up to 4× the memory pieces",
          [At("gemm_naive", "C[row * n + col]", "store", **GLOBAL, kernel="gemm_naive_row"),
           At("gemm_naive", "A[row * k + i]", **GLOBAL, kernel="gemm_naive_row"), At("gemm_naive", "A[row * k + i]", **GLOBAL, kernel="gemm_naive_col")],
          lambda c, a, a_right: c.actual <= 4 * c.ideal and a.actual <= 4 * a_right.actual, False,
          "With full warps it is 8× for C and 32× for A. (The article draws warps of 4 threads.)"),
    Claim("Tiles of 32 × 32 cut the global traffic by 32× against the naive kernel",
          [At("gemm_naive", "A[row * k + i]", **GLOBAL, kernel="gemm_naive_col"), At("gemm_naive", "B[i * n + col]", **GLOBAL, kernel="gemm_naive_col"),
           At("gemm_tiled", "A[row * k + a_col]", **GLOBAL), At("gemm_tiled", "B[b_row * n + col]", **GLOBAL)],
          lambda a0, b0, a1, b1: a0.actual + b0.actual == 32 * (a1.actual + b1.actual), False,
          "Requests fall by 32×, sectors by 20×: the naive reads of A are broadcasts and already move only one sector each."),
    Claim("The tiles of a tiled product need one column of padding; it triples the speed",
          [At("gemm_tiled", "As[ty][i]"), At("gemm_tiled", "Bs[i][tx]"), At("gemm_padded", "As[ty][i]", kernel="gemm_padded_both")],
          lambda a, b, padded: not (ideal(a) and ideal(b)), False,
          "There is no conflict to remove: one read is a row, the other a broadcast. The odd pitch only stops the compiler from merging the "
          "broadcasts into 128-bit loads, so they take more wavefronts than before."),
    Claim("A 32-way conflict has 31 conflicts an access: 32 wavefronts where 1 would do",
          [At("transpose_tiled", "tile[threadIdx.x][threadIdx.y + j]")], lambda t: t.actual == 32 * t.requests and t.ideal == t.requests, True,
          "Of a 32-bit access. A 128-bit one has an ideal of 4."),
    Claim("A wavefront is a 32-byte piece",
          [At("gemm_tiled", "Bs[i][tx]")], lambda b: b.actual > b.requests, False,
          "A wavefront is one pass over the 32 banks: here it moves 128 bytes, a whole warp's request. Global memory has 32-byte pieces (sectors)."),
    # --- Register tiles, vectors
    Claim("Register-tiled 64 × 64: the tile of A is stored transposed for coalesced loads",
          [At("gemm_register_tiled", "A[(first_row + r) * k + k0 + i]", **GLOBAL)], ideal, False,
          "Transposing is what spoils the global load: consecutive lanes take consecutive rows, 32 sectors where 4 would do. It serves the reads "
          "from shared memory."),
    Claim("Unpadded, four neighbouring floats a thread are read with a 2-way conflict",
          [At("gemm_register_tiled", "As[i][ty * TM + r]"), At("gemm_register_tiled", "Bs[i][tx * TN + c]")],
          lambda a, b: max(a.degree, b.degree) == 2, False,
          "32-bit loads four words apart would be 2-way, but none is left: the four floats are one aligned 128-bit load, 1-way."),
    Claim("One column of padding removes the conflicts of the 64 × 64 tiles",
          [At("gemm_register_tiled", "Bs[i][tx * TN + c]"),
           At("gemm_register_tiled_padded", "Bs[i][tx * TN + c]", kernel="gemm_register_tiled_padded"),
           At("gemm_register_tiled_padded", "Bs[i][tx * TN + c]", kernel="gemm_register_tiled_padded_rolled")],
          lambda plain, padded, rolled: padded.degree < plain.degree and padded.actual < plain.actual, False,
          "It brings them in: with pitch 65 the runs of four lose their alignment and are read in 32- and 64-bit pieces, which are 2-way."),
    Claim("General rule: pad when the width of the tile is even",
          [At("gemm_tiled", "Bs[i][tx]"), At("gemm_register_tiled", "As[i][ty * TM + r]")],
          lambda a, b: a.degree > 1 or b.degree > 1, False, "Widths 32 and 64, no conflict. Whether to pad follows from the access, not from the width."),
    Claim("`tile[T][T + 1]` is conflict-free for every tile size T",
          [At("transpose_templated", "tile[threadIdx.x][threadIdx.y + j]", kernel="transpose_templated<32, 8>"),
           At("transpose_templated", "tile[threadIdx.x][threadIdx.y + j]", kernel="transpose_templated<16, 16>")],
          lambda t32, t16: t32.degree == 1 and t16.degree == 1, False,
          "With 16 columns a warp spans two rows of the block, and these meet in a bank: 2-way at pitch 17."),
    Claim("`float4` loads move a quarter of the requests",
          [At("gemm_block_tiled_2d", "B[(k0 + i) * n + first_col + c]", **GLOBAL),
           At("gemm_vectorized", "*reinterpret_cast<const float4 *>(a_from)", **GLOBAL)],
          lambda scalar, vector: scalar.requests == 4 * vector.requests and scalar.actual == vector.actual, True,
          "For the same number of sectors: fewer instructions, no less traffic."),
    # --- Banks, strides, broadcast
    Claim("Stride 1 of 4-byte words: no conflict",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<float, 1>")], lambda s: s.degree == 1, True, "32 words, 32 banks."),
    Claim("Stride 2: 2-way, two passes",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<float, 2>")], lambda s: s.actual == 2 * s.requests, True, "Lanes 0 and 16 meet."),
    Claim("Stride 3: no conflict",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<float, 3>")], lambda s: s.degree == 1, True, "3 and 32 have no common factor."),
    Claim("Stride 16: 16-way",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<float, 16>")], lambda s: s.degree == 16, True, "gcd(16, 32) = 16."),
    Claim("Stride 32: 32-way",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<float, 32>")], lambda s: s.degree == 32, True, "All lanes in one bank."),
    Claim("Stride 33: no conflict",
          [At("stride_table", "line[lane * STRIDE]", kernel="strided_load<float, 33>")], lambda s: s.degree == 1, True, "Lane l lies in bank l."),
    Claim("All lanes read one word: a broadcast, no conflict",
          [At("broadcast", "tile[row * kRowElements + Pattern::at(lane)]", kernel="broadcast_read<one_word>")], lambda s: s.degree == 1 and ideal(s), True,
          "One word is one pass."),
    # --- Transposes
    Claim("Naive transpose: the reads are coalesced",
          [At("transpose_naive", "in[y * cols + x]", **GLOBAL, kernel="transpose_strided_store")], ideal, True, "32 consecutive floats."),
    Claim("… and the strided writes use only 1/N of the bandwidth",
          [At("transpose_naive", "out[x * rows + y]", "store", **GLOBAL, kernel="transpose_strided_store")], lambda o: o.actual > 8 * o.ideal, False,
          "Memory moves in 32-byte sectors: 32 sectors where 4 would do, 1/8, whatever N is."),
    Claim("A tile in shared memory makes both global sides coalesced",
          [At("transpose_tiled", "in[(y + j) * cols + x]", **GLOBAL), At("transpose_tiled", "out[(y + j) * rows + x]", "store", **GLOBAL)],
          lambda a, b: ideal(a) and ideal(b), True, "4 sectors a request on both sides."),
    Claim("Column access of `tile[32][32]` is a 32-way conflict",
          [At("transpose_tiled", "tile[threadIdx.x][threadIdx.y + j]")], lambda t: t.degree == 32, True,
          "Lanes 32 words apart; the four steps of a thread are 8 words apart, so nothing merges."),
    Claim("Column access of `tile[32][33]` has none",
          [At("transpose_padded", "tile[threadIdx.x][threadIdx.y + j]")], lambda t: t.degree == 1 and ideal(t), True, "Word (r, c) lies in bank (r + c) mod 32."),
    Claim("Padding costs 3.1% of the tile's memory",
          [Bytes("transpose_padded"), Bytes("transpose_tiled")], lambda padded, plain: 32 * padded.bytes == 33 * plain.bytes, True, "4,224 bytes for 4,096."),
    Claim("The XOR swizzle of the transpose is free of conflicts both ways",
          [At("transpose_swizzled", "tile[swizzle(r, lane)]", "store"), At("transpose_swizzled", "tile[swizzle(lane, r)]")],
          lambda store, load: store.degree == 1 and load.degree == 1, True, "The bank is column XOR row."),
    # --- Pipelines, capacity
    Claim("Double buffering with padded 32 × 33 tiles takes 16,896 bytes",
          [Bytes("gemm_double_buffered")], lambda b: b.bytes == 16896, True, "Two buffers of two tiles of 4,224 bytes."),
    Claim("`cp.async` changes how tiles are loaded, not how they are read",
          [At("gemm_cp_async", "As[ty][i]"), At("gemm_tiled", "As[ty][i]"), At("gemm_cp_async", "Bs[i][tx]"), At("gemm_tiled", "Bs[i][tx]")],
          lambda a0, a1, b0, b1: a0.actual == a1.actual and b0.actual == b1.actual, True, "The same figures; what changes is latency and registers."),
    Claim("Padding can push a tile that fits over the limit",
          [Bytes("mistake_capacity", "row_sums_static"), Bytes("mistake_capacity", "row_sums_padded")],
          lambda plain, padded: plain.bytes <= 48 * 1024 < padded.bytes, True, "96 rows of 129 floats exceed the 48 KB of a static array."),
    Claim("… and a swizzle then removes the conflict inside the limit",
          [At("mistake_capacity", "tile[threadIdx.x][k]", kernel="row_sums_static"),
           At("mistake_capacity", "tile[threadIdx.x][k ^ (threadIdx.x & 31)]", kernel="row_sums_swizzled")],
          lambda plain, swizzled: plain.degree == 32 and swizzled.degree == 1, True, "The same 49,152 bytes, 32-way before and 1-way after."),
] + [
    Claim(f"Compute capability {cc}: {sm} KB of shared memory an SM, {block} KB a block", [Limits(arch)],
          lambda limits, sm=sm, block=block: limits.kilobytes == (sm, block), True, "CUDA C++ Programming Guide; not a counter.")
    for cc, arch, sm, block in (("7.0", "sm_70", 96, 96), ("7.5", "sm_75", 64, 64), ("8.0", "sm_80", 164, 163), ("8.9", "sm_89", 100, 99), ("9.0", "sm_90", 228, 227))
]


def output(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


class Program:
    """Prediction and comparison of one file of the catalogue."""
    def __init__(self, name):
        self.name = name
        with tempfile.NamedTemporaryFile("w+", suffix=".json") as predicted:
            predicted.write(output("smem-lint", "--arch=sm_90", "--quiet", "--format=json", "--fail-on=never", f"kernels/{name}.cu"))
            predicted.flush()
            predicted.seek(0)
            self.launches = json.load(predicted)["launches"]
            self.recorded = ROOT / "validate/recorded/catalogue" / f"{name}.jsonl"
            self.compared, self.bytes = [], {}
            if self.recorded.exists():
                self.compared = json.loads(output("smem-validate", "compare", predicted.name, str(self.recorded), "--format=json", "--quiet"))["launches"]
                for line in self.recorded.read_text(encoding="utf-8").splitlines():
                    launch = json.loads(line)
                    if launch["kind"] == "launch":
                        self.bytes[launch["kernel"]] = launch["shared_static"] + launch["shared_dynamic"]

    def launch(self, kernel):
        found = [launch for launch in self.launches if launch["kernel"] == (kernel or self.name)]
        if not found:
            sys.exit(f"kernels/{self.name}.cu: no kernel {kernel or self.name}; there are {sorted({launch['kernel'] for launch in self.launches})}")
        return found[0]


class Figure:
    """What is predicted and measured of one access."""
    def __init__(self, program, at):
        launch = program.launch(at.kernel)
        sites = [s for s in launch["sites"] if at.expression in (s["expression"], s["array"]) and (s["space"], s["operation"]) == (at.space, at.operation)]
        if not sites:
            sys.exit(f"kernels/{program.name}.cu: {launch['kernel']}: no {at.space} {at.operation} of {at.expression}")
        if any(s["verdict"] == "unknown" for s in sites):
            sys.exit(f"kernels/{program.name}.cu: {at.expression} is unknown")
        self.degree = max(s["conflict_degree"] for s in sites)
        self.requests = sum(s["requests"] for s in sites)
        self.keys = ("wavefronts", "ideal_wavefronts") if at.space == "shared" else ("sectors", "ideal_sectors")
        self.actual, self.ideal = (sum(s[key] for s in sites) for key in self.keys)
        self.address = sites[0]["address"]
        lines, widths = sorted({s["line"] for s in sites}), {s["width_bits"] for s in sites}
        self.place = f"[{program.name}.cu:{lines[0]}](../kernels/{program.name}.cu#L{lines[0]})"
        if at.kernel and at.kernel != program.name:
            self.place += f" `{at.kernel}`"
        unit = f"{self.degree}-way, " if at.space == "shared" else ""
        name = "wavefronts" if at.space == "shared" else "sectors"
        self.predicted = f"{unit}{self.actual:,} {name} (ideal {self.ideal:,})"
        # A row of the comparison is a line; its instructions tell accesses of different width apart.
        others = {s["width_bits"] for s in launch["sites"] if s["line"] in lines and (s["space"], s["operation"]) == (at.space, at.operation) and s not in sites}
        rows = [row for compared in program.compared if compared["mangled"] == launch["mangled"] for row in compared["rows"]
                if row["line"] in lines and (row["space"], row["operation"]) == (at.space, at.operation)]
        parts = [i["measured"] for row in rows for i in row["instructions"] if i["width_bits"] in widths]
        self.measured = "not recorded"
        if parts and not others & widths:
            actual, best = (sum(part[key] for part in parts) for key in self.keys)
            self.measured = f"{actual:,} (ideal {best:,})"
        elif rows:
            self.measured = "line: " + " / ".join(f"{sum(row['measured'][key] for row in rows):,}" for key in self.keys)


class Size:
    def __init__(self, program, wanted):
        launch = program.launch(wanted.kernel)
        self.bytes = launch["shared_bytes"]
        self.place = f"[{program.name}.cu:{launch['line']}](../kernels/{program.name}.cu#L{launch['line']})"
        self.predicted = f"{self.bytes:,} bytes"
        measured = program.bytes.get(launch["mangled"])
        self.measured = "not recorded" if measured is None else f"{measured:,} bytes"


class Capacity:
    def __init__(self, doctor, wanted):
        match = re.search(rf"^\s*{wanted.arch}\s+(\d+) KB\s+(\d+) KB", doctor, re.MULTILINE)
        if not match:
            sys.exit(f"smem-lint --doctor does not list {wanted.arch}")
        self.kilobytes = (int(match[1]), int(match[2]))
        self.place, self.measured = "`smem-lint --doctor`", "—"
        self.predicted = f"{self.kilobytes[0]} KB, {self.kilobytes[1]} KB"


def evaluated():
    names = sorted({place.program for claim in CLAIMS for place in claim.places if not isinstance(place, Limits)})
    with ThreadPoolExecutor() as pool:
        programs = dict(zip(names, pool.map(Program, names)))
    doctor = output("smem-lint", "--doctor")
    for number, claim in enumerate(CLAIMS, 1):
        figures = [Figure(programs[p.program], p) if isinstance(p, At) else Size(programs[p.program], p) if isinstance(p, Bytes) else Capacity(doctor, p)
                   for p in claim.places]
        holds = bool(claim.holds(*figures))
        if holds != claim.expected:
            sys.exit(f"claim {number} ({claim.text}): the figures say {'confirmed' if holds else 'refuted'}, its reason the opposite: "
                     + "; ".join(figure.predicted for figure in figures))
        yield number, claim, figures, holds


def table():
    rows = list(evaluated())
    confirmed = sum(holds for *_, holds in rows)
    print(f"**{len(rows)} claims: {confirmed} confirmed, {len(rows) - confirmed} refuted.**\n")
    print("| # | claim | shown by | predicted | measured (H200) | verdict | reason |\n|--:|---|---|---|---|---|---|")
    for number, claim, figures, holds in rows:
        cells = ["<br>".join(getattr(figure, name) for figure in figures) for name in ("place", "predicted", "measured")]
        print(f"| {number} | {claim.text} | {' | '.join(cells)} | {'confirmed' if holds else '**refuted**'} | {claim.why} |")


ELEMENTS = (("unsigned char", "1 byte"), ("unsigned short", "2 bytes"), ("float", "4 bytes"), ("double", "8 bytes"), ("float4", "16 bytes"))


def strides():
    """Degree as predicted; wavefronts a request as measured. Every pair is compared."""
    program = Program("stride_table")
    print("| stride | gcd(stride, 32) | " + " | ".join(name for _, name in ELEMENTS) + " |\n|--:|--:|" + "--:|" * len(ELEMENTS))
    compared = equal = 0
    for stride in range(1, 34):
        cells = []
        for element, _ in ELEMENTS:
            figure = Figure(program, At("stride_table", "line", kernel=f"strided_load<{element}, {stride}>"))
            compared += figure.measured != "not recorded"
            equal += figure.measured == f"{figure.actual:,} (ideal {figure.ideal:,})"
            cells.append(f"{figure.degree}-way · {figure.actual // figure.requests}")
        print(f"| {stride} | {math.gcd(stride, 32)} | " + " | ".join(cells) + " |")
    print(f"\nWavefronts and ideal wavefronts equal the counters of the H200 in {equal} of {compared} recorded cells.")


if __name__ == "__main__":
    views = {"table": table, "strides": strides}
    if len(sys.argv) != 2 or sys.argv[1] not in views:
        sys.exit(__doc__)
    views[sys.argv[1]]()
