#!/usr/bin/env python3
"""The evaluation script on a list of its own: test_evaluate.py SMEM_LINT."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1))
SCRIPT = pathlib.Path(__file__).resolve().parent / "evaluate.py"

KERNEL = "__global__ void k(float *x) { x[threadIdx.x] = 1; }\n"
LAUNCH = "int main(int argc, char **argv) {{ float *x; cudaMalloc(&x, 4096); k<<<{}, 32>>>(x); }}\n"


class Evaluation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def evaluate(self, files, *arguments):
        listed = []
        for name, text in files.items():
            path = self.folder / "owner" / "name" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if name.endswith(".cu"):
                listed.append({"path": name, "includes": ["owner/name/inc"], "nvcc": "fails" if "broken" in name else "compiles"})
        (self.folder / "list.json").write_text(json.dumps([{"repository": "owner/name", "commit": "0", "files": listed}]))
        return subprocess.run([sys.executable, SCRIPT, "--tool", SMEM_LINT, "--cuda-path=none", "--sources", self.folder, "--list",
                               self.folder / "list.json", "-o", self.folder / "figures.json", *arguments],
                              capture_output=True, text=True, check=False, timeout=120)

    @unittest.skipUnless(shutil.which("clang++-19"), "no clang++-19 to compare with")
    def test_speed(self):
        self.assertEqual(self.evaluate({"known.cu": KERNEL + LAUNCH.format(4), "refused.cu": "#include <gone.h>\n"}).returncode, 0)
        result = subprocess.run([sys.executable, SCRIPT.parent / "speed.py", "--tool", SMEM_LINT, "--cuda-path=none", "--sources", self.folder,
                                 "--list", self.folder / "list.json", "--turns=1", self.folder / "figures.json"],
                                capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("not compared: owner/name/refused.cu", result.stdout)
        speed = json.loads((self.folder / "figures.json").read_text())["speed"]
        self.assertEqual(speed["files"], 1)
        self.assertGreater(speed["memory"]["median"], 0)

    def test_outcomes_and_launches(self):
        result = self.evaluate({"known.cu": KERNEL + LAUNCH.format(4), "unknown.cu": '#include "n.h"\n' + KERNEL + LAUNCH.format("argv[N][0]"),
                                "library.cu": KERNEL, "refused.cu": "#include <gone.h>\n", "broken.cu": "int main() {", "inc/n.h": "#define N 1\n"},
                               "--jobs=2", "--verbose")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads((self.folder / "figures.json").read_text())["summary"]
        self.assertEqual([summary[k] for k in ("files", "compiled_by_nvcc", "analysed_of_these", "crashes", "hangs")], [5, 4, 3, 0, 0])
        self.assertEqual([summary[k] for k in ("launches_in_files_with_main", "inferred", "block")], [2, 1, 2])
        self.assertEqual(summary["rows"], {"exact": 1, "assumed": 2, "unknown": 0})
        self.assertIn("refused.cu: 'gone.h' file not found", result.stdout)

    def test_no_checkout(self):
        result = self.evaluate({"k.cu": KERNEL}, "--only", "nothing like it")
        self.assertIn("no such files", result.stderr)
        self.assertNotEqual(result.returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # names what is skipped, and why
