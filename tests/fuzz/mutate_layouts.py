#!/usr/bin/env python3
"""Whether the gate tells worse from better: kernels of the catalogue whose shared-memory layout or indices were changed.

    mutate_layouts.py --tool smem-lint --count 100

Each mutant is gated twice: against a baseline of the original, and the original against a baseline of the mutant. What must come out
is computed here from the integers of the JSON reports, access by access, without the tool's findings: a regression has to end with exit code 1,
anything else with 0, and an improvement has to be reported as one. The same seed makes the same mutants.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "catalogue"))
import smem_lint  # noqa: E402

KERNELS = smem_lint.ROOT / "kernels"
SHARED = re.compile(r"__shared__[^;=()]*\[[^;]*;")
UNCOALESCED_FROM = 2  # sectors / ideal sectors from which a request counts as uncoalesced


def spans(text, pattern):
    return [match.span() for match in re.finditer(pattern, text)]


def remove_padding(text, rng):
    """`[kTile + 1]` -> `[kTile]` in a declaration of shared memory, or a constant for the padding that becomes 0."""
    found = [(start + at[0], start + at[1]) for start, end in spans(text, SHARED) for at in spans(text[start:end], r"\s*\+\s*(?:\w+)(?=\])")]
    found += spans(text, r"(?<=constexpr int PAD = )[1-9]\d*")
    if not found:
        return None
    start, end = rng.choice(found)
    return text[:start] + ("0" if text[start].isdigit() else "") + text[end:]


def add_padding(text, rng):
    """`[kTile]` -> `[kTile + 1]` in the last extent of a declaration."""
    found = [start + at[1] for start, end in spans(text, SHARED) for at in spans(text[start:end], r"\]\s*\[[^\]]+(?=\](?!\s*\[))")]
    if not found:
        return None
    at = rng.choice(found)
    return text[:at] + f" + {rng.choice((1, 2, 4, 8, 16))}" + text[at:]


def swap_indices(text, rng):
    """`tile[y][x]` -> `tile[x][y]` at one access."""
    names = {match[1] for match in re.finditer(r"__shared__\s+(?:\w+\s+)*(\w+)\s*\[", text)}
    index = r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]"
    found = [match for match in re.finditer(r"(?<!float )(?<!int )\b(\w+)" + index + index, text)
             if match[1] in names and match[2] != match[3] and not SHARED.search(text[text.rfind("\n", 0, match.start()) + 1:match.end() + 40])]
    if not found:
        return None
    match = rng.choice(found)
    return text[:match.start()] + f"{match[1]}[{match[3]}][{match[2]}]" + text[match.end():]


def change_tile(text, rng):
    """Another value of a constant that names an extent."""
    found = spans(text, r"\b(?:TILE|TILE_DIM|BM|BN|BK|TM|TN|FRAGMENT|kTile\w*|kRows|kColumns|kPitch|kWidth|kStride|kHead) = \d+(?=[;,])")
    if not found:
        return None
    start, end = rng.choice(found)
    name, value = text[start:end].split(" = ")
    return text[:start] + f"{name} = {int(value) * 2 if rng.random() < 0.4 else max(1, int(value) // 2)}" + text[end:]


def drop_swizzle(text, rng):
    """`x ^ y` -> `x`."""
    found = spans(text, r"\s*\^\s*(?:\([^()]*\)|\w+(?:\.\w+)?)")
    if not found:
        return None
    start, end = rng.choice(found)
    return text[:start] + text[end:]


def change_type(text, rng):
    """Another element type of a declaration of shared memory."""
    found = [(start + at[0], start + at[1]) for start, end in spans(text, SHARED) for at in spans(text[start:end], r"\b(?:float|int|unsigned|double)\b(?!\d)")]
    if not found:
        return None
    start, end = rng.choice(found)
    return text[:start] + rng.choice([name for name in ("double", "float", "short", "char") if name != text[start:end]]) + text[end:]


def change_stride(text, rng):
    """Another multiple of threadIdx in an index."""
    found = spans(text, r"\bthreadIdx\.[xy](?=[\]\s])")
    if not found:
        return None
    start, end = rng.choice(found)
    return text[:start] + f"({text[start:end]} * {rng.choice((2, 3, 4, 8))} % 32)" + text[end:]


MUTATIONS = (remove_padding, add_padding, swap_indices, change_tile, drop_swizzle, change_type, change_stride)


def costs(report):
    """Accesses with more than the ideal, by (rule, kernel, expression, number of its place): the worst quotient; and those that are unknown."""
    excess, unknown = {}, set()
    for launch in report["launches"]:
        kernel = re.sub(r"\s+", "", launch["kernel"])
        places = collections.defaultdict(list)
        for site in launch["sites"]:
            expression = re.sub(r"\s+", "", site["expression"] or "")
            place = (site["file"], site["line"], site["column"], json.dumps([[f["function"], f["file"], f["line"], f["column"]] for f in site["inlined_at"]]))
            if place not in places[expression]:
                places[expression].append(place)
        for expression in places:
            places[expression].sort()
        sums = collections.defaultdict(lambda: [0, 0, 0])
        for site in launch["sites"]:
            expression = re.sub(r"\s+", "", site["expression"] or "")
            place = (site["file"], site["line"], site["column"], json.dumps([[f["function"], f["file"], f["line"], f["column"]] for f in site["inlined_at"]]))
            key = (kernel, expression, places[expression].index(place))
            if site["verdict"] == "unknown":
                unknown.add(key)
                # What a request costs may be known all the same, and is claimed then.
                claimed = {finding["rule"] for finding in report["findings"] if finding["severity"] != "note" and (finding["line"], finding["column"]) == (site["line"], site["column"])}
                cases = [case for case in site["pattern"]["cases"] if case["wavefronts"] and case["conflict_degree"]]
                if "smem-bank-conflict" in claimed and cases:
                    excess[("smem", *key)] = max((Fraction(case["wavefronts"], case["ideal_wavefronts"]), case["conflict_degree"]) for case in cases)
                continue
            for rule, actual, ideal, least in (("smem", "wavefronts", "ideal_wavefronts", 1), ("gmem", "sectors", "ideal_sectors", UNCOALESCED_FROM)):
                if site[actual] > site[ideal] and (least == 1 or site[actual] >= least * site[ideal]):
                    quotient = Fraction(site[actual], site[ideal]) if site[ideal] else Fraction(10 ** 9)
                    old = excess.get((rule, *key), (Fraction(0), 0))
                    excess[(rule, *key)] = max(old, (quotient, site["conflict_degree"] if rule == "smem" else 0))
    defects = {(finding["rule"], re.sub(r"\s+", "", finding["kernel"])) for finding in report["findings"]
               if finding["rule"] not in ("smem-bank-conflict", "gmem-uncoalesced", "launch-unknown") and finding["severity"] != "note"}
    return excess, unknown, defects


def expected(before, after):
    """`worse`, `better` or `same`."""
    old, _, old_defects = before
    new, unknown, new_defects = after
    if any(key not in old or cost > old[key] for key, cost in new.items()) or new_defects - old_defects:
        return "worse"
    gone = any(key not in new and key[1:] not in unknown for key in old)
    less = any(key in old and cost < old[key] for key, cost in new.items())
    return "better" if gone or less else "same"


class Bench:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, pathlib.Path(folder)

    def lint(self, place, *options):
        return smem_lint.run(self.tool, "--cuda-path=none", "--checks=-smem-race,-smem-uninitialized", "--max-steps=2000000", f"--cache-dir={self.folder}/cache", *options, "kernel.cu", cwd=place)

    def prepare(self, name, text):
        """A folder with a kernel, its report and its baseline; nothing if it does not compile."""
        place = self.folder / name
        place.mkdir()
        shutil.copy(KERNELS / "catalogue.h", place)
        (place / "kernel.cu").write_text(text, encoding="utf-8")
        (place / ".git").mkdir()  # paths are relative to here
        done = self.lint(place, "--format=json", "-o", "report.json", "--baseline=baseline.json", "--update-baseline")
        if done.returncode != 0:
            return None
        with open(place / "report.json", encoding="utf-8") as file:
            return place, costs(json.load(file))

    def gate(self, what, before, after):
        """What is wrong with the gate's answer for `after` against the baseline of `before`, or None."""
        (old, old_costs), (new, new_costs) = before, after
        verdict = expected(old_costs, new_costs)
        done = self.lint(new, f"--baseline={old}/baseline.json", "--fail-on=regression",
                         "--checks=-floor-raised")  # what is expected is of sites: a padding has its price in blocks per SM
        output = done.stdout.decode("utf-8", "replace")
        summary = re.search(r"baseline: (\d+) new, (\d+) worse, (\d+) better, (\d+) gone", output)
        if done.returncode != (1 if verdict == "worse" else 0):
            return verdict, f"{what}: expected {verdict}, exit code {done.returncode}: {summary and summary[0]}"
        if verdict == "better" and not (summary and (int(summary[3]) or int(summary[4]))):
            return verdict, f"{what}: the improvement is not reported: {summary and summary[0]}"
        return verdict, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, help="smem-lint")
    parser.add_argument("--count", type=int, default=100, help="mutants that cost more or less than their original (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)

    rng = random.Random(options.seed)
    sources = {kernel.stem: kernel.read_text(encoding="utf-8") for kernel in sorted(KERNELS.glob("*.cu"))}
    # Tables of strides have more launches than all others together.
    names = [name for name in sources if not name.startswith("stride_table")]
    candidates, seen = [], set()
    applicable = {mutation: [name for name in names if mutation(sources[name], rng)] for mutation in MUTATIONS}
    for _ in range(50 * options.count):
        mutation = rng.choice(MUTATIONS)
        name = rng.choice(applicable[mutation])
        mutant = mutation(sources[name], rng)
        if mutant and mutant != sources[name] and mutant not in seen:
            seen.add(mutant)
            candidates.append((name, mutation.__name__, mutant))

    tally, complaints, kinds = collections.Counter(), [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        bench = Bench(options.tool, folder)
        originals = {}

        def one(job):
            number, (name, mutation, text) = job
            mutant = bench.prepare(f"mutant{number}", text)
            if not mutant:
                return None
            what = f"{mutation} of {name}, mutant {number} of seed {options.seed}"
            return mutation, [bench.gate(what, originals[name], mutant), bench.gate(what + ", backwards", mutant, originals[name])]

        jobs = iter(enumerate(candidates))
        wanted, gated = options.count, 0
        while wanted > 0 and (batch := [job for _, job in zip(range(wanted), jobs)]):
            missing = sorted({job[1][0] for job in batch} - set(originals))
            originals.update(zip(missing, pool.map(lambda name: bench.prepare(name, sources[name]), missing)))
            for result in pool.map(one, batch):
                if result is None:
                    continue
                gated += 1
                wanted -= result[1][0][0] != "same"
                kinds[result[0]] += 1
                for verdict, wrong in result[1]:
                    tally[verdict] += 1
                    if wrong:
                        complaints.append(wrong)
    print(f"{gated} mutants of seed {options.seed}, {options.count - wanted} of them with other costs ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}), gated in both directions: "
          f"{tally['worse']} worse, {tally['better']} better, {tally['same']} the same; {len(complaints)} wrong")
    if options.count >= 12 and (never := [mutation.__name__ for mutation in MUTATIONS if not kinds[mutation.__name__]]):
        complaints.append(f"no mutant of {', '.join(never)} was gated")
    if wanted > 0:
        complaints.append(f"only {options.count - wanted} mutants compile and cost more or less")
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
