#!/usr/bin/env python3
"""Whether findings of the catalogue are recognised after edits that change nothing: fingerprints_test.py SMEM_LINT.

Every kernel gets a baseline; then lines are inserted, the file is formatted anew (by clang-format where there is one), symbols that no finding
mentions are renamed, and the files come in another order. All findings have to be unchanged. All edits are made at once; only if something does not
survive that, or SMEM_LINT_LONG_TESTS is set (and all kernels are taken, in place of one in two), is each made by itself, to say which it was.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "catalogue"))
import smem_lint  # noqa: E402

KERNELS = smem_lint.ROOT / "kernels"
LONG = bool(os.environ.get("SMEM_LINT_LONG_TESTS"))
CLANG_FORMAT = shutil.which("clang-format-19") or shutil.which("clang-format")


def insert_lines(text, rng):
    """Comments and blank lines between lines that do not continue one another."""
    out = ["// one more line", "", "/* and", "   two more */"]
    for line in text.split("\n"):
        out.append(line)
        if not line.endswith("\\") and rng.random() < 0.3 and "//" not in line and "launch" not in line:
            out.append("")
    return "\n".join(out)


def reformat(text, rng):
    """Other indentation, blanks round brackets and operators, broken lines; comments and directives stay."""
    if CLANG_FORMAT:
        style = rng.choice(("{BasedOnStyle: Mozilla, ColumnLimit: 60, Standard: c++17}", "{BasedOnStyle: GNU, Standard: c++17}",
                            "{BasedOnStyle: WebKit, ColumnLimit: 0, Standard: c++17}"))  # older standards have no <<<
        return subprocess.run([CLANG_FORMAT, f"--style={style}", "--assume-filename=k.cu"], input=text, text=True, capture_output=True, check=True).stdout
    out = []
    for line in text.split("\n"):
        code = line.split("//")[0]
        if line.lstrip().startswith(("#", "//", "*", "/*")) or "\\" in line or '"' in line or "asm" in line:
            out.append(line)
            continue
        code = re.sub(r"\[(?!\])", "[ ", code)
        code = re.sub(r"(?<!\[)\]", " ]", code)
        code = re.sub(r" ([*+]) ", lambda match: match[1] if rng.random() < 0.5 else f"\n      {match[1]}  ", code)
        out.append("\t" + code + ("  //" + line.split("//", 1)[1] if "//" in line else ""))
    return "\n".join(out)


def rename_unrelated(text, expressions):
    """Locals of floating point that no finding mentions."""
    mentioned = set(re.findall(r"\w+", " ".join(expressions)))
    names = {match[1] for match in re.finditer(r"\bfloat (\w+) = ", text)} - mentioned
    for name in sorted(name for name in names if f".{name}" not in text):
        text = re.sub(rf"\b{name}\b", f"{name}_renamed", text)
    return text


def main():
    tool = os.path.abspath(sys.argv[1])
    rng = random.Random(7)
    complaints, findings, kernels = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [kernel.name for kernel in sorted(KERNELS.glob("*.cu"))][:: 1 if LONG else 2]
        for file in KERNELS.iterdir():
            shutil.copy(file, folder)

        def lint(*options):
            return smem_lint.run(tool, "--cuda-path=none", f"--cache-dir={folder}/cache", *options, cwd=folder)

        lint("--format=json", "-o", "report.json", "--baseline=baseline.json", "--update-baseline", *names)
        entries = json.loads((folder / "baseline.json").read_text(encoding="utf-8"))["entries"]
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        expected = sum(1 for finding in report["findings"] if finding["fingerprints"])
        if len(entries) < 30:
            complaints.append(f"only {len(entries)} findings in the catalogue: nothing is tested")
        alone = {"inserted lines": lambda text, name: insert_lines(text, rng), "other format": lambda text, name: reformat(text, rng),
                 "renamed symbols": lambda text, name: rename_unrelated(text, [e["expression"] for e in entries if e["path"].endswith(name)])}

        def all_at_once(text, name):
            for edit in reversed(alone.values()):
                text = edit(text, name)
            return text

        findings, kernels = expected, len(names)
        for what, edit in {"all edits": all_at_once, **alone}.items():
            if what != "all edits" and not complaints and not LONG:
                break
            for name in names:
                (folder / name).write_text(edit((KERNELS / name).read_text(encoding="utf-8"), name), encoding="utf-8")
            shuffled = names[:]
            rng.shuffle(shuffled)
            done = lint("--baseline=baseline.json", "--fail-on=regression", *shuffled)
            output = done.stdout.decode("utf-8", "replace")
            summary = re.search(r"^baseline: .*", output, re.M)
            if not summary or summary[0] != f"baseline: 0 new, 0 worse, 0 better, 0 gone, {expected} unchanged":
                complaints.append(f"{what}: {summary and summary[0]}\n{smem_lint.text(done.stderr)}" + "\n".join(line for line in output.split("\n") if "gone:" in line or "(new)" in line or "(worse" in line))
    print(f"{findings} findings of {kernels} kernels, {len(alone)} kinds of edits, formatted by {CLANG_FORMAT or 'a few rules of this test'}: {len(complaints)} not survived")
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
