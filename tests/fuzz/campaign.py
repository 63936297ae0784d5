#!/usr/bin/env python3
"""A campaign of generated kernels: built and counted on a machine with a GPU, predicted and compared on any.

    campaign.py measure --seed 61 --files 64 -o DIR --validate smem-validate     # nvcc, nvdisasm, cuobjdump and a GPU
    campaign.py build --seed 81 --files 64 -o DIR                                # nvcc
    campaign.py build --idioms --seed 1 --files 64 -o DIR                        # kernels of generate_idioms.py
    campaign.py compare -o DIR --lint smem-lint --validate smem-validate         # none of these
    campaign.py compare ... --show exact_wrong                                   # those rows, with the line of source

Programs are those of generate_kernels.py or generate_idioms.py, a function of their names. DIR has of each its machine code, NAME.sass.xz (where there is no nvdisasm, NAME.cubin.xz), and, where it was counted, its recording,
NAME.jsonl.xz; each is predicted from source, and as compiled. Figures count rows by what is claimed of them, as the README's accuracy does: against the counters, and from source against the machine
code, as tests/public/compiled.py does.
"""
import argparse
import collections
import concurrent.futures
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import generate_idioms
import generate_kernels

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent.parent / "validate"))
sys.path.append(str(HERE.parent / "public"))
import accuracy  # noqa: E402
import compiled  # noqa: E402

MACHINE_CODE = ("sass", "cubin")
NVCC = ["-arch=sm_90", "-O3", "-lineinfo"]


def name_of(options, file):
    return f"{'idioms' if options.idioms else 'fuzz'}_{options.seed}_{file}" + ("_f" if options.in_functions else "")


def source_of(name, kernels):
    """The text of the program of that name."""
    made_by, seed, file, *rest = name.split("_")
    if made_by == "idioms":
        return generate_idioms.program(int(seed), int(file), range(kernels))
    return generate_kernels.program(int(seed), int(file), range(kernels), in_functions=bool(rest))


def source_in(options, name):
    """The text that is kept of it, if any is: families of idioms may have changed since."""
    kept = options.out / f"{name}.cu.xz"
    return lzma.decompress(kept.read_bytes()).decode() if kept.exists() else source_of(name, options.kernels)


def run(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False, **options)
    return done.returncode, done.stdout, (done.stderr + done.stdout).strip()[-300:]


def keep_machine_code(options, name, cubin):
    if not shutil.which("nvdisasm"):
        (options.out / f"{name}.cubin.xz").write_bytes(lzma.compress(pathlib.Path(cubin).read_bytes(), preset=4))
        return ""
    code, listing, said = run(["nvdisasm", "-gi", str(cubin)])
    if code:
        return said or f"nvdisasm: exit {code}"
    (options.out / f"{name}.sass.xz").write_bytes(lzma.compress(listing.encode(), preset=4))
    return ""


def build_cubin(options, name):
    """Empty, or what went wrong: the machine code alone."""
    source = options.out / f"{name}.cu"
    source.write_text(source_of(name, options.kernels))
    with tempfile.TemporaryDirectory() as folder:
        code, _, said = run(["nvcc", "-cubin", *NVCC, str(source), "-o", f"{folder}/program.cubin"])
        return said or f"nvcc: exit {code}" if code else keep_machine_code(options, name, f"{folder}/program.cubin")


def build(options, name):
    """Empty, or what went wrong: the program, and the machine code that is in it."""
    folder = options.out / name
    folder.mkdir(parents=True, exist_ok=True)
    source = options.out / f"{name}.cu"
    source.write_text(source_of(name, options.kernels))
    code, _, said = run(["nvcc", *NVCC, str(source), "-o", str(folder / "program")])
    if code:
        return said or f"nvcc: exit {code}"
    code, _, said = run(["cuobjdump", "-xelf", "all", "program"], cwd=folder)
    # The other one, if there is one, is an empty one of the device linker.
    cubins = sorted(folder.glob("*.cubin"), key=lambda path: path.stat().st_size)
    return said or "no cubin" if code or not cubins else keep_machine_code(options, name, cubins[-1])


def count(options, name):
    """Empty, or what went wrong: every launch is to be recorded."""
    if time.monotonic() > options.end:
        return "no time left"
    recording = options.out / name / "recording.jsonl"
    library = ["--library", os.path.abspath(options.library)] if options.library else []
    try:
        code, _, said = run([options.validate, "measure", *library, "-o", str(recording), "--", str(options.out / name / "program")], timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return f"more than {options.seconds} s"
    text = recording.read_bytes() if recording.exists() else b""
    launches = text.count(b'{"kind":"launch"')
    if code or launches != options.kernels:
        return f"{launches} launches, exit {code}: {said}"
    (options.out / f"{name}.jsonl.xz").write_bytes(lzma.compress(text))
    return ""


def all_of(work, names, jobs, problems):
    """Those that went well; `problems` says of the others what did not."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        done = list(zip(names, pool.map(work, names)))
    problems.update({name: said for name, said in done if said})
    for name, said in done:
        if not said:
            problems.pop(name, None)
    return [name for name, said in done if not said]


def names_of(options):
    return [name_of(options, file) for file in range(options.first, options.first + options.files)]


def build_all(options):
    options.out.mkdir(parents=True, exist_ok=True)
    names, problems = names_of(options), {}
    built = all_of(lambda name: build_cubin(options, name), names, options.jobs, problems)
    print(f"{len(built)} of {len(names)} programs built")
    print("\n".join(f"{name}: {said}" for name, said in sorted(problems.items())))
    return 0 if built else 2


def measure(options):
    options.end = time.monotonic() + options.deadline
    options.validate = os.path.abspath(options.validate)
    names, problems = names_of(options), {}
    built = all_of(lambda name: build(options, name), names, options.jobs, problems)
    print(f"{len(built)} of {len(names)} programs built", flush=True)
    counted = all_of(lambda name: count(options, name), built, options.parallel, problems)
    # Again one by one, should programs have disturbed each other.
    counted += all_of(lambda name: count(options, name), [name for name in built if name not in counted], 1, problems)
    print(f"{len(counted)} of {len(names)} programs counted, {options.deadline - options.end + time.monotonic():.0f} s")
    print("\n".join(f"{name}: {said}" for name, said in sorted(problems.items())))
    return 0 if counted else 2


def examine(options, name):
    """{how: the comparison's report; `machine`: that of the rows from source with the machine code's}; a text instead where there is none."""
    found, reports = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        source, predicted, recording = (os.path.join(folder, f"{name}{suffix}") for suffix in (".cu", ".json", ".jsonl"))
        counted = options.out / f"{name}.jsonl.xz"
        if counted.exists():
            pathlib.Path(recording).write_bytes(lzma.decompress(counted.read_bytes()))
        pathlib.Path(source).write_text(source_in(options, name))
        for how in options.how:
            given = []
            if how == "compiled":
                machine_code = next((path for kind in MACHINE_CODE if (path := options.out / f"{name}.{kind}.xz").exists()), None)
                if not machine_code:
                    continue
                unpacked = pathlib.Path(folder, machine_code.stem)
                unpacked.write_bytes(lzma.decompress(machine_code.read_bytes()))
                given = [f"--as-compiled={unpacked}"]
            code, _, said = run([options.lint, "--quiet", "--no-cache", "-j1", "--format=json", "--fail-on=never", *given, "-o", predicted, source])
            if code > 1:
                found[how] = said
                continue
            reports[how] = json.loads(pathlib.Path(predicted).read_text())
            if counted.exists():
                code, text, said = run([options.validate, "compare", predicted, recording, "--format=json", "--quiet"])
                found[how] = said if code > 1 else json.loads(text)
        if len(reports) == 2:
            try:
                found["machine"] = compiled.compare(reports["source"], reports["compiled"])
            except ValueError as error:
                found["machine"] = str(error)
    return found


def show_rows(options, name, how, report, lines, claims):
    for launch in report["launches"]:
        for row in launch["rows"]:
            claim = accuracy.class_of(row)
            claims[how][claim] += 1
            if claim in options.show:
                print(f"{name}, {how}: {launch['kernel'].split('(')[0]}:{row['line']} {row['space']} {row['operation']} {claim}: {lines[row['line'] - 1].strip()}")
                print(f"    predicted {row.get('predicted')}\n    counted   {row.get('measured')}")


def show_against_machine(options, name, compared, lines, against):
    """Rows without counts are unknown; those that the machine code alone has were not predicted."""
    rows, _, added, wrong = compared
    for (verdict, _, outcome), count in rows.items():
        against["unknown" if verdict == "unknown" else f"{verdict}_{outcome}"] += count
    against["missing"] += added
    for row in wrong:
        if row["outcome"] == "wrong" and f"{row['verdict']}_wrong" in options.show:
            line = int(row["place"].split(":")[-2])
            print(f"{name}, machine code: {row['kernel'].split('(')[0]}:{line} {row['access']} {row['verdict']}_wrong, {row['compiled']}: {lines[line - 1].strip()}")
            print(f"    predicted    {row['source']}\n    machine code {row['machine']}")


def table(options, claims, against):
    if any(claims.values()):
        print("| | claimed exact: right / wrong | assumed: right / wrong | unknown | not predicted |\n|---|---|---|---|---|")
        for how in options.how:
            row = claims[how]
            print(f"| {how} | {row['exact_right']:,} / {row['exact_wrong']:,} | {row['assumed_right']:,} / {row['assumed_wrong']:,} | {row['unknown']:,} | {row['missing']:,} |")
    if against:
        print("\n| | claimed exact: right / wrong / open | assumed: right / wrong / open | unknown | not predicted |\n|---|---|---|---|---|")
        counts = [" / ".join(f"{against[f'{verdict}_{outcome}']:,}" for outcome in compiled.OUTCOMES) for verdict in ("exact", "assumed")]
        print(f"| source against machine code | {counts[0]} | {counts[1]} | {against['unknown']:,} | {against['missing']:,} |")


def compare(options):
    options.lint, options.validate = os.path.abspath(options.lint), os.path.abspath(options.validate)
    names = sorted({path.name.split(".")[0] for kind in ("jsonl", *MACHINE_CODE) for path in options.out.glob(f"*.{kind}.xz") if options.only in path.name})
    claims, against = {how: collections.Counter() for how in options.how}, collections.Counter()
    problems = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, reports in zip(names, pool.map(lambda name: examine(options, name), names)):
            lines = source_in(options, name).splitlines()
            for how, report in reports.items():
                if isinstance(report, str):
                    problems.append(f"{name}, {how}: {report}")
                elif how == "machine":
                    show_against_machine(options, name, report, lines, against)
                else:
                    show_rows(options, name, how, report, lines, claims)
    for problem in problems:
        print(problem)
    rows = sum(sum(row.values()) for row in (*claims.values(), against))
    print(f"{len(names)} programs of {options.kernels} kernels, {rows:,} rows")
    table(options, claims, against)
    if rows < options.least:
        problems.append(f"{rows} rows were compared; {options.least} were to be")
        print(problems[-1])
    wrong = against["exact_wrong"] + sum(row["exact_wrong"] for row in claims.values())
    return 2 if problems or not names else 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    both = argparse.ArgumentParser(add_help=False)
    both.add_argument("-o", "--out", type=pathlib.Path, required=True, help="folder of the campaign")
    both.add_argument("--kernels", type=int, default=25, help="of each program")
    both.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers, or predictions, at a time")
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("--seed", type=int, required=True)
    made.add_argument("--first", type=int, default=0, help="number of the first program")
    made.add_argument("--files", type=int, default=40, help="how many programs")
    made.add_argument("--idioms", action="store_true", help="kernels of generate_idioms.py")
    made.add_argument("--in-functions", action="store_true", help="bodies of kernels in device functions")
    commands.add_parser("build", parents=[both, made], help="builds programs and disassembles them")
    validated = argparse.ArgumentParser(add_help=False)
    validated.add_argument("--validate", required=True, help="smem-validate")
    one = commands.add_parser("measure", parents=[both, made, validated], help="builds programs and counts their accesses on this machine's GPU")
    one.add_argument("--library", help="libsmem_measure_inject.so, where it is not beside smem-validate")
    one.add_argument("--parallel", type=int, default=1, help="programs on the GPU at a time")
    one.add_argument("--seconds", type=float, default=60, help="limit of one program")
    one.add_argument("--deadline", type=float, default=3600, help="seconds after which no other program is begun")
    two = commands.add_parser("compare", parents=[both, validated], help="predicts and compares; exit code 1 where a claim is wrong")
    two.add_argument("--lint", required=True, help="smem-lint")
    two.add_argument("--only", default="", help="programs whose names have this text")
    two.add_argument("--least", type=int, default=1, help="exit code 2 where fewer rows were compared (default: 1)")
    two.add_argument("--show", nargs="*", default=[], choices=accuracy.CLAIMS, help="print rows of these claims")
    two.add_argument("--how", nargs="*", default=["source", "compiled"], choices=("source", "compiled"), help="which predictions (default: both)")
    options = parser.parse_args()
    return {"build": build_all, "measure": measure, "compare": compare}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
