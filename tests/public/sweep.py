#!/usr/bin/env python3
"""Analyses files of many public repositories as somebody would who has just installed smem-lint, and counts what went wrong.

sweep.json names repositories with commits, a seed and how many files; the seed chooses the files among the .cu and .cuh files that have a kernel or
a launch, in turns from each repository, without those that list.json and programs.json name (they were looked at). The sources are no part of this
project; --sources is a folder with a checkout of each repository at OWNER/NAME or OWNER+NAME.

  tests/public/sweep.py sources --clones DIR -o DIR      writes these checkouts, from clones (bare ones, too) or from github.com
  tests/public/sweep.py choose  --sources DIR            prints the files
  tests/public/sweep.py nvcc    --sources DIR -o FILE    which of them nvcc compiles, kept in a file of its own
  tests/public/sweep.py run     --sources DIR --tool build/bin/smem-lint --nvcc FILE -o tests/public/sweep_figures.json
  tests/public/sweep.py pack    --sources DIR -o DIR     copies what these need, with chosen.json, for a machine that lacks the rest (--chosen)

No configuration, no option but the format of the report; the include folders and the C++ standard that include_folders.py finds; the toolkit that
smem-lint finds.
`run` takes one file at a time, or --jobs of them, each on one core; it can be stopped and continued (--resume). CPU time and memory are each process's
own, as the system counts them.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import contradictions  # noqa: E402
import end_to_end  # noqa: E402
import evaluate  # noqa: E402
import include_folders  # noqa: E402
import kernels_of_text  # noqa: E402
from speed import NVCC_VERSION  # noqa: E402

SUFFIXES = (".cu", ".cuh")
LIMIT = 60    # seconds that a file may take
GIVE_UP = 300  # CPU seconds after which it is ended
NVCC_GIVE_UP = 900  # CPU seconds of one of nvcc's programs
SYSTEM = ("/usr/include", "/usr/include/c++/12", "/usr/include/x86_64-linux-gnu", "/usr/lib/llvm-19/lib/clang/19/include")
TOOLKIT = ("/usr/local/cuda/include", "/usr/local/cuda/include/cccl")
EXTRACTED = re.compile(r"\.(cu|cuh|h|hpp|hxx|hh|H|cpp|cc|cxx|c|inl|inc|impl|def|ipp|tpp|txx|cmake|mk)$|(^|/)(CMakeLists\.txt|setup\.py|[A-Za-z_0-9]+)$")


def checkout(sources, name):
    for folder in (name, name.replace("/", "+")):
        if os.path.isdir(os.path.join(sources, folder)):
            return os.path.join(sources, folder)
    return None


# --- Sources ------------------------------------------------------------------------------------------------------------

def git_folder(clones, name):
    owner, short = name.split("/")
    for folder in (name, f"{name}.git", f"{owner}+{short}/repo", f"{owner}+{short}", f"{short}.git", short):
        path = os.path.join(clones, folder)
        if os.path.isdir(os.path.join(path, ".git")):
            return os.path.join(path, ".git")
        if os.path.isfile(os.path.join(path, "HEAD")) and os.path.isdir(os.path.join(path, "objects")):
            return path
    return None


def write_sources(options):
    """C, C++ and CUDA files of each commit. What a clone lacks (large files, submodules) is not there: somebody who clones without them has as much."""
    missing = []
    for entry in options.list["repositories"]:
        name, commit = entry["repository"], entry["commit"]
        target = os.path.join(options.output, name)
        if os.path.isdir(target):
            continue
        git = git_folder(options.clones, name) if options.clones else None
        with tempfile.TemporaryDirectory() as folder:
            if not git:
                git = os.path.join(folder, "git")
                subprocess.run(["git", "init", "-q", "--bare", git], check=True)
                if subprocess.run(["git", "--git-dir", git, "fetch", "-q", "--depth", "1", f"https://github.com/{name}", commit], check=False).returncode:
                    missing.append(name)
                    continue
            env = dict(os.environ, GIT_DIR=git, GIT_INDEX_FILE=os.path.join(folder, "index"))
            listed = subprocess.run(["git", "ls-tree", "-r", "-z", "--name-only", commit], env=env, capture_output=True, check=False)
            if listed.returncode:
                missing.append(f"{name} (no commit {commit})")
                continue
            os.makedirs(target)
            wanted = b"\0".join(path for path in listed.stdout.split(b"\0") if EXTRACTED.search(path.decode("utf-8", "replace")))
            subprocess.run(["git", "read-tree", commit], env=env, check=True)
            subprocess.run(["git", "checkout-index", "-f", "-q", "-z", "--stdin"], env=dict(env, GIT_WORK_TREE=target), input=wanted, stderr=subprocess.DEVNULL, check=False)
        print(f"{name}: {wanted.count(bytes(1)) + 1} files", flush=True)
    if missing:
        sys.exit(f"sweep.py: not there: {', '.join(missing)}")


# --- Which files --------------------------------------------------------------------------------------------------------

def looked_at():
    seen = {(f["repository"], f["path"]) for f in evaluate.load_list(HERE / "list.json")}
    for repository in json.loads((HERE / "programs.json").read_text()):
        seen |= {(repository["repository"], path) for program in repository["programs"] for path in program["sources"]}
    return seen


def candidates(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in files:
            path = os.path.join(folder, name)
            if not name.endswith(SUFFIXES) or os.path.islink(path):
                continue
            text = kernels_of_text.without_comments(pathlib.Path(path).read_text(errors="replace"))
            if "__global__" in text or "<<<" in text:
                yield os.path.relpath(path, root)


def choose(wanted, sources):
    """[(repository, path)]: in turns from each repository, in the order of a hash of seed and path, which no library changes."""
    def order(text):
        return hashlib.sha256(f"{wanted['seed']}:{text}".encode()).hexdigest()

    seen, piles = looked_at(), []
    for entry in sorted(wanted["repositories"], key=lambda e: order(e["repository"])):
        name = entry["repository"]
        root = checkout(sources, name)
        if not root:
            sys.exit(f"sweep.py: no checkout of {name} in {sources}: see `sweep.py sources`")
        piles.append((name, sorted((p for p in candidates(root) if (name, p) not in seen), key=lambda p: order(f"{name}/{p}"), reverse=True)))
    chosen = []
    while len(chosen) < wanted["files"] and any(pile for _, pile in piles):
        for name, pile in piles:
            if pile and len(chosen) < wanted["files"]:
                chosen.append((name, pile.pop()))
    return sorted(chosen)


class Files:
    """The chosen files with their include folders; each repository is read once."""

    def __init__(self, options):
        self.sources = os.path.abspath(options.sources)
        self.known = {}
        if "chosen" in options.list:
            self.known = {(e["repository"], e["path"]): e["flags"] for e in options.list["chosen"]}
        if options.chosen:
            self.known = {(e["repository"], e["path"]): e["flags"] for e in json.loads(options.chosen.read_text())}
        self.all = [f for f in self.known or choose(options.list, self.sources) if re.search(options.only, "/".join(f))]
        if options.every > 1:
            self.all = sorted(self.all, key=lambda f: hashlib.sha256("/".join(f).encode()).hexdigest())[::options.every]
        self.read = None, None, None

    def path(self, file):
        return os.path.join(checkout(self.sources, file[0]), file[1])

    def flags(self, file):
        if file in self.known:
            return [f"-I{self.sources}/{flag[2:]}" if flag.startswith("-I") else flag for flag in self.known[file]]
        if self.read[0] != file[0]:
            root = checkout(self.sources, file[0])
            self.read = file[0], include_folders.Repository(root), include_folders.standard(root)
        root = self.read[1].root
        return self.read[2] + [os.path.normpath(f"-I{root}/{folder}") for folder in include_folders.include_folders(self.read[1], file[1], SYSTEM, TOOLKIT)]

    def relative(self, flags):
        return [flag.replace(self.sources + "/", "") for flag in flags]


# What may be included: an #include, a macro that one names, a header that is asked for.
INCLUDED = re.compile(r'^[ \t]*#[ \t]*(?:include(?:_next)?|define[ \t]+\w+)[ \t]*["<]([^">\n]+)[">]|__has_include(?:_next)?[ \t]*\([ \t]*["<]([^">\n]+)[">]', re.M)


def reached(path, folders):
    """A file and every file that its text, or the text of one of these, can include, whatever the conditions around it say."""
    seen, queue = {path}, [path]
    while queue:
        at = queue.pop()
        text = pathlib.Path(at).read_text(errors="replace")
        for name in {name.strip() for pair in INCLUDED.findall(text) for name in pair if name}:
            for folder in (os.path.dirname(at), *folders):
                target = os.path.normpath(os.path.join(folder, name))
                if target not in seen and os.path.isfile(target):
                    seen.add(target)
                    queue.append(target)
    return seen


def pack(options):
    files, chosen, needed = Files(options), [], set()
    for file in files.all:
        flags = files.flags(file)
        chosen.append({"repository": file[0], "path": file[1], "flags": files.relative(flags)})
        needed |= {path for path in reached(files.path(file), [flag[2:] for flag in flags if flag.startswith("-I")]) if path.startswith(files.sources + "/")}
        for flag in flags:
            if flag.startswith("-I"):
                os.makedirs(os.path.join(options.output, flag[2:].replace(files.sources + "/", "")), exist_ok=True)
    for path in sorted(needed):
        target = os.path.join(options.output, os.path.relpath(path, files.sources))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)
    pathlib.Path(options.output, "chosen.json").write_text(json.dumps(chosen, indent=0) + "\n")
    print(f"{len(chosen)} files need {len(needed)}, {sum(os.path.getsize(path) for path in needed) >> 20} MiB")


# --- nvcc ---------------------------------------------------------------------------------------------------------------

def run_nvcc(options):
    files = Files(options)
    known = json.loads(options.output.read_text()) if options.output.exists() else {}
    todo = [(file, flags, said) for file, flags in ((file, files.flags(file)) for file in files.all)
            if known.get("/".join(file), {}).get("flags") != (said := " ".join(files.relative(flags)))]

    def one(item):
        file, flags, said = item
        with tempfile.TemporaryDirectory() as folder:
            command = [options.nvcc, "-cubin", "-arch=sm_90", "--expt-relaxed-constexpr", "--extended-lambda", "-x", "cu", "-w", "-o", os.path.join(folder, "cubin"), *flags, files.path(file)]
            start = time.monotonic()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", env=dict(os.environ, TMPDIR=folder),
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (options.give_up, options.give_up)), check=False)
            row = {"flags": said, "result": "compiles" if done.returncode == 0 else "fails", "seconds": round(time.monotonic() - start, 1)}
            if done.returncode == 0:
                row["kernels"] = len(set(re.findall(rb"\.text\.([\w$]+)", pathlib.Path(folder, "cubin").read_bytes())))
            if done.returncode:
                reason = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[-200:])
                row["reason"] = reason.replace(files.sources + "/", "")[:300]
                if re.search(r"CPU time limit|died due to signal|Killed", done.stderr):
                    row["result"] = "no end"
            return file, row

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, item) for item in todo]):
            file, row = done.result()
            known["/".join(file)] = row
            options.output.write_text(json.dumps(known, indent=0) + "\n")
            print(f"{row['result']:8} {row['seconds']:7.1f} s  {'/'.join(file)}  {row.get('reason', '')[:150]}", flush=True)
    print(collections.Counter(row["result"] for row in known.values()))


# --- smem-lint ----------------------------------------------------------------------------------------------------------

def clang_flags(headers, flags):
    own = end_to_end.shipped_headers_flags() if headers == "none" else end_to_end.toolkit_flags(headers) + NVCC_VERSION
    return [*own, "-idirafter", str(end_to_end.HEADERS / "host"), *flags]


def outcome_of(code, report, errors):
    """complete, in part (exit code 2 but kernels were analysed), refused, no end, signal or internal error; and the first reason."""
    messages = [d["message"] for d in (report or {}).get("diagnostics", []) if d["severity"] == "error"] + errors.strip().splitlines()
    broken = next((m for m in messages if re.search(r"internal error|crashed|is never defined|Assertion|bad_alloc|PLEASE submit", m)), None)
    if code is None:
        return "no end", f"none within {GIVE_UP} CPU seconds"
    if code < 0 or code > 2 and code >= 128:
        return "signal", f"signal {-code if code < 0 else code - 128}"
    if broken or code > 2 or report is None:
        return "internal error", broken or (messages or [f"exit code {code}"])[0]
    if code < 2:
        return "complete", ""
    return ("in part" if report["launches"] else "refused"), (messages or [""])[0]


def verdicts_of(sites):
    counts = collections.Counter(site["verdict"] for site in sites)
    return {verdict: counts[verdict] for verdict in ("exact", "assumed", "unknown")}


def silence_of(code, report, names, preprocess, path):
    """Kernels of the file about which a report that says all is well is silent."""
    if code not in (0, 1) or not names and report["launches"]:
        return []
    silent = kernels_of_text.unmentioned(names, report)
    if silent:  # perhaps only because the preprocessor leaves them out
        active = kernels_of_text.active_names(preprocess, path)
        silent = silent if active is None else kernels_of_text.unmentioned(active, report)
    return silent


def out_of_bounds_assumed(report):
    """Assumed launches in which the kernel leaves an array."""
    return sum(launch["origin"]["kind"] == "assumed" and any("bounds" in problem["kind"] for problem in launch.get("problems", []))
               for launch in report["launches"])


def sweep_file(file, flags, sources, options):
    """Runs in a process of its own where files are taken side by side: what a process has in memory counts as its children's, too."""
    path = os.path.join(checkout(sources, file[0]), file[1])
    if options.cores:
        core = options.cores.get()
        os.sched_setaffinity(0, {core})
    try:
        ran = evaluate.run([options.tool, "--format=json", path, "--", *flags], GIVE_UP)
        clang = clang_alone(options, [*flags, *assumed_definitions(ran[4])], path) if options.clang_times and ran[0] in (0, 1, 2) else (None, None)
        return row_of(file, path, flags, sources, options, ran, clang)
    finally:
        if options.cores:
            options.cores.put(core)


def row_of(file, path, flags, sources, options, ran, clang):
    code, wall, cpu, memory, out, err = ran
    try:
        report = json.loads(out)
    except ValueError:
        report = None
    outcome, reason = outcome_of(code, report, err)
    row = {"repository": file[0], "path": file[1], "outcome": outcome}
    if reason:
        row["reason"] = reason.replace(sources + "/", "")[:300]
    row.update(code=code, wall=round(wall, 2), cpu=round(cpu, 2), mib=round(memory), json_kib=len(out) // 1024)
    text = kernels_of_text.without_comments(pathlib.Path(path).read_text(errors="replace"))
    names = kernels_of_text.names_in(text)
    row["main"] = bool(evaluate.MAIN.search(text))
    if not report:
        return row
    preprocess = [options.clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudalib", "-E", "-w", *end_to_end.SDK_VERSION,
                  *clang_flags(options.headers, flags), path]
    row["silent"] = silence_of(code, report, names, preprocess, path)
    texts = contradictions.host_texts(report)
    wrong = contradictions.of(report, texts)
    kinds = collections.Counter(launch["origin"]["kind"] for launch in report["launches"])
    row.update(kernels=sum(f["kernels"] for f in report["files"]), launches=len(report["launches"]), host_code=kinds["host_code"], assumed_launches=kinds["assumed"],
               out_of_bounds=out_of_bounds_assumed(report), contradictions=[text.replace(sources + "/", "") for text in wrong],
               dead_code=contradictions.dead_code(report, texts), rows=verdicts_of(site for launch in report["launches"] for site in launch["sites"]),
               findings=dict(collections.Counter(f["rule"] for f in report["findings"])))
    if outcome in ("complete", "in part"):
        row["clang"], row["clang_mib"] = clang
    return row


def assumed_definitions(report):
    """Macros that smem-lint defines as there is no kernel without them: Clang then has as much to do."""
    return sorted(set(re.findall(r"analysed with (-D\w+=\w+): this condition", report if isinstance(report, str) else report.decode("utf-8", "replace"))))


def clang_alone(options, flags, path):
    """CPU seconds and MiB of Clang making optimised device IR of the same file with the same headers; None where it does not compile it."""
    with open(os.devnull, "w") as null:
        usage = end_to_end.Usage(end_to_end.clang_command(options.clang, clang_flags(options.headers, flags), path), null.fileno())
    return (round(usage.cpu, 2), round(usage.memory)) if usage.code == 0 else (None, None)


def rows_of(todo, files, options):
    """One at a time in this process, or side by side."""
    if options.jobs == 1:
        options.cores = None
        for file in todo:
            yield sweep_file(file, files.flags(file), files.sources, options)
        return
    context = multiprocessing.get_context("spawn")  # a fork would have this process's memory
    with context.Manager() as manager, concurrent.futures.ProcessPoolExecutor(options.jobs, context, max_tasks_per_child=1) as pool:
        options.cores = manager.Queue()
        for core in sorted(os.sched_getaffinity(0))[:options.jobs]:
            options.cores.put(core)
        started = [pool.submit(sweep_file, file, files.flags(file), files.sources, options) for file in todo]
        for done in concurrent.futures.as_completed(started):
            yield done.result()


def run_sweep(options):
    files = Files(options)
    rows, done = [], set()
    kept = options.output.with_suffix(".rows") if options.output else None
    if kept and options.resume and kept.exists():
        rows = [json.loads(line) for line in kept.read_text().splitlines()]
        done = {(row["repository"], row["path"]) for row in rows}
    elif kept:
        kept.write_text("")
    for row in rows_of([file for file in files.all if file not in done], files, options):
        rows.append(row)
        if kept:
            with kept.open("a") as out:
                out.write(json.dumps(row) + "\n")
        bad = (row["outcome"] in ("signal", "internal error", "no end") or row["wall"] > LIMIT or row["mib"] > 1024 or row.get("silent") or row.get("contradictions")
               or row.get("out_of_bounds"))
        print(f"{'!' if bad else ' '} {row['outcome']:9} {row['wall']:6.1f} s {row['mib']:5} MiB {str(list(row.get('rows', {}).values())):20} {row['repository']}/{row['path']}  "
              f"{row.get('reason', '')[:110]} {row.get('silent') or ''} {(row.get('contradictions') or [''])[0]}", flush=True)
    nvcc = json.loads(options.nvcc.read_text()) if options.nvcc else {}
    for row in rows:
        known = nvcc.get(f"{row['repository']}/{row['path']}")
        if known:
            row["nvcc"] = known["result"]
            row["nvcc_kernels"] = known.get("kernels", 0)
    figures = {"machine": evaluate.state_of_machine(options), "seed": options.list["seed"], "summary": summary_of(rows), "files": sorted(rows, key=lambda r: (r["repository"], r["path"]))}
    if options.output:
        text = json.dumps({key: value for key, value in figures.items() if key != "files"}, indent=1)[:-2]
        options.output.write_text(text + ',\n "files": [\n' + ",\n".join("  " + json.dumps(row) for row in figures["files"]) + "\n ]\n}\n")
        kept.unlink()
    print(json.dumps(figures["summary"], indent=1))


def percentile(values, share):
    values = sorted(values)
    return round(values[min(len(values) - 1, int(share * len(values)))], 2) if values else None


def summary_of(rows):
    outcomes = collections.Counter(row["outcome"] for row in rows)
    compiled = [row for row in rows if row.get("nvcc") == "compiles"]
    ratios = [row["cpu"] / row["clang"] for row in rows if row.get("clang")]
    libraries = [row for row in rows if not row["main"] and row.get("rows") and row.get("nvcc", "compiles") == "compiles"]
    def total(some, field):
        return sum(row.get(field, 0) for row in some)
    def verdicts(some):
        return {v: sum(row["rows"][v] for row in some if "rows" in row) for v in ("exact", "assumed", "unknown")}
    return {
        "repositories": len({row["repository"] for row in rows}), "files": len(rows), "outcomes": dict(outcomes),
        "silent": sum(bool(row.get("silent")) for row in rows), "contradictory": sum(len(row.get("contradictions", [])) for row in rows),
        "signals": outcomes["signal"], "internal_errors": outcomes["internal error"],
        "above_limit": sum(row["wall"] > LIMIT or row["outcome"] == "no end" for row in rows), "limit_s": LIMIT, "most_mib": max((row["mib"] for row in rows), default=0),
        "above_1_gib": sum(row["mib"] > 1024 for row in rows), "of_these_clang_alone": sum(row["mib"] > 1024 and (row.get("clang_mib") or 0) > 1024 for row in rows),
        "launches": total(rows, "launches"), "launches_from_host_code": total(rows, "host_code"), "launches_assumed": total(rows, "assumed_launches"),
        "in_dead_code": total(rows, "dead_code"), "assumed_out_of_bounds": total(rows, "out_of_bounds"), "rows": verdicts(rows),
        "libraries": {"files": len(libraries), "rows": verdicts(libraries)},
        "compiled_by_nvcc": len(compiled), "complete_of_these": sum(row["outcome"] == "complete" for row in compiled),
        "in_part_of_these": sum(row["outcome"] == "in part" for row in compiled),
        "compiled_to_kernels": {"files": sum(bool(row["nvcc_kernels"]) for row in compiled), **{name: sum(bool(row["nvcc_kernels"]) and row["outcome"] == name for row in compiled)
                                                                                             for name in ("complete", "in part", "refused")}},
        "seconds": {"p50": percentile([r["cpu"] for r in rows], .5), "p95": percentile([r["cpu"] for r in rows], .95), "p99": percentile([r["cpu"] for r in rows], .99)},
        "over_clang": {"files": len(ratios), "p50": percentile(ratios, .5), "p95": percentile(ratios, .95), "p99": percentile(ratios, .99), "max": percentile(ratios, 1)},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    base = argparse.ArgumentParser(add_help=False)
    base.add_argument("--list", type=pathlib.Path, default=HERE / "sweep.json")
    files = argparse.ArgumentParser(add_help=False)
    files.add_argument("--sources", required=True, help="folder with a checkout of each repository of the list")
    files.add_argument("--chosen", type=pathlib.Path, help="the files and their flags as `sweep.py pack` wrote them")
    files.add_argument("--only", default="", help="files whose repository and path match this regular expression")
    files.add_argument("--every", type=int, default=1, metavar="N", help="an Nth of them")
    one = commands.add_parser("sources", parents=[base])
    one.add_argument("--clones", help="folder of clones (default: fetched from github.com)")
    one.add_argument("-o", "--output", required=True)
    commands.add_parser("choose", parents=[base, files])
    two = commands.add_parser("nvcc", parents=[base, files])
    two.add_argument("--nvcc", default="nvcc")
    two.add_argument("--jobs", type=int, default=1)
    two.add_argument("--give-up", type=int, default=NVCC_GIVE_UP, metavar="S", help="CPU seconds of one of its programs")
    two.add_argument("-o", "--output", type=pathlib.Path, required=True, help="what it knows already is kept")
    three = commands.add_parser("run", parents=[base, files])
    three.add_argument("--tool", required=True)
    three.add_argument("--clang", default="clang++-19")
    three.add_argument("--headers", default="/usr/local/cuda", help="the toolkit that smem-lint finds, for Clang; `none` for smem-lint's own headers")
    three.add_argument("--jobs", type=int, default=1)
    three.add_argument("--no-clang-times", dest="clang_times", action="store_false")
    three.add_argument("--nvcc", type=pathlib.Path, help="what `sweep.py nvcc` wrote")
    three.add_argument("--resume", action="store_true")
    three.add_argument("-o", "--output", type=pathlib.Path)
    four = commands.add_parser("pack", parents=[base, files])
    four.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    options.list = json.loads(options.list.read_text())
    if options.command == "sources":
        write_sources(options)
    elif options.command == "choose":
        for file in Files(options).all:
            print("/".join(file))
    elif options.command == "nvcc":
        run_nvcc(options)
    elif options.command == "pack":
        pack(options)
    else:
        options.tool, options.cuda_path = os.path.abspath(options.tool), options.headers
        run_sweep(options)


if __name__ == "__main__":
    main()
