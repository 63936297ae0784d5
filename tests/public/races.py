#!/usr/bin/env python3
"""Other people's suites of kernels that race or do not, against what smem-races says of their shared and global memory.

  races.py SMEM_RACES gpuverify CLONE    mc-imperial/gpuverify: verdict and launch are on the first lines of each kernel.cu
  races.py SMEM_RACES gpurepair CLONE    cs17resch01003/gpurepair: kernels to mend, all of which race but for those with a barrier in their name
  races.py SMEM_RACES faial CLONE        elliotsayes/faial: examples/drf, the verdict is in the name
  races.py SMEM_RACES esbmc CLONE        LuizHenriqueSena/ESBMC-GPU: regression/cuda, launches as its macros have them, the verdict is in the folder
  races.py SMEM_RACES indigo CLONE       JohnJacobsonIII/HiRace-Artifact-SC24: Indigo's kernels of graphs, the planted bugs are in the name
  races.py SMEM_RACES scor CLONE         csl-iisc/ScoR: microbenchmarks of scopes, fences and locks, the verdict is in the name
  races.py SMEM_RACES weft CLONE         lightsighter/Weft: examples, kernels with named barriers; only of negatives/ it is written what is wrong
  races.py SMEM_RACES survey FOLDER EVERY [FLAG...]   other code: the verdicts of every EVERY-th .cu file below FOLDER with shared memory, by launch,
                                         why they are unknown, and how many of those whose addresses and conditions are no data

CLONE is a git directory, with or without a work tree; nothing of it is kept. A kernel fails for other reasons than races, too (assertions, null
pointers), which smem-races does not look at. Blocks of more than 1,024 threads, which no GPU has, are run with as many as fit. Faial's default
is one block of 1,024 threads."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

SHIM = str(pathlib.Path(__file__).parent / "shims" / "verifier_annotations.h")


def git(clone, *arguments):
    return subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True).stdout.decode(errors="replace")


def extent(text):
    """`64`, `[64,2]` as a launch has it."""
    return ",".join(re.findall(r"\d+", text)[:3]) or None


def at_most_1024(block):
    """`64,64` as `64,16`."""
    sides = [int(side) for side in block.split(",")]
    for i in range(len(sides)):
        rest = 1024
        for side in sides[:i]:
            rest //= side
        sides[i] = max(1, min(sides[i], rest))
    return ",".join(str(side) for side in sides)


def shape(text):
    return f"({text})" if "," in text else text


def gpuverify(clone):
    """Yields name, text, whether it passes (None: not about races), grid, block, macros."""
    for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "testsuite/CUDA").split("\n"):
        if not name.endswith(".cu"):
            continue
        text = git(clone, "show", "HEAD:" + name)
        lines = (text.split("\n") + ["", ""])[:2]
        verdict = lines[0].lower().lstrip("/ ")
        passes = True if verdict.startswith("pass") else False if "not_all_verified" in verdict else None
        block = re.search(r"--(?:blockDim|local_size)=(\S+)", lines[1])
        grid = re.search(r"--(?:gridDim|num_groups)=(\S+)", lines[1])
        yield name, text, passes, extent(grid[1]) if grid else None, at_most_1024(extent(block[1])) if block else None, re.findall(r"-D\S+", lines[1])


def gpurepair(clone):
    # What is in the other folders is GPUVerify's, some with barriers removed: it is not said which.
    for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "tests/testsuite").split("\n"):
        parts = pathlib.PurePath(name).parts
        if parts[-1:] != ("kernel.cu",) or parts[2] not in ("Bugged", "Bugged_Cooperative", "MicroBenchmarks"):
            continue
        text = git(clone, "show", "HEAD:" + name).replace("\r", "")
        launch = text.split("\n")[1]
        passes = parts[3] in ("race_syncthreads", "race_grid_group", "race_thread_block", "unnecessary_barrier")
        header = "#include <cooperative_groups.h>\n" if "cooperative_groups" in text else ""
        yield name, header + text, passes, extent(re.search(r"--gridDim=(\S+)", launch)[1]), extent(re.search(r"--blockDim=(\S+)", launch)[1]), []


def faial(clone):
    for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "examples/drf").split("\n"):
        if name.endswith(".cu"):
            base = pathlib.PurePath(name).name
            passes = True if base.startswith("drf") else False if base.startswith("racy") else None
            yield name, git(clone, "show", "HEAD:" + name), passes, "1", "1024", []


def esbmc(clone):
    launch = re.compile(r"ESBMC_verify_kernel\w*\s*\(\s*([\w<>]+)\s*,\s*([^,]+),\s*([^,()]+?)\s*(?:,\s*([^;]*))?\)\s*;")
    for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "regression/cuda").split("\n"):
        parts = pathlib.PurePath(name).parts
        if parts[-1:] != ("main.cu",):
            continue
        passes = None if parts[-2].endswith("fail") else True if "pass" in parts or "pug" in parts else False if "data-racer" in parts else None
        text = launch.sub(lambda call: f"{call[1]}<<<{call[2]}, {call[3]}>>>({call[4] or ''});", git(clone, "show", "HEAD:" + name))
        yield name, re.sub(r'#include\s*[<"]call_kernel\.h[>"]', "", text), passes, None, None, []


def indigo(clone):
    # A bug of bounds leaves arrays, and is no race.
    for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "indigo/indigo_sources").split("\n"):
        if name.endswith(".cu"):
            header = git(clone, "show", "HEAD:indigo/indigo_include/indigo_cuda.h")
            text = git(clone, "show", "HEAD:" + name).replace('#include "indigo_cuda.h"', header)
            yield name, text, re.search(r"_(atomic|guard|sync|race)Bug", name) is None, "4", "256", []


def scor(clone):
    for name in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "microbenchmarks/src").split("\n"):
        if name.endswith(".cu"):
            yield name, git(clone, "show", "HEAD:" + name), pathlib.PurePath(name).name.startswith("norace"), None, None, []


def weft(tool, clone):
    """Blocks are as the kernels' __launch_bounds__ have them, the grid is one block, arguments stay open."""
    tally = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "-C", clone, "archive", "--output", f"{folder}/weft.tar", "HEAD", "examples"], check=True)
        subprocess.run(["tar", "-xf", f"{folder}/weft.tar", "-C", folder], check=True)
        for path in sorted(pathlib.Path(folder, "examples").rglob("*.cu")):
            block = re.search(r"__launch_bounds__\((\d+)", path.read_text(errors="replace"))[1]
            command = [tool, "--max-steps=1000000000", f"--launch=grid=1 block={block}", path, "--", f"-I{path.parent}"]
            try:
                said = subprocess.run(command, capture_output=True, text=True, timeout=WEFT_SECONDS).stdout
            except subprocess.TimeoutExpired:
                said = f": unknown (): no answer in {WEFT_SECONDS} s"
            verdict = re.search(r": (race|free|unknown) \(([^)]*)\)(?:[^:]*)(?:: (.*))?", said)
            what = verdict[1] if verdict else "not analysed"
            if what == "race" and ") under assumed values" in said and re.search(r": race \([^)]*\)(?! under assumed values)", said) is None:
                what = "race if"
            elif what == "race" and "between warps race" not in verdict[2]:
                what = "race within a warp"
            if what == "unknown" and "  barrier of line" in said:
                what = "bad barrier"
            expected = "fails" if path.parent.name == "negatives" else "runs"
            tally[expected, what] += 1
            why = f": {verdict[3]}" if verdict and verdict[3] and what == "unknown" else ""
            print(f"{expected:5} {what:18} {path.relative_to(folder)}{why}", flush=True)
    for (expected, what), count in sorted(tally.items()):
        print(f"{count:4} {expected}: {what}")


WEFT_SECONDS = 600
OF_DATA = ("is loaded from memory", "is what an atomic returns")
NO_LAUNCH = ("host code does not come to the launch", "no launch was found under which")


def survey(tool, folder, every, flags):
    """What is right is not known there; unknown verdicts are counted by their reasons."""
    files = sorted(path for path in pathlib.Path(folder).rglob("*.cu") if b"__shared__" in path.read_bytes())[::every]
    tally, reasons = collections.Counter(), collections.Counter()
    of_data, no_launch, assumed = 0, 0, []
    for path in files:
        try:
            said = subprocess.run([tool, path, "--", f"-I{path.parent}", *flags], capture_output=True, text=True, timeout=120).stdout
        except subprocess.TimeoutExpired:
            tally["no answer in 120 s"] += 1
            continue
        for verdict, always, why in re.findall(r" grid \(.*\): (race|free|unknown) \([^)]*\)( in every launch[^:\n]*| under assumed values)?(?:: (.*))?", said):
            tally[verdict + always] += 1
            of_data += verdict == "unknown" and any(words in why for words in OF_DATA)
            no_launch += verdict == "unknown" and any(words in why for words in NO_LAUNCH)
            if "assumed" in always and verdict == "race" and why not in assumed:
                assumed.append(f"{path}: {why}")
            if verdict == "unknown":
                why, _, blocks = why.partition("; free in every launch with blocks")
                reasons[re.sub(r"\d+", "N", why) + ("; free with some blocks" if blocks else "")] += 1
    print(f"{len(files)} files, {sum(tally.values())} launches")
    for counted in (tally, reasons):
        for what, count in counted.most_common():
            print(f"{count:4} {what}")
    judged = sum(tally.values()) - of_data - no_launch
    print(f"{tally['unknown'] - of_data - no_launch} of {judged} launches that happen, and that are not decided by data, are unknown")
    for each in assumed:
        print("assumed:", each)


SUITES = {"gpuverify": gpuverify, "gpurepair": gpurepair, "faial": faial, "esbmc": esbmc, "indigo": indigo, "scor": scor}


def main():
    tool, suite, clone = sys.argv[1:4]
    if suite == "survey":
        return survey(tool, clone, int(sys.argv[4]), sys.argv[5:])
    if suite == "weft":
        return weft(tool, clone)
    tally = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, text, passes, grid, block, macros in SUITES[suite](clone):
            if passes is None:
                continue
            path = pathlib.Path(folder, "kernel.cu")
            path.write_text(re.sub(r'#include\s*[<"]cuda\.h[>"]', "#include <cuda_runtime.h>", text))
            launch = [f"--launch=grid={shape(grid)} block={shape(block)}"] if grid and block else []
            runs = [subprocess.run([tool, *memory, *launch, path, "--", "-include", SHIM, *macros], capture_output=True, text=True, timeout=120) for memory in ([], ["--global"])]
            run = next((run for run in runs if ": race (" in run.stdout), None) or next((run for run in runs if ": unknown (" in run.stdout), runs[0])
            verdicts = [verdict for each in runs for verdict in re.findall(r"\): (race|free|unknown) \(", each.stdout)]
            races_if = [why for each in runs for why in re.findall(r": race \([^)]*\) under assumed values: (.*)", each.stdout)]
            assumed = set(races_if)
            certain = sum(each.stdout.count(": race (") for each in runs) > len(races_if)
            said = "race" if certain else "race if" if assumed else "unknown" if "unknown" in verdicts or not verdicts else "free"
            expected = "passes" if passes else "fails"
            if not said.startswith("race") and any("  barrier of line" in run.stdout for run in runs):
                said = "bad barrier"
            elif said == "free" and any("without the barrier of line" in run.stdout for run in runs):
                said = "excused" # free, and threads end without a barrier
            if said == "unknown" and not verdicts:
                said = "not analysed"
            shared = "with shared memory" if "__shared__" in text else "without shared memory"
            tally[expected, shared, said] += 1
            why = re.search(r"\): unknown \([^)]*\): (.*)", run.stdout) or re.search(r"error: (.*)|kernel\.cu:\S* (.*)", run.stderr)
            because = "; ".join(sorted(assumed)) if said == "race if" else (why[1] or why[2]) if why and said in ("unknown", "not analysed") else ""
            print(f"{expected:7} {said:13} {name} ({shared})" + (f": {because}" if because else ""))
    for (expected, shared, said), count in sorted(tally.items()):
        print(f"{count:4} {expected}, {shared}: {said}")


if __name__ == "__main__":
    main()
