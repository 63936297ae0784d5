#!/usr/bin/env python3
"""The script that compares public programs with what was counted, on a list of its own: test_accuracy.py SMEM_LINT SMEM_VALIDATE."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT, SMEM_VALIDATE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
SCRIPT = pathlib.Path(__file__).resolve().parent / "accuracy.py"
SPECIFICATION = importlib.util.spec_from_file_location("accuracy", SCRIPT)
accuracy = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(accuracy)

KERNEL = """__global__ void k(float *x, int n) {
  if (threadIdx.x < n)
    x[threadIdx.x * 2] = 1;
}
"""
SESSION = {"kind": "session", "schema_version": 1, "gpu": "NVIDIA Test", "driver_version": "1.2", "date": "2026-01-01T00:00:00Z"}


def launch(file, sectors, n=32):
    store = {"function": "_Z1kPfi", "pc": 16, "opcode": "STG", "space": "global", "operation": "store", "width": 32, "file": str(file), "line": 3,
             "executed": 1, "threads": n, "wavefronts": 0, "wavefronts_ideal": 0, "tags": (8 * n + 127) // 128, "sectors": sectors, "sectors_ideal": (n + 7) // 8}
    arguments = [{"offset": 0, "size": 8, "bytes": "000000feff7f0000"}, {"offset": 8, "size": 4, "bytes": n.to_bytes(4, "little").hex()}]
    return {"kind": "launch", "index": 0, "kernel": "_Z1kPfi", "demangled": "k(float*, int)", "grid": [1, 1, 1], "block": [32, 1, 1], "shared_static": 0,
            "shared_dynamic": 0, "registers": 8, "arguments": arguments, "result": "success", "line_info": True, "instructions": [store]}


class Accuracy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "owner" / "name" / "k.cu"
        self.source.parent.mkdir(parents=True)
        self.source.write_text(KERNEL)

    def list(self, *programs, **more):
        (self.folder / "list.json").write_text(json.dumps([{"repository": "owner/name", "commit": "0", "programs": list(programs), **more}]))

    def run_script(self, command, *arguments, **environment):
        return subprocess.run([sys.executable, SCRIPT, command, "--sources", self.folder, "--list", self.folder / "list.json", "--jobs=1", *arguments],
                              capture_output=True, text=True, check=False, timeout=120, env={**os.environ, **environment})

    def compare(self, *arguments):
        result = self.run_script("compare", "--lint", SMEM_LINT, "--validate", SMEM_VALIDATE, "--cuda-path=none", "--measured", self.folder / "measured",
                                 "--update", self.folder / "figures.json", *arguments)
        return result, json.loads((self.folder / "figures.json").read_text()) if (self.folder / "figures.json").exists() else None

    def record(self, name, *records):
        (self.folder / "measured").mkdir(exist_ok=True)
        (self.folder / "measured" / name).write_text("".join(json.dumps(r, separators=(",", ":")) + "\n" for r in records))

    def executable(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def test_rows_of_runs_are_added(self):
        self.list({"name": "k", "sources": ["k.cu"], "runs": [["1"], ["2"]]}, {"name": "other", "sources": ["k.cu"]})
        self.record("owner+name+k.0.jsonl", SESSION, launch(self.source, 8))
        self.record("owner+name+k.1.jsonl", SESSION, launch(self.source, 8), launch(self.source, 4, n=16))
        result, figures = self.compare()
        self.assertEqual(result.returncode, 0, result.stderr)
        row = figures["programs"]["owner/name/k"]
        self.assertEqual([row[f] for f in ("rows", "exact", "unknown", "mismatch", "false_claims")], [3, 3, 0, 0, 0])
        self.assertEqual(figures["programs"]["owner/name/other"]["problems"], ["not measured"])
        self.assertEqual(figures["machine"]["gpu"], "NVIDIA Test")

    def test_a_wrong_prediction_is_a_false_claim(self):
        self.list({"name": "k", "sources": ["k.cu"]}, held_out=True)
        self.record("owner+name+k.0.jsonl", SESSION, launch(self.source, 9))
        result, figures = self.compare()
        self.assertIn("held out: 1 programs", result.stdout)
        row = figures["programs"]["owner/name/k"]
        self.assertEqual([row[f] for f in ("rows", "exact", "mismatch", "false_claims")], [1, 0, 1, 1])
        self.assertTrue(row["held_out"])

    def test_what_is_counted_differently_is_set_aside(self):
        self.list({"name": "k", "sources": ["k.cu"]})
        self.record("owner+name+k.0.jsonl", SESSION, launch(self.source, 9))
        (self.folder / "measured").rename(self.folder / "again")
        self.record("owner+name+k.0.jsonl", SESSION, launch(self.source, 8))
        _, figures = self.compare("--again", self.folder / "again")
        row = figures["programs"]["owner/name/k"]
        self.assertEqual([row[f] for f in ("rows", "mismatch", "false_claims", "unstable")], [1, 1, 1, 0], "it was claimed to be exact")
        self.source.write_text(KERNEL.replace("threadIdx.x * 2", "clock() & 7"))
        _, figures = self.compare("--again", self.folder / "again")
        row = figures["programs"]["owner/name/k"]
        self.assertEqual([row[f] for f in ("unknown", "false_claims", "unstable")], [0, 0, 1])
        _, figures = self.compare("--again", self.folder / "nowhere")
        row = figures["programs"]["owner/name/k"]
        self.assertEqual([row[f] for f in ("unknown", "unstable")], [1, 0])

    def test_plain_names(self):
        for mangled, name in (("_ZN1a3fooIiEEvT_", "foo"), ("_Z3bari", "bar"), ("_ZL3bari", "bar"), ("_ZN1a1b3bazEPf", "baz"), ("plain", "plain")):
            self.assertEqual(accuracy.plain_name(mangled), name)

    def test_what_cannot_be_compared_is_no_agreement(self):
        self.list({"name": "k", "sources": ["k.cu"]})
        self.source.write_text("__global__ void other() {}")
        self.record("owner+name+k.0.jsonl", SESSION, launch(self.source, 8))
        result, figures = self.compare()
        self.assertEqual(result.returncode, 2)
        self.assertEqual(figures["programs"]["owner/name/k"]["problems"], ["a run launches kernels of libraries only"])

    def test_listings(self):
        self.list({"name": "k", "sources": ["k.cu"]}, {"name": "other", "sources": ["k.cu"]})
        for name in ("k", "other"):
            self.record(f"owner+name+{name}.0.jsonl", SESSION, launch(self.source, 8))
        (self.folder / "listings").mkdir()
        (self.folder / "listings" / "owner+name+k.sass").write_text("no listing\n")
        _, figures = self.compare("--listings", self.folder / "listings")
        self.assertIn("owner+name+k.sass", figures["programs"]["owner/name/k"]["problems"][0])
        self.assertEqual(figures["programs"]["owner/name/other"]["exact"], 1)

    def test_measure(self):
        nvcc = self.executable("nvcc", 'case "$*" in *broken*) echo "broken.cu: error: no" >&2; exit 1;; esac\nwhile [ "$1" != -o ]; do shift; done\ntouch "$2"\n')
        validate = self.executable("smem-validate", f"cat input > '{self.folder}/input'\nshift; printf '{{\"kind\":\"launch\"}}\\n' > $2\necho 'smem-validate: error: late' >&2\nexit 3\n")
        (self.source.parent / "broken.cu").write_text("")
        self.list({"name": "k", "sources": ["k.cu"], "files": {"input": {"numbers": [3, 1, 2]}}, "flags": ["-I{shims}"]},
                  {"name": "broken", "sources": ["broken.cu"]}, {"name": "gone", "sources": ["gone.cu"]})
        result = self.run_script("measure", "--validate", validate, "-o", self.folder / "out", PATH=f"{nvcc.parent}:{os.environ['PATH']}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 launches", result.stdout)
        self.assertIn("owner/name/broken: not built: broken.cu: error: no", result.stdout)
        self.assertIn("owner/name/gone: no such file", result.stdout)
        self.assertEqual(len((self.folder / "input").read_text().split()), 3)

    def test_bad_lists(self):
        self.list({"name": "k", "sources": ["k.cu"]})
        self.assertIn("no program matches 'nothing'", self.compare("--only", "nothing")[0].stderr)
        self.assertIn("accuracy.py: ", self.compare("--only", "(")[0].stderr)
        self.list({"sources": ["k.cu"]})
        self.assertIn("'name'", self.compare()[0].stderr)
        (self.folder / "list.json").write_text("{")
        self.assertNotEqual(self.compare()[0].returncode, 0)


if __name__ == "__main__":
    unittest.main()
