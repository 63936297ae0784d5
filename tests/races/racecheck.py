#!/usr/bin/env python3
"""smem-lint's verdicts on races against compute-sanitizer's, on the catalogue and on mutants of it.

  racecheck.py mutants KERNELS OUT                 writes each program and its mutants to the folder OUT
  racecheck.py measure OUT RECORD.json [--jobs N]  compiles and runs those that are not recorded yet under racecheck and synccheck (needs a GPU and the toolkit)
  racecheck.py compare OUT RECORD.json --tool SMEM_LINT [--every N]
  racecheck.py check KERNELS RECORD.json --tool SMEM_LINT [--every N]    writes the mutants for itself

A mutant differs from its program in one place: a barrier or a wait is removed, moved before or after the neighbouring statement, made
conditional, or a thread's index into shared memory is another one. `measure` records for each kernel the hazards that racecheck reports, by
severity, and for each program whether synccheck complains; `compare` lists every kernel on which smem-lint and racecheck differ, and every
program on which it and synccheck do. Barriers for some threads of a warp or of a block (which may never end) are synccheck's alone."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

BARRIER = re.compile(r"^(\s*)(__syncthreads\(\)|__syncwarp\([^()]*\)|__pipeline_wait_prior\(\d+\)|asm volatile\(\"cp\.async\.wait[^;]*\));\s*(//.*)?$")
STATEMENT = re.compile(r"^\s+[^{}]*;\s*(//.*)?$")
SHARED_INDEX = re.compile(r"\b(smem|tile\w*|s|sa|sb|As|Bs|a_tile|b_tile|buffer|shared\w*|sh\w*)\[[^;=]*threadIdx\.x")


def device_part(lines):
    """Lines before main(): the kernels."""
    for number, line in enumerate(lines):
        if re.match(r"int main\(", line):
            return number
    return len(lines)


def mutants_of(text):
    """Yields name, text."""
    lines = text.split("\n")
    end = device_part(lines)
    for i in range(end):
        if BARRIER.match(lines[i]):
            indent, call = BARRIER.match(lines[i]).group(1, 2)
            yield f"{i + 1}_removed", lines[:i] + [indent + ";"] + lines[i + 1:]
            for name, step in (("earlier", -1), ("later", 1)):
                j = i + step
                if 0 <= j < end and STATEMENT.match(lines[j]) and not BARRIER.match(lines[j]):
                    moved = list(lines)
                    moved[i], moved[j] = moved[j], moved[i]
                    yield f"{i + 1}_{name}", moved
            if call.startswith("__syncthreads"):
                yield f"{i + 1}_of_warp", lines[:i] + [f"{indent}__syncwarp();"] + lines[i + 1:]
                yield f"{i + 1}_first_block", lines[:i] + [f"{indent}if (blockIdx.x == 0) __syncthreads();"] + lines[i + 1:]
                yield f"{i + 1}_some_lanes", lines[:i] + [f"{indent}if (threadIdx.x % 32 < 16) __syncthreads();"] + lines[i + 1:]
                yield f"{i + 1}_some_warps", lines[:i] + [f"{indent}if (threadIdx.x / 32 % 2 == 0) __syncthreads();"] + lines[i + 1:]
            if call.startswith("__pipeline_wait_prior"):
                more = re.sub(r"\d+", lambda n: str(int(n[0]) + 1), call)
                yield f"{i + 1}_one_more", lines[:i] + [f"{indent}{more};"] + lines[i + 1:]
        elif SHARED_INDEX.search(lines[i]) and STATEMENT.match(lines[i]):
            for name, other in (("halved", "(threadIdx.x / 2)"), ("flipped", "(threadIdx.x ^ 1)"), ("far", "(threadIdx.x ^ 32)")):
                at = SHARED_INDEX.search(lines[i])
                changed = lines[i][:at.end() - len("threadIdx.x")] + other + lines[i][at.end():]
                if name == "far" and "[33]" in text:
                    continue
                yield f"{i + 1}_{name}", lines[:i] + [changed] + lines[i + 1:]


def smaller(text):
    """The same program on less data: racecheck takes its time for each access."""
    text = re.sub(r"(#define GEMM_SIZE) 1024", r"\1 256", text)
    text = re.sub(r"TRANSPOSE_SIZE_OR\((\d+)\)", lambda size: f"TRANSPOSE_SIZE_OR({int(size[1]) // 8})", text)
    return re.sub(r"\b1 << (18|20)\b", "1 << 15", text)


def write_mutants(kernels, out):
    out.mkdir(parents=True, exist_ok=True)
    for header in kernels.glob("*.h"):
        (out / header.name).write_text(header.read_text())
    count = 0
    for program in sorted(kernels.glob("*.cu")):
        text = smaller(program.read_text())
        if "__shared__" not in text or "int main(" not in text:
            continue
        (out / program.name).write_text(text)
        for name, lines in mutants_of(text):
            (out / f"{program.stem}__{name}.cu").write_text("\n".join(lines))
            count += 1
    print(f"{count} mutants")


def is_synccheck_alone(stem):
    return "_some_" in stem


def racecheck(program):
    run = subprocess.run(["compute-sanitizer", "--tool", "racecheck", "--racecheck-report", "analysis", "--print-limit", "100000", program],
                         capture_output=True, text=True, timeout=60)
    kernels = collections.defaultdict(collections.Counter)
    for severity, rest in re.findall(r"========= (Error|Warning|Info): Race reported between (.*)", run.stdout):
        kernel = re.search(r" at (?:void )?([^+\s(<]+)", rest)
        kernels[kernel[1].split("::")[-1] if kernel else "?"][severity.lower()] += 1
    return {"kernels": {name: dict(sorted(counts.items())) for name, counts in sorted(kernels.items())},
            "summary": (re.findall(r"RACECHECK SUMMARY: .*", run.stdout) or ["none"])[0]}


def synccheck(program, seconds):
    run = subprocess.run(["compute-sanitizer", "--tool", "synccheck", program], capture_output=True, text=True, timeout=seconds)
    return {"synccheck": (re.findall(r"ERROR SUMMARY: (\d+) error", run.stdout) or ["?"])[0]}


def measure_one(path, arch):
    program = path.with_suffix(".out")
    compiled = subprocess.run(["nvcc", f"-arch={arch}", "-lineinfo", "-std=c++17", "-o", program, path], capture_output=True, text=True)
    if compiled.returncode:
        return {"compiled": False}
    result = {"compiled": True, "kernels": {}}
    alone = is_synccheck_alone(path.stem)
    try:
        if not alone:
            result |= racecheck(program)
    except subprocess.TimeoutExpired:
        result["racecheck"] = "no end"
    try:
        result |= synccheck(program, 12 if alone else 60)
    except subprocess.TimeoutExpired:
        result["synccheck"] = "no end"
    program.unlink(missing_ok=True)
    return result


def measure(out, record, jobs, arch):
    programs = sorted(out.glob("*.cu"))
    results = json.loads(record.read_text())["programs"] if record.exists() else {}
    programs = [path for path in programs if path.stem not in results]

    def save():
        chip = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip()
        nvcc = re.search(r"release ([\d.]+)", subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout)[1]
        record.write_text(json.dumps({"device": chip, "nvcc": nvcc, "arch": arch,
                                      "command": "racecheck.py measure", "programs": dict(sorted(results.items()))}, indent=1))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(measure_one, path, arch): path for path in programs}
        for number, future in enumerate(concurrent.futures.as_completed(futures)):
            results[futures[future].stem] = future.result()
            if number % 20 == 0:
                save()
    save()


def verdicts_of(tool, path):
    """By kernel: whether warps race, lanes of a warp do, the reasons of what is not known, barriers that not all reach."""
    run = subprocess.run([tool, "--format=json", "--fail-on=never", "--checks=-*,smem-race", path], capture_output=True, text=True)
    kernels = collections.defaultdict(set)
    try:
        report = json.loads(run.stdout)
    except json.JSONDecodeError:
        return None
    for launch in report["launches"]:
        name = launch["kernel"].split("<")[0].split("::")[-1]
        races = launch.get("races")
        if races is None:
            continue
        for kind in ("between_warps", "within_warp"):
            if races[kind] == "race":
                kernels[name].add(kind)
        if "unknown" in (races["between_warps"], races["within_warp"]):
            kernels[name].add("unknown: " + str(races["reason"]))
        kernels[name].add("judged")
        if races["same_value_writes"]:
            kernels[name].add("same value")
        kernels[name].add("barriers " + launch["barriers"]["verdict"])
    return kernels


class Comparison:
    """Of the recorded hazards with smem-lint's verdicts, kernel by kernel."""

    def __init__(self, out, recorded, tool, every):
        self.tally = collections.Counter()  # by (smem-lint, racecheck)
        self.missed, self.alone, self.hidden, self.barriers = [], [], [], []
        for stem, measured in sorted(recorded["programs"].items())[::every]:
            if not measured["compiled"]:
                self.tally["not compiled by nvcc"] += 1
                continue
            ours = verdicts_of(tool, out / f"{stem}.cu")
            if not is_synccheck_alone(stem):
                self.add(stem, measured["kernels"], ours)
            if ours:
                self.add_barriers(stem, measured["synccheck"], ours)

    def add_barriers(self, stem, theirs, ours):
        theirs = {"0": "none", "no end": "no end", "?": "no answer"}.get(theirs, "errors")
        said = set().union(*ours.values())
        mine = next(verdict for verdict in ("divergent", "unknown", "uniform") if verdict == "uniform" or "barriers " + verdict in said)
        self.tally["barriers " + mine, "synccheck: " + theirs] += 1
        if mine == "uniform" and theirs in ("errors", "no end"):
            self.hidden.append(f"{stem}: synccheck: {theirs}")
        if mine == "divergent" and theirs == "none":
            self.barriers.append(stem)

    def add(self, stem, hazards, ours):
        if not ours:
            self.tally["not analysed by smem-lint"] += 1
            return
        # A hazard in a device function is of some kernel that calls it.
        elsewhere = [name for name in hazards if name not in ours]
        racing = False
        for kernel, said in sorted(ours.items()):
            mine = "race" if "between_warps" in said else "race in a warp" if "within_warp" in said else \
                "unknown" if any(each.startswith("unknown") for each in said) else "free"
            theirs = "race" if {"error", "warning"} & set(hazards.get(kernel, {})) else \
                "in a device function" if elsewhere and mine != "free" else "none"
            racing |= mine != "free"
            self.tally[mine, theirs] += 1
            if theirs == "race" and mine == "free":
                self.missed.append(f"{stem}: {kernel}: {hazards[kernel]}")
            if theirs == "none" and mine.startswith("race"):
                self.alone.append(f"{stem}: {kernel}: {sorted(said - {'judged'})}")
        if elsewhere and not racing:
            self.missed.append(f"{stem}: in {elsewhere}")


def compare(out, record, tool, every):
    """False if smem-lint calls free what racecheck has seen to race, or barriers uniform of which synccheck complains."""
    recorded = json.loads(record.read_text())
    result = Comparison(out, recorded, tool, every)
    print(f"{recorded['device']}, nvcc {recorded['nvcc']}; {len(recorded['programs'])} programs, every {every}")
    for key, count in sorted(result.tally.items(), key=str):
        print(f"{count:5} {key}")
    for title, lines in (("racecheck alone", result.missed), ("smem-lint alone", result.alone), ("synccheck alone", result.hidden),
                         ("smem-lint alone, barriers", result.barriers)):
        print(f"{title}: {len(lines)}")
        print("".join(f"  {line}\n" for line in lines), end="")
    return not result.missed and not result.hidden


def check(kernels, record, tool, every):
    with tempfile.TemporaryDirectory() as folder:
        write_mutants(kernels, pathlib.Path(folder))
        return compare(pathlib.Path(folder), record, tool, every)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["mutants", "measure", "compare", "check"])
    parser.add_argument("first", type=pathlib.Path)
    parser.add_argument("second", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--tool", default="build/bin/smem-lint")
    parser.add_argument("--every", type=int, default=1, help="compare only one program of so many")
    options = parser.parse_args()
    if options.what == "mutants":
        write_mutants(options.first, options.second)
    elif options.what == "measure":
        measure(options.first, options.second, options.jobs, options.arch)
    else:
        return not (check if options.what == "check" else compare)(options.first, options.second, options.tool, options.every)


if __name__ == "__main__":
    sys.exit(main())
