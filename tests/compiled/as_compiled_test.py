#!/usr/bin/env python3
"""--as-compiled as its users meet it: listings recorded from the catalogue, tools that only pretend to be nvcc and nvdisasm.

    as_compiled_test.py SMEM_LINT [Listings|Tools|Mistakes|Mutated|Recorded]
"""
import json
import os
import pathlib
import random
import re
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINT = ""


def listing(name):
    return HERE / "data" / f"{name}.sass"


def lint(*arguments, env=None, cwd=ROOT):
    return subprocess.run([LINT, "--cuda-path=none", "--fail-on=never", *map(str, arguments)], cwd=cwd, env={"SMEM_LINT_CACHE_KEY": "of the tests, not a user's", **(env or os.environ)}, capture_output=True, text=True, check=False)


def report(name, *arguments, **options):
    done = lint(f"--as-compiled={listing(name)}", "--format=json", *arguments, f"kernels/{name}.cu", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Listings(unittest.TestCase):
    def test_counts_that_agree_are_confirmed(self):
        result = report("gemm_tiled_conflict")
        self.assertEqual({key: result["files"][0]["as_compiled"][key] for key in ("confirmed", "corrected", "absent", "open")},
                         {"confirmed": 14, "corrected": 0, "absent": 0, "open": 0})
        sites = [site for launch in result["launches"] for site in launch["sites"]]
        self.assertTrue(all(site["compiled"] == "confirmed" and site["verdict"] == "exact" for site in sites))

    def test_a_store_that_the_compiler_merged_is_where_it_put_it(self):
        # nvcc makes one store of those in both arms, and books it on a line between them.
        by_line = {site["line"]: site for site in report("gemm_tiled_branches")["launches"][0]["sites"] if (site["space"], site["operation"]) == ("shared", "store")}
        self.assertEqual({line: site["compiled"] for line, site in by_line.items()}, {36: "absent", 41: "added", 42: "absent"})
        self.assertEqual(by_line[41]["wavefronts"], 2097152)
        self.assertEqual(by_line[41]["verdict"], "exact")
        self.assertEqual(by_line[36]["wavefronts"], 0)

    def test_the_text_says_what_was_used(self):
        done = lint("--table", f"--as-compiled={listing('gemm_tiled_branches')}", "kernels/gemm_tiled_branches.cu")
        self.assertIn(f"as compiled ({listing('gemm_tiled_branches')}): ", done.stdout)
        self.assertIn("1 corrected, 2 without an instruction, 0 left open", done.stdout)
        self.assertIn("as compiled: the machine code has no such instruction at this source location", done.stdout)

    def test_without_the_option_nothing_is_said(self):
        done = lint("kernels/gemm_tiled_branches.cu")
        self.assertNotIn("compiled", done.stdout)

    def test_one_listing_may_serve_several_files(self):
        with tempfile.TemporaryDirectory() as folder:
            both = pathlib.Path(folder, "both.sass")
            both.write_text(listing("grid_stride").read_text() + listing("bitonic_sort").read_text())
            done = lint(f"--as-compiled={both}", "--format=json", "kernels/grid_stride.cu", "kernels/bitonic_sort.cu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(all(file["as_compiled"]["confirmed"] for file in json.loads(done.stdout)["files"]))

    def test_other_architectures(self):
        for architecture in ("sm_80", "sm_100"):
            done = lint(f"--as-compiled={listing('gemm_tiled_conflict.' + architecture)}", f"--arch={architecture}", "--format=json", "kernels/gemm_tiled_conflict.cu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["files"][0]["as_compiled"]["confirmed"], 14)

    def test_a_cache_takes_no_part(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = f"--cache-dir={folder}"
            plain = lint(cache, "--format=json", "kernels/gemm_tiled_branches.cu").stdout
            report("gemm_tiled_branches", cache)
            self.assertEqual(lint(cache, "--format=json", "kernels/gemm_tiled_branches.cu").stdout, plain)


class Tools(unittest.TestCase):
    """A toolkit whose nvcc and nvdisasm write down how they were called."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "bin").mkdir()
        self.tool("nvcc", 'echo "$@" > "$ROOT/nvcc.called"; while [ "$1" != -o ]; do shift; done; printf "\\177ELFcode" > "$2"')
        self.tool("nvdisasm", f'echo "$@" > "$ROOT/nvdisasm.called"; cat {listing("grid_stride")}')
        self.env = dict(os.environ, CUDA_PATH=str(self.root), ROOT=str(self.root))

    def tearDown(self):
        self.folder.cleanup()

    def tool(self, name, script):
        path = self.root / "bin" / name
        path.write_text('#!/bin/sh\nif [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.77"; exit 0; fi\n' + script + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def test_a_file_is_compiled_and_disassembled(self):
        done = lint("--as-compiled", "--format=json", "kernels/grid_stride.cu", "--", "-DX=1", "-c", "-o", "x.o", "-gencode", "arch=compute_90,code=sm_90", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        used = json.loads(done.stdout)["files"][0]["as_compiled"]
        self.assertEqual(used["from"], "nvcc 13.0.77, nvdisasm 13.0.77")
        self.assertGreater(used["confirmed"], 0)
        called = (self.root / "nvcc.called").read_text().split()
        self.assertEqual(called[:4], ["-DX=1", "-cubin", "-lineinfo", "-arch=sm_90"])
        self.assertEqual(called[-1], "kernels/grid_stride.cu")
        self.assertTrue((self.root / "nvdisasm.called").read_text().startswith("-gi "))
        self.assertFalse(pathlib.Path(called[-2]).exists(), "the cubin is left behind")

    def test_the_suffix_of_a_target_is_kept(self):
        lint("--as-compiled", "kernels/grid_stride.cu", "--", "-arch=sm_90a", env=self.env)
        self.assertIn("-arch=sm_90a", (self.root / "nvcc.called").read_text())

    def test_the_doctor_finds_them(self):
        done = lint("--doctor", env=self.env)
        self.assertIn(f"  nvcc: {self.root}/bin/nvcc\n  nvdisasm: {self.root}/bin/nvdisasm\n", done.stdout)

    def test_a_cubin_is_disassembled(self):
        cubin = self.root / "k.cubin"
        cubin.write_bytes(b"\x7fELFcode")
        done = lint(f"--as-compiled={cubin}", "--format=json", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(json.loads(done.stdout)["files"][0]["as_compiled"]["from"], f"{cubin}, nvdisasm 13.0.77")
        self.assertFalse((self.root / "nvcc.called").exists())

    def test_nvcc_that_fails_is_quoted(self):
        self.tool("nvcc", 'echo "k.cu(3): error: no such thing" >&2; exit 2')
        done = lint("--as-compiled", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nvcc does not compile kernels/grid_stride.cu: k.cu(3): error: no such thing", done.stderr)
        self.assertIn("memory instructions:", done.stdout)  # what the source says is there all the same

    def test_nvdisasm_that_fails_is_quoted(self):
        self.tool("nvdisasm", 'echo "nvdisasm fatal : Object file appears truncated" >&2; exit 1')
        done = lint("--as-compiled", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nvdisasm cannot read kernels/grid_stride.cu: nvdisasm fatal : Object file appears truncated", done.stderr)


class Mistakes(unittest.TestCase):
    def refused(self, text, *arguments, code=2):
        done = lint(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)

    def with_listing(self, text, contents, name="grid_stride"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(contents)
            self.refused(text, f"--as-compiled={path}", f"kernels/{name}.cu")

    def test_no_such_listing(self):
        self.refused("/nowhere/k.sass: No such file or directory", "--as-compiled=/nowhere/k.sass", "kernels/grid_stride.cu")

    def test_not_a_listing(self):
        self.refused(": not a listing of nvdisasm; `nvdisasm -gi k.cubin` makes one", f"--as-compiled={ROOT}/kernels/grid_stride.cu", "kernels/grid_stride.cu")

    def test_a_truncated_listing(self):
        text = listing("grid_stride").read_text()
        code = text.index("STG")
        self.with_listing("breaks off within an instruction", text[:code + 10])
        self.with_listing("breaks off in function", text[:text.rindex("\n", 0, code) + 1])

    def test_no_line_information(self):
        text = "".join(line for line in listing("grid_stride").read_text().splitlines(True) if "//## File" not in line)
        self.with_listing("has no line information: nvcc needs -lineinfo and nvdisasm -gi", text)

    def test_another_architecture(self):
        self.refused("the machine code is of sm_90 and what is modelled is sm_80: --arch=sm_90 models it", f"--as-compiled={listing('grid_stride')}", "--arch=sm_80", "kernels/grid_stride.cu")

    def test_another_program(self):
        self.refused("has none of this file's kernels; its first function is", f"--as-compiled={listing('bitonic_sort')}", "kernels/grid_stride.cu")

    def test_another_file_with_the_same_kernel(self):
        self.with_listing("was compiled from other files", listing("grid_stride").read_text().replace("grid_stride.cu", "elsewhere.cu"))

    def test_a_kernel_that_is_missing_is_named(self):
        text = listing("gemm_tiled_conflict").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(text.replace("_Z26gemm_tiled_conflict_rolledPKfS0_Pfiii", "_Z5otherv"))
            done = lint(f"--as-compiled={path}", "kernels/gemm_tiled_conflict.cu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("warning: --as-compiled: gemm_tiled_conflict_rolled is not settled: the machine code has no kernel of this name", done.stderr)

    def test_code_that_cannot_be_followed_claims_nothing(self):
        text = listing("grid_stride").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(text.replace("LDC R1, c[0x0][0x28] ;", "BRX R2 -0x10 ;"))
            done = lint(f"--as-compiled={path}", "kernels/grid_stride.cu")
            self.assertIn("is not settled: a computed branch (BRX)", done.stderr)
            self.assertIn(" 0 exact", done.stdout)

    def test_a_listing_of_another_version_of_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            moved = pathlib.Path(folder, "grid_stride.cu")
            moved.write_text("\n\n" + (ROOT / "kernels" / "grid_stride.cu").read_text().replace('"catalogue.h"', f'"{ROOT}/kernels/catalogue.h"'))
            self.refused("the machine code is of another version of the source: the kernel is at line", f"--as-compiled={listing('grid_stride')}", moved)

    def test_a_listing_behind_a_space(self):
        self.refused("'k.sass' is no source file; `--as-compiled=k.sass` takes it as machine code", "--as-compiled", "k.sass", "kernels/grid_stride.cu")

    def test_what_excludes_it(self):
        one = f"--as-compiled={listing('grid_stride')}"
        self.refused("excludes --fix", one, "--fix", "kernels/grid_stride.cu")
        self.refused("--format=html", one, "--format=html", "kernels/grid_stride.cu")
        self.refused("not standard input", one, "-")
        self.refused("no meaning there", "diff", one, "HEAD")
        self.refused("no file is named", "--as-compiled")


class Mutated(unittest.TestCase):
    """Listings with words exchanged, lines lost and repeated: an answer or an error, never a crash."""

    COUNT = 40

    @staticmethod
    def mutate(lines, rng):
        lines = list(lines)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(lines))
            choice = rng.randrange(5)
            if choice == 0:
                del lines[at]
            elif choice == 1:
                lines.insert(at, lines[rng.randrange(len(lines))])
            elif choice == 2:
                lines[at] = re.sub(r"\b(R|UR|P)\d+", lambda match: match[1] + str(rng.choice([0, 1, 7, 63, 254, 255])), lines[at])
            elif choice == 3:
                lines[at] = re.sub(r"0x[0-9a-f]+", lambda match: hex(rng.choice([0, 1, 31, 32, 255, 0x7fffffff, 0xffffffff, 1 << 60])), lines[at])
            else:
                words = lines[at].split(" ")
                rng.shuffle(words)
                lines[at] = " ".join(words)
        return "\n".join(lines) + "\n"

    def test_all(self):
        names = ["grid_stride", "bitonic_sort", "reduction_shuffle", "histogram"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            for seed in range(self.COUNT):
                name = names[seed % len(names)]
                path.write_text(self.mutate(listing(name).read_text().splitlines(), random.Random(seed)))
                done = lint(f"--as-compiled={path}", "--max-steps=200000", f"kernels/{name}.cu")
                with self.subTest(seed):
                    self.assertIn(done.returncode, (0, 2), done.stderr)
                    self.assertNotIn("internal error", done.stderr)


class Recorded(unittest.TestCase):
    """Kernels against the counters that were measured on a GPU: every row is exact or unknown."""

    def test_all(self):
        validate = os.environ["SMEM_VALIDATE"]
        names = sorted(path.stem for path in (HERE / "data").glob("*.sass") if "." not in path.stem) # those of sm_90
        self.assertGreater(len(names), 10)
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                predicted = pathlib.Path(folder, f"{name}.json")
                predicted.write_text(json.dumps(report(name)))
                done = subprocess.run([validate, "compare", predicted, f"validate/recorded/catalogue/{name}.jsonl", "--format=json"], cwd=ROOT, capture_output=True, text=True, check=False)
                summary = json.loads(done.stdout)["summary"]
                with self.subTest(name):
                    self.assertGreater(summary["rows"], 0)
                    self.assertEqual((summary["mismatch"], summary["false_claims"]), (0, 0))


if __name__ == "__main__":
    LINT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
