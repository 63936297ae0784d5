#!/usr/bin/env python3
"""Predictions for other people's programs against what a GPU counts.

programs.json names the programs: repository, commit, files, flags, and how they are run. The sources are not part of this
project; --sources is a folder with a checkout of each repository at OWNER/NAME. Nothing in them is changed: what they need and a
toolkit of today lacks is in shims/ (calls that CUDA 13 removed, PyTorch's interface as far as it starts a kernel).

On a machine with a GPU, with nvcc and smem-validate, then where smem-lint is:

  tests/public/accuracy.py measure --sources ~/public --validate build/bin/smem-validate -o measured
  tests/public/accuracy.py compare --sources ~/public --lint build/bin/smem-lint --validate build/bin/smem-validate \\
      --measured measured --update tests/public/accuracy.json

A run of a program is one recording. Of a kernel that is launched again and again in the same shape the first launches are measured.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ("rows", "exact", "unknown", "mismatch", "false_claims", "unstable")
CLAIMS = ("exact_right", "exact_wrong", "assumed_right", "assumed_wrong", "missing")  # the same rows by what was claimed; older figures lack them
NVCC_FLAGS = ["-arch=sm_90", "-O3", "-lineinfo"]
EACH = 3  # launches of a kernel in one shape that are measured


class Program:
    def __init__(self, repository, entry):
        self.repository, self.held_out = repository["repository"], repository.get("held_out", False)
        self.name, self.sources = entry["name"], entry["sources"]
        self.includes, self.flags = entry.get("includes", []), entry.get("flags", [])
        self.runs, self.files = entry.get("runs", [[]]), entry.get("files", {})
        self.launches = entry.get("launches", 200)
        self.key = f"{self.repository}/{self.name}"

    def file_name(self, run=None):
        name = self.key.replace("/", "+")
        return name if run is None else f"{name}.{run}.jsonl"

    def places(self, sources):
        return [os.path.join(sources, self.repository, path) for path in self.sources]

    def compiler_flags(self, sources):
        """As nvcc gets them, and smem-lint after its `--`."""
        return ["-I" + os.path.join(sources, self.repository, folder) for folder in self.includes] + \
            [flag.replace("{shims}", str(HERE / "shims")) for flag in self.flags]

    def build(self, sources, out, seconds):
        """Empty, or why there is no program."""
        command = ["nvcc", "-w", *NVCC_FLAGS, *self.compiler_flags(sources), *self.places(sources), "-o", os.path.join(out, self.file_name())]
        done = subprocess.run(["timeout", "-k", "2", str(seconds), *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode in (124, 137):
            return f"not built: nvcc took more than {seconds:g} s"
        errors = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "undefined reference" in line]
        return "" if done.returncode == 0 else "not built: " + (errors or [done.stderr])[0]


def load_programs(path, only=""):
    programs = [Program(repository, entry) for repository in json.loads(pathlib.Path(path).read_text()) for entry in repository["programs"]]
    if not any(re.search(only, program.key) for program in programs):
        raise ValueError(f"{path}: no program matches '{only}'")
    return [program for program in programs if re.search(only, program.key)]


def write_file(path, content):
    """Input for a program: {"numbers": [count, from, to]}, a line each; {"bytes": count}; {"graph": [nodes, edges each]} and {"keys": count} as
    Rodinia reads them; {"text": "..."}. The same every time."""
    (kind, value), draw = next(iter(content.items())), random.Random(1)
    if kind == "text":
        path.write_text(value)
    elif kind == "bytes":
        path.write_bytes(bytes(min(255, int(draw.expovariate(1 / 16))) for _ in range(value)))
    elif kind == "numbers":
        count, low, high = value
        path.write_text("".join(f"{draw.uniform(low, high):.4f}\n" for _ in range(count)))
    elif kind == "keys":
        path.write_text(f"{value}\n" + "".join(f"{draw.randrange(value)}\n" for _ in range(value)))
    elif kind == "graph":
        nodes, degree = value
        path.write_text(f"{nodes}\n" + "".join(f"{i * degree} {degree}\n" for i in range(nodes)) + f"\n0\n\n{nodes * degree}\n" +
                        "".join(f"{draw.randrange(nodes)} 1\n" for _ in range(nodes * degree)))
    else:
        raise ValueError(f"programs.json: no such content: {kind}")


def measure_run(options, program, run, binary, out):
    """Empty, or what went wrong; the recording is kept as far as it goes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in program.files.items():
            write_file(pathlib.Path(folder, name), content)
        recording = os.path.join(out, program.file_name(run))
        command = [options.validate, "measure", "-o", recording, "--launch-count", str(program.launches), "--launch-each", str(EACH)]
        if options.library:
            command += ["--library", options.library]
        start = time.monotonic()
        try:
            done = subprocess.run(["timeout", "-k", "2", str(options.seconds), *command, "--", binary, *program.runs[run]], cwd=folder,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        except OSError as error:
            return str(error)
        said = [line for line in done.stdout.splitlines() if line.startswith("smem-validate: error")]
        launches = sum('"kind":"launch"' in line[:40] for line in open(recording, errors="replace")) if os.path.exists(recording) else 0
        status = f"{launches} launches, {time.monotonic() - start:.1f} s, exit {done.returncode}"
        print(f"{program.key} {run}: {status} {said[-1] if said else ''}", flush=True)
        return "" if launches else f"nothing measured: {said[-1] if said else status}"


def measure(options):
    programs = load_programs(options.list, options.only)
    sources = os.path.abspath(options.sources)
    options.validate = os.path.abspath(shutil.which(options.validate) or options.validate)
    options.library = os.path.abspath(options.library) if options.library else ""
    out, binaries = os.path.abspath(options.output), os.path.abspath(options.binaries or os.path.join(options.output, "binaries"))
    os.makedirs(out, exist_ok=True)
    os.makedirs(binaries, exist_ok=True)
    end = time.monotonic() + options.deadline
    problems = {}

    def built(program):
        if os.path.exists(os.path.join(binaries, program.file_name())):
            return program, ""
        missing = [place for place in program.places(sources) if not os.path.exists(place)]
        return program, f"no such file: {missing[0]}" if missing else program.build(sources, binaries, options.build_seconds)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, problem in pool.map(built, programs):
            if problem:
                problems[program.key] = problem
    print(f"{len(programs) - len(problems)} of {len(programs)} programs built", flush=True)
    runs = [(program, run) for program in programs if program.key not in problems for run in range(len(program.runs))]

    def measured(item):
        program, run = item
        if time.monotonic() > end:
            return item, "not run: no time left"
        return item, measure_run(options, program, run, os.path.join(binaries, program.file_name()), out)

    for jobs in (options.parallel, 1):  # again one by one, should programs have disturbed each other
        failed = []
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for item, problem in pool.map(measured, runs):
                problems.pop(f"{item[0].key} {item[1]}", None)
                if problem:
                    problems[f"{item[0].key} {item[1]}"] = problem
                    failed.append(item)
        runs = failed
    pathlib.Path(out, "problems.json").write_text(json.dumps(problems, indent=1) + "\n")
    print("\n".join(f"{key}: {problem}" for key, problem in problems.items()))
    return 0 if len(problems) < len(programs) else 2


def plain_name(mangled):
    """A function's own name: _ZN1a3fooIiEEvT_ -> foo. From the mangled one, for demanglers give up on names as long as CUTLASS's."""
    name, at = "", re.match(r"_ZN?", mangled)
    at = at.end() if at else len(mangled)
    while part := re.compile(r"L?(\d+)").match(mangled, at):
        name, at = mangled[part.end():part.end() + int(part.group(1))], part.end() + int(part.group(1))
        if not mangled.startswith("_ZN"):
            break
    return name or mangled


def recorded_kernels(recording):
    """Names without arguments and scopes: those of internal linkage are mangled in more than one way."""
    with open(recording, errors="replace") as lines:
        found = (re.match(r'\{"kind":"launch".*?"kernel":"(.*?)"', line[:16384]) for line in lines)
        return sorted({plain_name(match.group(1)) for match in found if match})


def predict(options, program, recording, sources, predicted):
    """Empty, or why there is no prediction."""
    launches = [f"--launches={recording}"] if options.recorded_launches else []
    launches += [f"--kernel={name}" for name in recorded_kernels(recording)]
    listing = os.path.join(options.listings or "", program.file_name() + ".sass")
    compiled = [f"--as-compiled={listing}"] if options.listings and os.path.exists(listing) else []
    command = [options.lint, f"--cuda-path={options.cuda_path}", "--quiet", "--format=json", "--fail-on=never", "-j1", *launches, *compiled, "-o", predicted,
               *[place for place in program.places(sources) if place.endswith(".cu")], "--", *program.compiler_flags(sources)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"no prediction within {options.seconds:g} s"
    if done.returncode in (0, 1):
        return ""
    problem = (done.stderr.strip().splitlines() or [f"smem-lint: exit code {done.returncode}"])[0]
    return "a run launches kernels of libraries only" if "--kernel: no kernel matches" in problem else problem


def compare_run(options, program, run, sources):
    """Figures of one run; a figure `problem` says why there are none."""
    recording = os.path.join(options.measured, program.file_name(run))
    if not os.path.exists(recording) or not any('"kind":"launch"' in line[:40] for line in open(recording, errors="replace")):
        return {"problem": "not measured"}
    with tempfile.TemporaryDirectory() as folder:
        predicted = os.path.join(folder, "predicted.json")
        if problem := predict(options, program, recording, sources, predicted):
            return {"problem": problem}
        again = os.path.join(options.again or "", program.file_name(run))
        again = [f"--again={again}"] if options.again and os.path.exists(again) else []
        done = subprocess.run([options.validate, "compare", predicted, recording, *again, "--format=json", "--quiet"], capture_output=True, text=True, check=False)
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            shutil.copy(predicted, os.path.join(options.keep, program.file_name(run) + ".predicted.json"))
            pathlib.Path(options.keep, program.file_name(run) + ".json").write_text(done.stdout)
        if done.returncode > 1:
            return {"problem": "nothing could be compared: " + done.stderr.strip()}
        summary = json.loads(done.stdout)["summary"]
        return {field: summary[field] for field in FIELDS} | {claim: summary["claims"][claim] for claim in CLAIMS}


def total(rows):
    rows = list(rows)
    return {field: sum(row.get(field, 0) for row in rows) for field in FIELDS}


def session_of(recording):
    with open(recording, errors="replace") as file:
        for line in file:
            if '"kind":"session"' in line:
                return json.loads(line)
    return {}


def compare(options):
    sources = os.path.abspath(options.sources)
    programs = load_programs(options.list, options.only)
    options.measured = os.path.abspath(options.measured)
    items = [(program, run) for program in programs for run in range(len(program.runs))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda item: compare_run(options, *item, sources), items))
    found = {}
    for (program, _), result in zip(items, results):
        entry = found.setdefault(program.key, {"held_out": program.held_out, **dict.fromkeys(FIELDS + CLAIMS, 0)})
        for field in FIELDS + CLAIMS:
            entry[field] += result.get(field, 0)
        if "problem" in result:
            entry.setdefault("problems", [])
            if result["problem"] not in entry["problems"]:
                entry["problems"].append(result["problem"])
    for held_out in (False, True):
        rows = [row for row in found.values() if row["held_out"] == held_out and row["rows"]]
        if rows:
            print(f"{'held out' if held_out else 'public set'}: {len(rows)} programs, {total(rows)}")
    if options.verbose:
        for key, row in found.items():
            print(key, [row[field] for field in FIELDS], row.get("problems", ""))
    if options.update:
        recordings = sorted(pathlib.Path(options.measured).glob("*.jsonl"))
        session = session_of(recordings[0]) if recordings else {}
        machine = {key: session.get(key) for key in ("gpu", "driver_version", "cupti", "date")}
        figures = {"machine": machine, "compared": datetime.date.today().isoformat(), "flags": NVCC_FLAGS, "launches": EACH, "programs": found}
        text = json.dumps({key: value for key, value in figures.items() if key != "programs"}, indent=1)[:-2]
        rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in found.items())
        pathlib.Path(options.update).write_text(f'{text},\n "programs": {{\n{rows}\n }}\n}}\n')
    return 0 if any(row["rows"] for row in found.values()) else 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    both = argparse.ArgumentParser(add_help=False)
    both.add_argument("--sources", required=True, help="folder with OWNER/NAME for every repository of the list")
    both.add_argument("--list", type=pathlib.Path, default=HERE / "programs.json")
    both.add_argument("--only", default="", help="programs whose repository and name match this regular expression")
    both.add_argument("--validate", required=True, help="smem-validate")
    both.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers, or predictions, at a time")
    both.add_argument("--seconds", type=float, default=60, help="limit of one run, or of one prediction")
    one = commands.add_parser("measure", parents=[both], help="builds the programs and counts their accesses on this machine's GPU")
    one.add_argument("--library", help="libsmem_measure_inject.so, where it is not beside smem-validate")
    one.add_argument("--parallel", type=int, default=1, help="programs on the GPU at a time")
    one.add_argument("--deadline", type=float, default=3600, help="seconds after which no other run is started")
    one.add_argument("--build-seconds", type=float, default=300, help="limit of the build of one program")
    one.add_argument("--binaries", help="folder of the built programs (default: OUTPUT/binaries); those that are there are not built again")
    one.add_argument("-o", "--output", required=True, help="folder for the recordings")
    two = commands.add_parser("compare", parents=[both], help="predicts and compares; needs no GPU")
    two.add_argument("--lint", required=True, help="smem-lint")
    two.add_argument("--measured", required=True, help="folder of the recordings")
    two.add_argument("--again", help="folder of recordings of another time: what is not counted alike is set aside as unstable")
    two.add_argument("--cuda-path", default="/usr/local/cuda", help="as smem-lint's; `none` for its own headers")
    two.add_argument("--no-recorded-launches", dest="recorded_launches", action="store_false", help="predict from the source alone")
    two.add_argument("--listings", help="folder of what nvdisasm -gi prints of the programs, NAME.sass beside NAME.0.jsonl; with them, predict --as-compiled")
    two.add_argument("--keep", help="folder for predictions and comparisons")
    two.add_argument("--update", metavar="FILE", help="where to write the figures")
    two.add_argument("--verbose", action="store_true", help="a line for each program")
    options = parser.parse_args()
    try:
        return measure(options) if options.command == "measure" else compare(options)
    except (OSError, ValueError, KeyError, re.error) as error:
        sys.exit(f"accuracy.py: {error}")


if __name__ == "__main__":
    sys.exit(main())
