#!/usr/bin/env python3
"""How many kernels that other people's compilers made are analysed to the end: PTX and cubins of public repositories, and the toolkit's libraries.

  tests/public/binaries.py collect --mirror DIR -o DIR      # PTX is compiled with ptxas; a mirror has OWNER+NAME/repo, a bare clone of each of SOURCES
  tests/public/binaries.py list DIR                         # where nvdisasm is: `nvdisasm -gi` of each cubin
  tests/public/binaries.py run --tool build/bin/smem-lint DIR [-o tests/public/binaries.json]
  tests/public/binaries.py table                            # Markdown of what `run` wrote

Files of others are no part of this project; the figures are. A cubin that nvdisasm refuses is left out and counted (openptxas keeps what its own assembler made).
"""
import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import json
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "binaries.json"
SOURCES = {  # repository: what made its kernels, how many of its files at most
    "toyaix/triton-runner": ("Triton", 1000), "OpenMLIR/cuda-magic": ("Triton (Gluon)", 1000), "KookiesNKareem/cuxray": ("nvcc, test data of cuxray", 1000), "vosen/ZLUDA": ("PTX by hand", 1000),
    "garrick99/openptxas": ("PTX by hand", 150), "jialunzhang-psu/ptx-90-parser": ("nvcc, and what does not say", 1000), "Rust-GPU/Rust-CUDA": ("rustc (NVVM)", 1000), "dlwh/gust": ("nvcc, an old release's PTX", 1000)}
OLDEST = 75  # of a GPU that ptxas 13 compiles for


def git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=True).stdout


def compile_ptx(path):
    text = path.read_text(errors="replace")
    target = re.search(r"^\s*\.target\s+(sm_(\d+)[af]?)", text, re.MULTILINE)
    target = target[1] if target and int(target[2]) >= OLDEST else "sm_90"
    return subprocess.run(["ptxas", f"-arch={target}", "-lineinfo", "-o", path.with_suffix(".ptx.cubin"), path], capture_output=True, check=False, timeout=300).returncode == 0


def collect(options):
    for repository, (_, most) in SOURCES.items():
        clone = options.mirror / repository.replace("/", "+") / "repo"
        names = [line.split("\t")[1] for line in git(clone, "ls-tree", "-r", "HEAD").decode().splitlines()]
        names = sorted((name for name in names if re.search(r"\.(ptx|cubin)$", name) and "_fuzz" not in name), key=lambda name: hashlib.sha256(name.encode()).digest())[:most]
        folder = options.output / repository.replace("/", "+")
        folder.mkdir(parents=True, exist_ok=True)
        known = set()
        for number, name in enumerate(sorted(names)):
            content = git(clone, "show", f"HEAD:{name}")
            if content not in known:
                known.add(content)
                (folder / f"{number:03}_{pathlib.Path(name).name}").write_bytes(content)
        ptx = sorted(folder.glob("*.ptx"))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            print(repository, len(known), "files,", list(pool.map(compile_ptx, ptx)).count(False), "that ptxas refuses")


def list_all(options):
    def one(cubin):
        with open(f"{cubin}.sass", "wb") as out:
            return subprocess.run(["nvdisasm", "-gi", cubin], stdout=out, stderr=subprocess.DEVNULL, check=False, timeout=300).returncode == 0
    with concurrent.futures.ThreadPoolExecutor() as pool:
        print(list(pool.map(one, sorted(options.folder.rglob("*.cubin")))).count(False), "that nvdisasm refuses")


def analyse(tool, listing):
    count = collections.Counter()
    try:
        done = subprocess.run([tool, "--cuda-path=none", "--format=json", "--quiet", "--fail-on=never", "-j1", listing], capture_output=True, text=True, check=False, timeout=300)
        made = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return collections.Counter(crashes=1)
    count["crashes"] += done.returncode not in (0, 2) or "SIG" in done.stderr
    if not made["files"] or not made["files"][0]["parsed"]:
        return collections.Counter(unreadable=1)
    count["kernels"] += len({launch["mangled"] for launch in made["launches"]})
    refused = [one["message"] for one in made["diagnostics"] if "is not analysed" in one["message"]]
    count["refused"] += len(refused)
    for message in refused:
        count["because " + message.split("is not analysed: ")[1]] += 1
    for launch in made["launches"]:
        for site in launch["sites"]:
            count["accesses"] += 1
            count["with_pattern"] += bool((site.get("pattern") or {}).get("cases"))
    return count


def run(options):
    origins = collections.defaultdict(collections.Counter)
    listings = sorted(options.folder.rglob("*.sass"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for listing, count in zip(listings, pool.map(lambda path: analyse(options.tool, path), listings)):
            name = listing.relative_to(options.folder).parts[0].replace("+", "/")
            origins[name].update(count)
    figures = {"date": str(datetime.date.today()), "origins": {name: {"made_by": SOURCES.get(name, ("NVIDIA's library", 0))[0], **dict(sorted(count.items()))} for name, count in sorted(origins.items())}}
    text = json.dumps(figures, indent=1) + "\n"
    if options.output:
        options.output.write_text(text)
    print(text)


def table(_):
    figures = json.loads(FIGURES.read_text())["origins"]
    print("| origin | made by | kernels | analysed to the end | accesses | with a cost for all launches, or by cases |\n|---|---|---:|---:|---:|---:|")
    total = collections.Counter()
    for name, one in figures.items():
        if not one.get("kernels"):
            continue
        all_of_it = one["kernels"] + one.get("refused", 0)
        total.update({key: one.get(key, 0) for key in ("kernels", "refused", "accesses", "with_pattern", "crashes")})
        print(f"| {name} | {one['made_by']} | {all_of_it:,} | {one['kernels']:,} | {one.get('accesses', 0):,} | {one.get('with_pattern', 0):,} |")
    print(f"| all | | {total['kernels'] + total['refused']:,} | {total['kernels']:,} | {total['accesses']:,} | {total['with_pattern']:,} |")
    reasons = collections.Counter()
    for one in figures.values():
        reasons.update({key[len("because "):]: value for key, value in one.items() if key.startswith("because ")})
    print("\nRefused: " + ("; ".join(f"{value} for {key}" for key, value in reasons.most_common()) or "none") + f". {total['crashes'] or 'None'} of the runs crashed.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, function in (("collect", collect), ("list", list_all), ("run", run), ("table", table)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        if name == "collect":
            command.add_argument("--mirror", type=pathlib.Path, required=True)
        if name == "run":
            command.add_argument("--tool", required=True)
        if name in ("list", "run"):
            command.add_argument("folder", type=pathlib.Path)
        if name in ("collect", "run"):
            command.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()
