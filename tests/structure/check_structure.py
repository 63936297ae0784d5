#!/usr/bin/env python3
"""The structure of the source: which folder may include which, and where the compiler model keeps its numbers.

    tests/structure/check_structure.py [--root DIR]     exit code 1 and a list of what is wrong

Checked: arrows between folders point downwards only; no file has more than 500 lines, and none of the compiler model more than 400, but for the files listed
below, which do not grow; the compiler model's numbers are in rules/ only, the
tests that these name are there, every stage has a test on IR and every rule names a test, but for the rules listed below; its uncertainties are expected by
golden files, which expect a verdict wherever they expect counts; the simulator names no compiler; and messages, documents
and the compiler model speak no dialect.
"""
import argparse
import pathlib
import re
import sys

# Lowest first. A folder may include headers of those before it, and its own.
LAYERS = ["simulator", "sinks", "line_table",
          "support", "flags", "syntax", "host", "program", "ptx", "nvcc", "ir", "sass", "frontend", "plan", "analysis", "report", "fixes", "config", "gate", "archive", "lsp", "driver"]
OUTSIDE = {"simulator", "sinks", "line_table"}  # of analyzer/
# What validate/ may use: it runs inside of other people's programs, or without LLVM.
VALIDATE = {"simulator", "sinks", "line_table"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
LONGEST = 500  # lines of a file
LONGEST_OF_NVCC = 400
# Files that are longer still, and how long they may be: split along their concepts they come off the list. No file is added to it.
LONGER = {
    "analyzer/headers/smem_lint/runtime_api.h": 593,
    "analyzer/host/runtime_api.cpp": 517,
    "analyzer/lsp/server.cpp": 527,
    "analyzer/report/launch_table.cpp": 577,
    "analyzer/sass/listing.cpp": 518,
    "analyzer/sass/machine_arithmetic.cpp": 535,
    "sinks/files.cpp": 530,
}


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in {".h", ".cpp", ".inc", ".def"})


def without_comments(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


def types_of(path):
    """Names of the types that a header defines, with their namespaces; those of unnamed ones are each file's own."""
    spaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if opened := re.match(r"(?:inline )?namespace([ \w:]*)\{", line):
            spaces.append(opened[1].strip())
        elif line.startswith("}") and "namespace" in line and spaces:
            spaces.pop()
        elif defined := re.match(r"(?:struct|class|enum class|enum) (\w+)\b[^;]*\{", line):
            if all(spaces):
                yield "::".join([*spaces, defined[1]])


def same_names(root):
    """Two types of one name are one for the linker, whichever it keeps (the one-definition rule)."""
    homes = {}
    for folder in ("analyzer", "simulator", "validate"):
        for path in sorted((root / folder).rglob("*.h")):
            for name in types_of(path) if "headers" not in path.parts else ():
                homes.setdefault(name, []).append(path.relative_to(root).as_posix())
    return [f"{name} is defined in {' and in '.join(places)}" for name, places in homes.items() if len(places) > 1]


def folder_of(header):
    """The layer that an included header is of; None: the including file's own folder."""
    top = header.split("/")[0]
    if "/" not in header:
        return None
    return "simulator" if top == "smem" else top if top in LAYERS else None


def wrong_arrows(root):
    for layer in LAYERS:
        folder = root / layer if layer in OUTSIDE else root / "analyzer" / layer
        if not folder.is_dir():
            yield f"{folder.relative_to(root)}: no such folder, but check_structure.py lists it"
            continue
        for path in sources(folder):
            for header in INCLUDE.findall(path.read_text(encoding="utf-8")):
                to = folder_of(header)
                if to and to != layer and LAYERS.index(to) > LAYERS.index(layer):
                    yield f"{path.relative_to(root)}: {layer}/ includes {header}, which is above it"
    for folder in sorted((root / "analyzer").iterdir()):
        if folder.is_dir() and folder.name not in LAYERS and folder.name != "headers":
            yield f"analyzer/{folder.name}: a folder that check_structure.py does not list"
    for path in sources(root / "analyzer"):
        if path.parent == root / "analyzer":
            yield f"{path.relative_to(root)}: a source that is in no folder"
    for path in sources(root / "validate"):
        for header in INCLUDE.findall(path.read_text(encoding="utf-8")):
            to = None if (root / "validate" / header).exists() else folder_of(header)  # it has a support/ of its own
            if to and to not in VALIDATE:
                yield f"{path.relative_to(root)}: validate/ includes {header}"


def long_files(root):
    for folder in ("analyzer", "simulator", "sinks", "line_table", "validate"):
        for path in sources(root / folder):
            name = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            lines = text.count("\n")
            of_nvcc = name.startswith("analyzer/nvcc/")
            most = LONGER.get(name, LONGEST_OF_NVCC if of_nvcc else LONGEST)
            is_table = text.startswith("// Written by") or (not of_nvcc and path.suffix in {".inc", ".def"})
            if lines > most and not is_table:
                yield f"{name}: {lines} lines, of at most {most}: it has more than one concept"
            elif name in LONGER and lines <= LONGEST:
                yield f"{name}: {lines} lines: it does not belong in LONGER of check_structure.py any more"
    for name in LONGER:
        if not (root / name).is_file():
            yield f"{name}: no such file, but LONGER of check_structure.py lists it"


# Numbers that are no rule of nvcc's: widths of registers and accesses, how many operands or values there are, sizes of sets.
PLAIN = {0, 1, 2, 3, 4, 8, 16, 31, 32, 64, 128}
THRESHOLD = re.compile(r"(?:[<>]=?|[!=]=)\s*(\d+)\b(?!\s*>)|\bconstexpr\s+(?:unsigned|int|long|std::\w+)\s+(\w+)\s*=\s*(\d+)")
# How far the model looks, which is no number of nvcc's: named so.
SEARCH = re.compile(r"depth|deepest|MostValues", re.IGNORECASE)


def thresholds(root):
    nvcc = root / "analyzer" / "nvcc"
    for path in sources(nvcc):
        if nvcc / "rules" in path.parents or path.name == "machine.h":
            continue
        for number, line in enumerate(without_comments(path.read_text(encoding="utf-8")).splitlines(), 1):
            for compared, name, defined in THRESHOLD.findall(line):
                if (compared and int(compared) not in PLAIN) or (defined and int(defined) > 1 and not SEARCH.search(name)):
                    yield f"{path.relative_to(root)}:{number}: {compared or defined} is a threshold: it belongs into rules/"


COMPILER = re.compile(r"\b(?:nvcc|cicc|ptxas|NVVM|LLVM|clang)\b", re.IGNORECASE)


def words_of_the_compiler(root):
    """The simulator executes programs, whoever made them: what their producers leave open arrives as data."""
    for path in sources(root / "simulator"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := COMPILER.search(line):
                yield f"{path.relative_to(root)}:{number}: {found[0]}: the simulator knows no compiler"


UNCERTAINTY = re.compile(r'\{U::\w+,\s*(?:"(assumed-[a-z-]+)"|assumption_id::(\w+))')


def unseen_uncertainties(root):
    """Each id of the compiler model's uncertainties shows in what a golden file expects."""
    table = (root / "analyzer" / "nvcc" / "uncertainties.cpp").read_text(encoding="utf-8")
    own = dict(re.findall(r'(\w+) = "(assumed-[a-z-]+)"', (root / "simulator" / "include" / "smem" / "assumption.h").read_text(encoding="utf-8")))
    ids = [name or own.get(constant, constant) for name, constant in UNCERTAINTY.findall(table)]
    if len(ids) < 10:
        yield "analyzer/nvcc/uncertainties.cpp: the table is not found"
    goldens = "".join(path.read_text(encoding="utf-8", errors="replace") for path in (root / "tests" / "lit").rglob("*") if path.suffix in {".cu", ".ll", ".test", ".ptx", ".sass"})
    for name in ids:
        if name == "assumed-calibration":  # of figures worse than those there are: tests/report/calibrate_test.cpp
            continue
        if not re.search(rf"\[(?:[a-z, -]*, )?{name}[\],]", goldens):
            yield f"tests/lit: no file expects [{name}]"


def misnamed_uncertainties(root):
    """An uncertainty is called in code what its id says: SourceLine is assumed-source-line."""
    table = (root / "analyzer" / "nvcc" / "uncertainties.cpp").read_text(encoding="utf-8")
    for name, own in re.findall(r'\{U::(\w+),\s*"assumed-([a-z-]+)"', table):
        if re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower() != own:
            yield f"analyzer/nvcc/uncertainties.cpp: {name} is called assumed-{own}"


# A row of the report's table, as a golden file expects it: what the instruction is, and nothing after it but counts.
ROW_WITHOUT_VERDICT = re.compile(r"^\W*[A-Z][A-Z0-9_-]*:.*\b(?:load|store|atomic|ldmatrix|stmatrix|copy) x?\d+(?:\s|\{\{[^}]*\}\}|[\d,.?x-]|-way)*$")


def rows_without_verdict(root):
    """A golden file that expects a row's counts expects its verdict: counts that are assumed are no claim, and the two must not change places unseen."""
    for path in sorted((root / "tests" / "lit").rglob("*")):
        if path.suffix not in {".cu", ".test", ".ptx", ".sass"} or "Inputs" in path.parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if "-NOT:" not in line and ROW_WITHOUT_VERDICT.match(line):
                yield f"{path.relative_to(root)}:{number}: a row of the table without its verdict"


def untested_rules(root):
    """Tests that tables of rules name."""
    for path in sorted((root / "analyzer/nvcc/rules").glob("nvcc_*.h")):
        for test in re.findall(r'"((?:nvcc|constructs|findings)/\w+\.\w+)"', path.read_text(encoding="utf-8")):
            if not (root / "tests/lit" / test).is_file():
                yield f"{path.relative_to(root)}: there is no tests/lit/{test}"


STAGE = re.compile(r'\{At::\w+, \w+, "([\w-]+)"')


def untested_stages(root):
    """Stages that no RUN line of tests/lit/nvcc runs."""
    stages = STAGE.findall((root / "analyzer/nvcc/pipeline.cpp").read_text(encoding="utf-8"))
    if not stages:
        yield "analyzer/nvcc/pipeline.cpp: no stage is found in it"
    run = set()
    for path in sorted((root / "tests/lit/nvcc").glob("*.ll")):
        for command in re.findall(r"RUN: %stage (.*?)%s", path.read_text(encoding="utf-8")):
            run.update(stage for word in command.split() if not word.startswith("-") for stage in word.split(","))
    for stage in stages:
        if stage not in run:
            yield f"analyzer/nvcc/pipeline.cpp: no file of tests/lit/nvcc runs the stage {stage}"


# Rules whose row names no test yet (it would take a kernel with thousands of uses of one variable). To be taken off the list with the test that one gets; a new rule comes with its test.
UNTESTED_RULES = {"captured_uses"}
RULE = re.compile(r'\.(\w+) = \{([^{}]*?)"([^"]*)"\}', re.DOTALL)
RELEASE = re.compile(r'\.?release = "(\d+)\.(\d+)"')


def tables_of_rules(root):
    """(path, release, {rule: test}), the oldest release first: of a later one the rows that differ."""
    for path in sorted((root / "analyzer/nvcc/rules").glob("nvcc_*.h"), key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)]):
        text = path.read_text(encoding="utf-8")
        found = RELEASE.search(text)
        yield path, found and f"{found[1]}.{found[2]}", {name: test for name, _, test in RULE.findall(text)}


def rules_without_test(root):
    rules = {}
    for number, (path, release, own) in enumerate(tables_of_rules(root)):
        where = path.relative_to(root)
        if not own or not release:
            yield f"{where}: no {'rule' if release else 'release'} is found in it"
            continue
        for name, test in own.items():
            if not test and name not in UNTESTED_RULES:
                yield f"{where}: the rule {name} names no test"
            # What a later release does otherwise shows only where a stage is run with that release's table.
            elif number and not runs_release(root / "tests/lit" / test, release):
                yield f"{where}: {name} differs from the release before, but tests/lit/{test} has no `RUN: %stage --release={release}` without --rule"
        rules.update(own)
    if not rules:
        yield "analyzer/nvcc/rules: no table is found"
    for name in sorted(UNTESTED_RULES):
        if rules.get(name, "") or name not in rules:
            yield f"tests/structure/check_structure.py: {name} names a test, or is no rule: it does not belong in UNTESTED_RULES"


def runs_release(test, release):
    commands = re.findall(r"RUN: %stage (.*)", test.read_text(encoding="utf-8")) if test.suffix == ".ll" and test.is_file() else []
    return any(f"--release={release}" in command.split() and "--rule=" not in command for command in commands)


# Words of none but this project, where the field has others (then and else blocks, attributed to, modelling uncertainty, what nothing uses).
DIALECT = re.compile(r"\b(?:arms?|booked|books|doubts?|doubtful|nobody)\b", re.IGNORECASE)
SPOKEN = ["README.md", "CONTRIBUTING.md", "docs", "analyzer/nvcc", "analyzer/report", "validate/RULES.md", "validate/compare", "tests/lit"]


def words_of_a_dialect(root):
    for place in SPOKEN:
        paths = [root / place] if (root / place).is_file() else sorted((root / place).rglob("*"))
        for path in paths:
            if path.suffix not in {".md", ".h", ".cpp", ".def", ".json", ".py", ".cu", ".ll", ".test"} or not path.is_file():
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := DIALECT.search(line):
                    yield f"{path.relative_to(root)}:{number}: {found[0]}: CUDA engineers do not call it that"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    root = parser.parse_args().root
    wrong = [*wrong_arrows(root), *same_names(root), *long_files(root), *thresholds(root), *words_of_the_compiler(root), *words_of_a_dialect(root), *unseen_uncertainties(root), *misnamed_uncertainties(root), *rows_without_verdict(root), *untested_rules(root),
             *untested_stages(root), *rules_without_test(root)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
