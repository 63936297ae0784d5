#!/usr/bin/env python3
"""Random host programs, compiled and run by the system's compiler and followed by the interpreter: every launch that is made has to be
among those that are inferred, with each value equal or said to be unknown, and of programs in which everything is known every launch
that is inferred has to be made.

    compare.py --dump build/bin/smem-frontend-dump --seed 1 --count 100000 -j2
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

HERE = os.path.dirname(os.path.abspath(__file__))

def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def parse_dump(text):
    """line -> list of (values, times, reached)"""
    launches = collections.defaultdict(list)
    current = None
    for line in text.splitlines():
        match = re.match(r"launch (\S+) at \S+?:(\d+):\d+ grid (\S+) block (\S+) shared (\S+)( times \d+)?( not reached)?", line)
        if match:
            dims = []
            for dim in match.group(3), match.group(4):
                dims += ["?"] * 3 if dim == "?" else dim.strip("()").split(",")
            current = (dims + [match.group(5)], int((match.group(6) or " times 1").split()[1]), not match.group(7))
            launches[int(match.group(2))].append(current)
        elif line.startswith("  argument ") and current:
            current[0].append(line.split()[-1])
    return launches


def compatible(inferred, made):
    return len(inferred) == len(made) and all(a == "?" or int(a) % 2**64 == int(b) % 2**64 for a, b in zip(inferred, made))


def check(options, seed, first, count):
    """-> (differences, launches made, values, known values, launches missing)"""
    text = generate.file_text(seed, first, count, options.opaque)
    opaque = [n for n in range(first, first + count) if generate.Program(seed, n, options.opaque).opaque]
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "programs.cu"), os.path.join(folder, "programs")
        with open(source, "w") as file:
            file.write(text)
        if options.keep:
            with open(os.path.join(options.keep, f"programs_{seed}_{first}.cu"), "w") as file:
                file.write(text)
        built = run([options.cxx, "-std=c++17", "-x", "c++", "-DRUN", "-O0", "-fwrapv", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti", "-w", "-I", HERE, source, "-o", binary])
        if built.returncode:
            return [f"seed {seed}, {first}: not compiled: " + next((l for l in built.stderr.splitlines() if "error" in l), "?")], 0, 0, 0, 0
        ran = run([binary], timeout=60)
        if ran.returncode:
            return [f"seed {seed}, {first}: the programs end with {ran.returncode}"], 0, 0, 0, 0
        dumped = run([options.dump, "--no-expressions", source, "--", "-I", HERE, "-std=c++17", "-w"])
        if dumped.returncode:
            return [f"seed {seed}, {first}: not analysed: {dumped.stdout[-300:]}{dumped.stderr[-300:]}"], 0, 0, 0, 0
    if "too long to be followed" in dumped.stdout:
        return [f"seed {seed}, {first}: the interpreter's budget does not suffice for {count} programs in one file"], 0, 0, 0, 0
    program_of, where = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"void program(\d+)\(\)", line)
        where = int(match.group(1)) if match else where
        program_of[number] = where
    made = collections.defaultdict(list)
    for line in ran.stdout.splitlines():
        number, *values = line.split()
        made[int(number)].append(values)
    inferred = parse_dump(dumped.stdout)
    differences, values, known, missing = [], 0, 0, 0
    lines = text.splitlines()
    for number, launches in made.items():
        candidates = [entry for entry in inferred.get(number, []) if entry[2]]
        for launch in launches:
            fitting = [entry[0] for entry in candidates if compatible(entry[0], launch)]
            values += len(launch)
            if fitting:
                known += max(sum(v != "?" for v in entry) for entry in fitting)
            elif candidates:
                differences.append(f"seed {seed}, program {program_of[number]}, line {number}: {lines[number - 1].strip()}\n"
                                   f"  made     {' '.join(launch)}\n  inferred " + "\n           ".join(" ".join(e[0]) for e in candidates[:4]))
            else:
                missing += 1
                if options.verbose:
                    print(f"seed {seed}, program {program_of[number]}, line {number}: no launch inferred")
    for number, entries in inferred.items():
        if program_of.get(number) in opaque:
            continue
        for entry, times, reached in entries:
            if reached and "?" not in entry and not any(compatible(entry, launch) for launch in made.get(number, [])):
                differences.append(f"seed {seed}, program {program_of[number]}, line {number}: never made: {' '.join(entry)}")
    return differences, sum(map(len, made.values())), values, known, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", required=True, help="smem-frontend-dump")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--per-file", type=int, default=100)
    parser.add_argument("--opaque", type=float, default=0.12, help="share of programs with values that the analysis cannot know")
    parser.add_argument("--least-known", type=float, default=80, help="percent of the values")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the sources")
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    differences, made, values, known, missing = [], 0, 0, 0, 0
    with concurrent.futures.ProcessPoolExecutor(options.j) as pool:
        jobs = [pool.submit(check, options, options.seed, first, min(options.per_file, options.first + options.count - first))
                for first in range(options.first, options.first + options.count, options.per_file)]
        for job in concurrent.futures.as_completed(jobs):
            d, m, v, k, s = job.result()
            for text in d:
                if len(differences) < options.show:
                    print(text, flush=True)
                differences.append(text)
            made, values, known, missing = made + m, values + v, known + k, missing + s
    percent = 100 * known / max(values, 1)
    print(f"{options.count:,} programs of seed {options.seed}, {made:,} launches, {values:,} values: {len(differences)} differences, "
          f"{percent:.1f}% known, {missing:,} launches not inferred")
    return 1 if differences or percent < options.least_known else 0


if __name__ == "__main__":
    sys.exit(main())
