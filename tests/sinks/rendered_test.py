#!/usr/bin/env python3
"""Names, source lines, kernel and macro names, values of configurations and databases made of control characters, in every format:
rendered_test.py SMEM_LINT SMEM_VALIDATE [--rounds N] [--seed N]. The same texts each time; each output has to have its grammar.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import grammar

ROOT = pathlib.Path(__file__).resolve().parents[2]

PARTS = ["\n", "\r", "\t", "\x1b[31m", "\x1b]0;t\x07", "\x1b", "\x00", "\x08", "\x7f", "\u0085", "\u009b2J", "\u2028", "\u202e", "\u2066", "\u200b", "\ufeff", "\U000e0041", "\udcff", "\udc9b", "::error::x", "::",
         "##[error]x", "##vso[x]", "##teamcity[x]", "%0A", ":", ",", "|", "`", "``", "@someone", "#12", "https://a.b", "[a](b)", "![a](b)", "<img src=x>", "</script>", "&amp;", "\"", "'", "*_~$", "\\", "a", "kernel", " "]
CODE = """// smem-lint: launch block=(32) grid=(2) {comment}
#define {macro}(x) x
__global__ void {kernel}(float *out) {{
  __shared__ float {array}[32][32];
  {array}[threadIdx.x][0] = threadIdx.x; // {comment}
  __syncthreads();
  out[threadIdx.x] = {array}[threadIdx.x][{macro}(1) + 0 * sizeof("{string}")]; /* NOLINT(x): {reason} */
}}
"""


class Texts:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, without="", most=6):
        text = "".join(self.random.choice(PARTS) for _ in range(self.random.randrange(1, most)))
        return "".join(character for character in text if character not in without)

    def file_name(self):
        return self.text(without="\0/") + str(self.random.randrange(1000)) + ".cu"

    def identifier(self):
        return self.random.choice(["plain", "größe", "ядро", "核", "_x9"])

    def code(self):
        return CODE.format(comment=self.text(without="\n\r\\"), macro=self.identifier().upper(), kernel=self.identifier(), array=self.identifier() + "_", string=self.text(without='\n\r"\\\0'),
                           reason=self.text(without="*/"))


def scene(texts, folder):
    """Writes a repository; the files to analyse."""
    (folder / ".git").mkdir()
    names = [texts.file_name() for _ in range(2)]
    for name in names:
        (folder / name).write_bytes(texts.code().encode("utf-8", "surrogateescape"))
    broken = texts.file_name()
    (folder / broken).write_bytes(("#error " + texts.text(without="\n") + "\n" + texts.text() + "\n").encode("utf-8", "surrogateescape"))
    what = texts.random.randrange(4)
    if what == 0:
        (folder / ".smem-lint.yaml").write_text(f"{json.dumps(texts.random.choice(['Arch', 'Checks', 'FailOn', 'Baseline', texts.text(without=chr(0))]))}: "
                                                f"{json.dumps(texts.text())}\n", encoding="utf-8")
    elif what == 1:
        (folder / "compile_commands.json").write_text(json.dumps([{"directory": str(folder), "file": name, "arguments": ["nvcc", "-D" + texts.text(), "--" + texts.text(), name]} for name in names]))
    elif what == 2:
        (folder / ".smem-lint.yaml").write_text(f"Launches: [{json.dumps(texts.text() + ':block=32')}]\n", encoding="utf-8")
    return ["./" + name for name in names + [broken]]


def measured_beside(texts, tools, folder, predicted):
    """A prediction beside a measurement in which a kernel, a file and what goes with them are called whatever they like."""
    words = {"half_warp": texts.text(without="\0\udcff\udc9b"), "stride_two": texts.text(without="\0\udcff\udc9b"), "NVIDIA": texts.text(without="\0\udcff\udc9b"), "13.0": texts.text(without="\0\udcff\udc9b")}

    def renamed(text):
        for old, new in words.items():
            text = text.replace(old, json.dumps(new)[1:-1])
        return text

    measured = (ROOT / "validate/recorded/catalogue/half_warp.jsonl").read_text(encoding="utf-8")
    wrong = measured.replace('"wavefronts":8192', '"wavefronts":8193')
    (folder / "p.json").write_text(renamed(predicted), encoding="utf-8")
    (folder / "m.jsonl").write_text(renamed(wrong), encoding="utf-8")
    (folder / "damaged.jsonl").write_text(renamed(wrong)[:-30], encoding="utf-8")
    for name in ("text", "markdown", "json", "html"):
        for recording in ("m.jsonl", "damaged.jsonl", texts.text(without="\0")):
            done = subprocess.run([tools.smem_validate, "compare", "--color=never", f"--format={name}", "--verbose", "--", "p.json", recording], cwd=folder, capture_output=True, check=False)
            assert recording != "m.jsonl" or (done.returncode == 1 and done.stdout), done.stderr
            if done.stdout:
                grammar.OF_FORMAT[name](done.stdout)
            grammar.plain(done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("smem_lint", type=os.path.abspath)
    parser.add_argument("smem_validate", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runs = 0
    predicted = subprocess.run([options.smem_lint, "--cuda-path=none", "--fail-on=never", "--format=json", "kernels/half_warp.cu"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for number in range(options.seed, options.seed + options.rounds):
        texts = Texts(number)
        # A repository is analysed for the first format; the others are made of the same results.
        with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as results:
            folder = pathlib.Path(made)
            files = scene(texts, folder)
            measured_beside(texts, options, folder, predicted)
            for name in grammar.OF_FORMAT:
                color = name == "text" and number % 2 == 1
                done = subprocess.run([options.smem_lint, "--cuda-path=none", f"--format={name}", f"--color={'always' if color else 'never'}", *files], cwd=folder, capture_output=True,
                                      check=False, env={**os.environ, "NO_COLOR": "1", "SMEM_LINT_CACHE_DIR": results, "SMEM_LINT_CACHE_KEY": "of the tests, not a user's"})
                runs += 1
                try:
                    assert done.returncode in (0, 1, 2), f"exit code {done.returncode}"
                    assert b"internal error" not in done.stderr
                    if done.stdout and color:
                        grammar.plain(done.stdout, colors=True)
                    elif done.stdout:
                        grammar.OF_FORMAT[name](done.stdout)
                    grammar.plain(done.stderr, colors=color)
                except (AssertionError, ValueError) as error:
                    print(f"seed {number}, --format={name}: {error}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
                    return 1
    print(f"{options.rounds} repositories, {runs} reports")
    return 0


if __name__ == "__main__":
    sys.exit(main())
