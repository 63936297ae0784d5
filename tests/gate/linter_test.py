#!/usr/bin/env python3
"""What users of other linters expect: linter_test.py SMEM_LINT [unittest arguments]."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from gate_test import CLEAN, CONFIG, CONFLICT, UNKNOWN_LAUNCH, GateCase  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST_ONLY = "int twice(int n) { return 2 * n; }\n"


def named(name, text=CONFLICT):
    return text.replace("transpose", name)


class LinterCase(GateCase):
    def analysed(self, *arguments, code=None):
        """The files of a run, as they are shown."""
        result = self.run_lint("--format=json", "--fail-on=never", *arguments)
        self.assertEqual(result.returncode, code or 0, result.stdout + result.stderr)
        return [file["file"] for file in json.loads(result.stdout)["files"]]

    def link(self, target, name):
        os.symlink(target, os.path.join(self.folder.name, name))


class Folders(LinterCase):
    def test_all_cuda_files_below_it_sorted(self):
        for name in ("src/b.cu", "src/a.cu", "src/deep/er/c.cu", "src/d.cu.cc", "other/x.cu"):
            self.write(name, CLEAN)
        self.write("src/host.cpp", CLEAN)
        self.write("src/notes.txt", CLEAN)
        wanted = ["src/a.cu", "src/b.cu", "src/d.cu.cc", "src/deep/er/c.cu"]
        for typed in ("src", "src/", "./src", os.path.join(self.folder.name, "src")):
            prefix = os.path.dirname(typed.rstrip("/"))
            self.assertEqual(self.analysed(typed), [os.path.join(prefix, name) for name in wanted])
        self.assertEqual(self.analysed("."), ["other/x.cu"] + wanted)
        self.assertEqual(self.analysed("src/deep", "src", "src/a.cu", "./src/a.cu"), wanted)
        self.assertEqual(self.analysed("./src/a.cu", "src/a.cu"), self.analysed("src/a.cu", "./src/a.cu"))

    def test_findings_gate_and_any_number_of_jobs_prints_the_same(self):
        for i in range(6):
            self.write(f"src/k{i}.cu", named(f"kernel{i}", CONFLICT if i % 2 else CLEAN))
        one = self.lint(1, "-j1", "src")
        many = self.lint(1, "-j8", "src")
        self.assertEqual((one.stdout, one.stderr), (many.stdout, many.stderr))
        self.assertEqual(one.stdout, self.lint(1, *sorted(f"src/k{i}.cu" for i in range(6))).stdout)

    def test_hidden_folders_builds_and_links_are_passed_by(self):
        self.write("src/k.cu", CLEAN)
        for name in (".hidden/k.cu", "build/k.cu", "cmake-build-debug/k.cu", "bazel-out/k.cu", "node_modules/k.cu", "src/.k.cu", "made/k.cu", "cached/k.cu"):
            self.write(name, CLEAN)
        self.write("made/CMakeCache.txt", "")
        self.write("cached/CACHEDIR.TAG", "")
        with tempfile.TemporaryDirectory() as outside:
            pathlib.Path(outside, "k.cu").write_text(CLEAN, encoding="utf-8")
            self.link(outside, "src/out")
            self.link(os.path.join(outside, "k.cu"), "src/out.cu")
            self.link("..", "src/loop")
            self.assertEqual(self.analysed("."), ["src/k.cu"])
            self.assertEqual(self.analysed("src/out"), ["src/out/k.cu"])  # but what is named is what is meant
        self.assertEqual(self.analysed("build", ".hidden"), [".hidden/k.cu", "build/k.cu"])

    def test_only_what_has_kernels_or_launches(self):
        self.write("src/host.cu", HOST_ONLY)
        self.write("src/comment.cu", "// __global__ and <<<\n/* __global__ */\n" + HOST_ONLY)
        self.write("src/text.cu", 'const char *text = "__global__ /*"; ' + HOST_ONLY)
        self.write("src/launch.cu", "void kernel(int); void go() { /* <<< */ }\n" + HOST_ONLY)
        self.write("src/inc/kernel.inl", CLEAN)
        self.write("src/by_include.cu", '#include "kernel.inl"\n')
        self.write("src/named.cu", HOST_ONLY)
        result = self.run_lint("--format=json", "--fail-on=never", "src", "--", "-Isrc/inc")
        self.assertEqual([file["file"] for file in json.loads(result.stdout)["files"]], ["src/by_include.cu"])
        self.assertEqual(self.analysed("src", "src/named.cu", "--", "-Isrc/inc"), ["src/by_include.cu", "src/named.cu"])

    def test_a_file_whose_includes_are_not_found_is_analysed(self):
        self.write("src/k.cu", '#include "made_by_the_build.h"\n' + HOST_ONLY)
        self.assert_fails(self.run_lint("src"), "made_by_the_build.h")

    def test_headers_that_nobody_includes(self):
        self.write("src/a.cu", '#include "inc/used.cuh"\n' + named("a", CLEAN))
        self.write("src/inc/used.cuh", '#pragma once\n#include "used_by_it.h"\n' + named("used"))
        self.write("src/inc/used_by_it.h", "#pragma once\n" + named("below"))
        self.write("src/inc/alone.cuh", '#pragma once\n#include "first.cuh"\n' + named("alone", CLEAN))
        self.write("src/inc/first.cuh", "#pragma once\n" + named("first", CLEAN))
        self.write("src/inc/device_only.cuh", "#pragma once\n__device__ int f();\n")
        self.write("src/inc/zz.cuh", '#pragma once\n#include "zzz.cuh"\n' + named("zz", CLEAN))
        self.write("src/inc/zzz.cuh", '#pragma once\n#include "zz.cuh"\n' + named("zzz", CLEAN))
        self.assertEqual(self.analysed("src"), ["src/a.cu", "src/inc/alone.cuh", "src/inc/zz.cuh"])
        result = self.lint(1, "src")
        self.assertEqual(result.stdout.count("warning: 32-way bank conflict"), 2)
        self.assertIn("src/inc/used.cuh:9:", result.stdout)
        self.assertIn("src/inc/used_by_it.h:8:", result.stdout)
        # Named beside the folder, a header is analysed as such.
        self.assertIn("src/inc/first.cuh", self.analysed("src", "src/inc/first.cuh"))

    def test_sources_that_sources_include(self):
        self.write("src/all.cu", '#include "part.cu"\n#if defined(MORE)\n#include "other.cu"\n#endif\n/*\n#include "third.cu"\n*/\n')
        for name in ("part", "other", "third"):
            self.write(f"src/{name}.cu", named(name, CLEAN))
        self.assertEqual(self.analysed("src"), ["src/all.cu", "src/other.cu", "src/third.cu"])
        # Named, or compiled by itself, it is a file of its own.
        self.assertIn("src/part.cu", self.analysed("src", "src/part.cu"))
        self.write("src/circle.cu", '#pragma once\n#include "ring.cu"\n' + named("circle", CLEAN))
        self.write("src/ring.cu", '#pragma once\n#include "circle.cu"\n')
        self.assertEqual(self.analysed("src"), ["src/all.cu", "src/circle.cu", "src/other.cu", "src/third.cu"])
        self.write("src/circle.cu", named("circle", CLEAN))
        directory = os.path.join(self.folder.name, "src")
        self.write("src/compile_commands.json", json.dumps([
            {"directory": directory, "file": name, "arguments": ["nvcc", "-c", name]} for name in ("all.cu", "part.cu")]))
        self.assertIn("src/part.cu", self.analysed("src"))

    def test_what_several_files_lack_is_told_once(self):
        self.write("src/inc/shared.cuh", '#include "made.h"\n')
        for name in "abc":
            self.write(f"src/{name}.cu", '#include "inc/shared.cuh"\n#include "gone.h"\n' + named(name, CLEAN))
        self.write("src/d.cu", '\n\n#include "gone.h"\n' + named("d", CLEAN))
        result = self.run_lint("src")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("'made.h' file not found"), 1, result.stderr)
        self.assertIn("src/inc/shared.cuh:1:10: error: 'made.h' file not found (in 3 files)\n", result.stderr)
        self.assertIn("src/a.cu:2:10: error: 'gone.h' file not found (in 4 files)\n", result.stderr)
        self.assertEqual(self.run_lint("--verbose", "src").stderr.count("'made.h' file not found"), 3)

    def test_that_headers_are_taken_from_a_folder_is_told_once(self):
        self.write("CMakeLists.txt", "")
        for name in "ab":
            self.write(f"lib/include/{name}.h", "")
            self.write(f"src/{name}.cu", f"#include <{name}.h>\n" + named(name, CLEAN))
        result = self.run_lint("src")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("taken from lib/include"), 1, result.stderr)
        self.assertIn("headers of this project are taken from lib/include (in 2 files)", result.stderr)

    def test_a_configuration_that_cannot_be_read(self):
        self.write("src/a.cu", CLEAN)
        at = os.path.join(self.folder.name, CONFIG)
        os.mkfifo(at)
        self.assert_fails(self.run_lint("src/a.cu"), CONFIG + ": error: cannot read the configuration: it is not a regular file")
        os.unlink(at)
        os.symlink("gone.yaml", at)
        self.assert_fails(self.run_lint("src/a.cu"), CONFIG + ": error: cannot read the configuration: the link leads to no file")
        self.assertEqual(self.run_lint("--config", "{}", "src/a.cu").returncode, 0)

    def test_headers_found_by_flags_and_by_their_name(self):
        self.write("src/a.cu", '#include <lib/k.cuh>\n#include "deep/l.cuh"\n')
        self.write("include/lib/k.cuh", named("k", CLEAN))
        self.write("include/more/deep/l.cuh", named("l", CLEAN))
        self.assertEqual(self.analysed(".", "--", "-Iinclude", "-Iinclude/more"), ["src/a.cu"])
        self.write(CONFIG, "ExtraArgs: [-Iinclude, -isystem, include/more]\n")
        self.assertEqual(self.analysed("."), ["src/a.cu"])

    def test_odd_names_mean_themselves(self):
        for name in ("--fix.cu", "-", "<stdin>.cu", "a b.cu", "x\ny.cu", "\u00e4.cu", "-o.cu"):
            self.write(name, CLEAN)
        self.assertEqual(sorted(self.analysed(".")), sorted(["./--fix.cu", "./-o.cu", "./<stdin>.cu", "a b.cu", "x\ny.cu", "\u00e4.cu"]))

    def test_folders_without_anything(self):
        os.mkdir(os.path.join(self.folder.name, "empty"))
        self.assert_fails(self.run_lint("empty"), "empty: error: no CUDA file in this folder")
        self.write("k.cu", CLEAN)
        self.assertIn("empty: warning: no CUDA file in this folder", self.lint(0, "empty", "k.cu").stderr)
        self.write("host/h.cu", HOST_ONLY)
        for form in ("text", "json", "sarif", "github", "gitlab", "markdown", "html"):
            self.assertIn("host: note: no file in this folder has a kernel or a launch", self.lint(0, f"--format={form}", "host").stderr)
        self.assert_fails(self.run_lint("missing"), "missing")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_a_folder_that_cannot_be_read(self):
        self.write("src/k.cu", CONFLICT)
        self.write("src/closed/k.cu", CONFLICT)
        os.chmod(os.path.join(self.folder.name, "src/closed"), 0)
        try:
            result = self.run_lint("src")
        finally:
            os.chmod(os.path.join(self.folder.name, "src/closed"), 0o755)
        self.assert_fails(result, "src/closed: error: cannot read this folder")
        self.assertIn("src/k.cu:7:", result.stdout)  # the rest is analysed

    def test_a_broken_file_does_not_stop_the_others(self):
        self.write("src/bad.cu", "#error no\n__global__ void k();\n")
        self.write("src/k.cu", CONFLICT)
        result = self.run_lint("src")
        self.assert_fails(result, "src/bad.cu:1:2: error: no")
        self.assertIn("src/k.cu:7:", result.stdout)

    def test_shards_share_a_folder(self):
        for i in range(5):
            self.write(f"src/k{i}.cu", named(f"kernel{i}", CONFLICT if i % 2 else CLEAN))
        whole = self.lint(1, "src").stdout
        for i in (1, 2):
            self.lint(0, f"--shard={i}/2", "-o", f"part{i}", "src")
        self.assertEqual(self.lint(1, "merge", "part1", "part2").stdout, whole)

    def test_fix_and_baseline_of_a_folder(self):
        self.write("src/k.cu", CONFLICT)
        self.lint(0, "--baseline=b.json", "--update-baseline", "src")
        self.lint(0, "--baseline=b.json", "--fail-on=regression", "src")
        self.lint(0, "--fix", "src")
        self.assertIn("tile[32][33]", self.read("src/k.cu"))


class Database(LinterCase):
    def database(self, *entries):
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": self.folder.name, "file": file, "command": command} for file, command in entries]))

    def test_every_cuda_file_of_it(self):
        for name in ("src/k.cu", "src/l.cpp", "src/m.cc"):
            self.write(name, "#ifndef GO\n#error no\n#endif\n" + CLEAN)
        for name in ("src/host.cpp", "src/plain.cc"):
            self.write(name, "#error not CUDA\n")
        self.write("src/not_built.cu", CONFLICT)
        self.database(("src/k.cu", "nvcc -DGO -c src/k.cu"), ("src/l.cpp", "nvcc -DGO -x cu -c src/l.cpp"), ("src/m.cc", "clang++ -DGO -xcuda -c src/m.cc"),
                      ("src/host.cpp", "nvcc -c src/host.cpp"), ("src/plain.cc", "g++ -x c++ -c src/plain.cc"))
        self.assertEqual(self.analysed("-p", "build"), ["src/k.cu", "src/l.cpp", "src/m.cc"])
        self.assertEqual(self.analysed("-p", "build/compile_commands.json"), ["src/k.cu", "src/l.cpp", "src/m.cc"])
        self.assertEqual(self.analysed("-p", "build", "src/k.cu"), ["src/k.cu"])

    def test_files_outside_of_the_folder_and_missing_ones(self):
        with tempfile.TemporaryDirectory() as outside:
            path = os.path.join(os.path.realpath(outside), "k.cu")
            pathlib.Path(path).write_text(CLEAN, encoding="utf-8")
            self.write("a.cu", CONFLICT)
            self.database((path, f"nvcc -c {path}"), ("a.cu", "nvcc -c a.cu"))
            self.assertEqual(self.analysed("-p", "build"), [path, "a.cu"])
        result = self.run_lint("-p", "build")
        self.assert_fails(result, path)
        self.assertIn("a.cu:7:", result.stdout)

    def test_bad_input(self):
        self.assert_fails(self.run_lint("-p", "build"), "cannot read")
        self.write("build/compile_commands.json", "{")
        self.assert_fails(self.run_lint("-p", "build"), "is not JSON")
        self.database(("src/host.cpp", "g++ -c src/host.cpp"))
        self.assert_fails(self.run_lint("-p", "build"), "build: error: the compilation database has no CUDA file")
        self.assert_fails(self.run_lint(), "no file is named")

    def test_exclude(self):
        self.write("src/k.cu", CLEAN)
        self.write("gen/k.cu", "#error no\n")
        self.database(("src/k.cu", "nvcc -c src/k.cu"), ("gen/k.cu", "nvcc -c gen/k.cu"))
        self.assertEqual(self.analysed("-p", "build", "--exclude=gen"), ["src/k.cu"])
        self.assertIn("all CUDA files of this compilation database are excluded", self.lint(0, "-p", "build", "--exclude=*.cu").stderr)


class Exclude(LinterCase):
    def setUp(self):
        super().setUp()
        for name in ("src/k.cu", "src/test_k.cu", "third_party/lib/k.cu", "src/third_party/k.cu"):
            self.write(name, CLEAN)

    def test_names_paths_and_lists(self):
        everything = ["src/k.cu", "src/test_k.cu", "src/third_party/k.cu", "third_party/lib/k.cu"]
        self.assertEqual(self.analysed("."), everything)
        self.assertEqual(self.analysed("--exclude=third_party", "."), everything[:2])
        self.assertEqual(self.analysed("--exclude=third_party/**", "."), everything[:3])
        self.assertEqual(self.analysed("--exclude=third_party/,test_*.cu", "."), ["src/k.cu"])
        self.assertEqual(self.analysed("--exclude=third_party", "--exclude=src/*.cu", ".", "src/k.cu"), ["src/k.cu"])
        self.assertEqual(self.analysed("--exclude", os.path.join(self.folder.name, "src"), "."), everything[3:])
        self.assertEqual(self.analysed("--exclude=third_party", "third_party"), ["third_party/lib/k.cu"])  # it is named

    def test_what_is_named_is_analysed_unless_forced(self):
        self.assertEqual(self.analysed("--exclude=src", "src/k.cu"), ["src/k.cu"])
        result = self.lint(0, "--exclude=src", "--force-exclude", "src/k.cu", "third_party/lib/k.cu")
        self.assertIn("src/k.cu: note: excluded", result.stderr)
        self.assertEqual(self.analysed("--exclude=src", "--force-exclude", "src/k.cu", "third_party/lib/k.cu"), ["third_party/lib/k.cu"])
        self.assertEqual(self.analysed("--exclude=src", "--force-exclude", "src/k.cu"), [])

    def test_configured(self):
        self.write(CONFIG, "Exclude: [third_party, 'src/test_*']\n")
        self.assertEqual(self.analysed("."), ["src/k.cu"])
        self.assertEqual(self.analysed("src"), ["src/k.cu"])
        # The configuration of a folder says what is left out of it, not of its parents.
        self.write("src/" + CONFIG, "Exclude: k.cu\n")
        self.assertEqual(self.analysed("."), ["src/test_k.cu"])
        self.write("src/" + CONFIG, "InheritParentConfig: true\nExclude: k.cu\n")
        self.assertIn("all CUDA files in this folder are excluded", self.lint(0, ".").stderr)
        self.write("third_party/" + CONFIG, "Checks: '*'\n")  # a project of its own is excluded all the same
        self.assertNotIn("third_party/lib/k.cu", self.analysed(".", "src/k.cu"))

    def test_dumped(self):
        self.write(CONFIG, "Exclude: [third_party, 'src/test_*']\n")
        text = self.lint(0, "--dump-config").stdout
        self.write("dumped.yaml", text)
        self.assertEqual(self.lint(0, "--dump-config", "--config-file=dumped.yaml").stdout, text)
        os.remove(os.path.join(self.folder.name, CONFIG))
        self.assertEqual(self.analysed("--config-file=dumped.yaml", "."), ["src/k.cu"])

    def test_mistakes(self):
        self.assert_fails(self.run_lint("--exclude=a,,b", "."), "--exclude", "names nothing")
        self.assert_fails(self.run_lint("--exclude=a[b", "."), "--exclude", "without `]`")
        self.assert_fails(self.run_lint("--exclude=!src", "."), "taken back")
        self.write(CONFIG, "FailOn: never\nExclude: ['a[b']\n")
        self.assert_fails(self.run_lint("."), CONFIG + ":2:11: error: Exclude: 'a[b': `[` without `]`")
        self.write(CONFIG, "Exclude: {a: b}\n")
        result = self.run_lint(".")
        self.assert_fails(result, CONFIG + ":1:11: error: Exclude must be a single value")
        self.assertEqual(result.stderr.count("error"), 1)


class OneLine(LinterCase):
    MATCHER = re.compile(r"([^:]+):(\d+):(\d+): (note|warning|error): (.*) \[([a-z-]+)\]")  # as editors have it

    def test_a_line_for_each_finding_in_the_order_of_the_source(self):
        for name in ("b", "a"):
            self.write(f"src/{name}.cu", named(name, CONFLICT.replace("[x][y];", "[x][y] + tile[x][y ^ 1];")))
        self.write("clean.cu", CLEAN)
        result = self.lint(1, "--format=oneline", "src", "clean.cu")
        found = [self.MATCHER.fullmatch(line) for line in result.stdout.splitlines()]
        self.assertTrue(all(found), result.stdout)
        self.assertEqual([(match[1], match[2], match[3], match[4], match[6]) for match in found],
                         [(f"src/{name}.cu", "7", column, "warning", "smem-bank-conflict") for name in "ab" for column in ("58", "71")])
        self.assertEqual(self.lint(1, "--format=oneline", "-j1", "--quiet", "clean.cu", "src").stdout, result.stdout)
        self.assertEqual(self.lint(0, "--format=oneline", "clean.cu").stdout, "")

    def test_it_has_all_that_a_line_can_say(self):
        self.write("k.cu", CONFLICT)
        self.lint(0, "--baseline=b.json", "--update-baseline", "k.cu")
        self.write("k.cu", CONFLICT.replace("__global__ void transpose(float *out, const float *in", "template <class T> __global__ void transpose(T *out, const T *in")
                   .replace("// smem-lint: launch block=(32,32) grid=(4,4) n=128\n", "") + "template __global__ void transpose<float>(float *, const float *, int);\n"
                   "template __global__ void transpose<int>(int *, const int *, int);\n")
        (line,) = self.lint(1, "--format=oneline", "--baseline=b.json", "--checks=-*,smem-bank-conflict", "k.cu").stdout.splitlines()
        self.assertRegex(line, r"when blockDim.x % 32 == 0.*\(new\) \(in all 2 instantiations; the worst is shown.*\) \[smem-bank-conflict\]$")

    def test_messages_of_the_front_end_are_no_results(self):
        self.write("k.cu", "#error no\n")
        result = self.run_lint("--format=oneline", "k.cu")
        self.assert_fails(result, "k.cu:1:2: error: no")
        self.assertEqual(result.stdout, "")

    def test_colour(self):
        self.write("k.cu", CONFLICT)
        self.assertIn("\033", self.lint(1, "--format=oneline", "--color=always", "k.cu").stdout)
        self.assertNotIn("\033", self.lint(1, "--format=oneline", "k.cu").stdout)


class Statistics(LinterCase):
    def setUp(self):
        super().setUp()
        twice = CONFLICT.replace("[x][y];", "[x][y] + tile[x][y ^ 1];")
        self.write("src/a.cu", named("alpha"))
        self.write("src/b.cu", named("beta", twice) + named("gamma"))
        self.write("clean.cu", CLEAN)

    TABLES = """\
findings by rule:
  4  smem-bank-conflict  4 warnings
findings by file:
  3  src/b.cu  3 warnings
  1  src/a.cu  1 warning
findings by kernel:
  2  beta   2 warnings  src/b.cu:2:17
  1  alpha  1 warning   src/a.cu:2:17
  1  gamma  1 warning   src/b.cu:10:17
"""

    def test_after_the_findings(self):
        for arguments in ((), ("--quiet",), ("--table",), ("--format=oneline",)):
            with self.subTest(arguments=arguments):
                without = self.lint(1, *arguments, "src").stdout
                self.assertEqual(self.lint(1, "--statistics", *arguments, "src").stdout, without + self.TABLES)
        self.assertEqual(self.lint(0, "--statistics", "--quiet", "clean.cu").stdout, "")
        self.assertIn("4 errors", self.lint(1, "--statistics", "--warnings-as-errors=*", "src").stdout)

    def test_json(self):
        self.assertNotIn("statistics", json.loads(self.lint(1, "--format=json", "src").stdout))
        counts = json.loads(self.lint(1, "--format=json", "--statistics", "src").stdout)["statistics"]
        self.assertEqual(counts["rules"], [{"rule": "smem-bank-conflict", "errors": 0, "warnings": 4, "notes": 0}])
        self.assertEqual([(one["file"], one["warnings"]) for one in counts["files"]], [("src/b.cu", 3), ("src/a.cu", 1)])
        self.assertEqual(counts["kernels"][2], {"kernel": "gamma", "file": "src/b.cu", "line": 10, "column": 17, "errors": 0, "warnings": 1, "notes": 0})

    def test_a_merge_counts_all_parts(self):
        for i in (1, 2):
            self.lint(0, f"--shard={i}/2", "-o", f"part{i}", "src")
        self.assertEqual(self.lint(1, "merge", "--quiet", "--statistics", "part1", "part2").stdout, self.lint(1, "--quiet", "--statistics", "src").stdout)

    def test_where_it_has_no_place(self):
        for form in ("sarif", "github", "gitlab", "markdown", "html"):
            self.assert_fails(self.run_lint("--statistics", f"--format={form}", "src"), "--statistics: only --format=text, oneline and json")
        self.assert_fails(self.run_lint("--statistics", "--shard=1/2", "-o", "p", "src"), "merge --statistics")
        self.assert_fails(self.run_lint("diff", "--statistics", "HEAD"), "--statistics")


class PerPath(LinterCase):
    def setUp(self):
        super().setUp()
        self.write("src/k.cu", named("mine"))
        self.write("third_party/k.cu", named("theirs"))
        self.write("third_party/inc/k.cuh", "#pragma once\n" + named("header"))
        self.write("src/uses.cu", '#include "../third_party/inc/k.cuh"\n' + named("uses", CLEAN))

    def found(self, *arguments, code=None):
        result = self.run_lint("--format=oneline", *arguments, *(["."] if all(each.startswith("--") for each in arguments) else []))
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return [":".join((match[1], match[4])) for match in map(OneLine.MATCHER.fullmatch, result.stdout.splitlines())]

    def test_rules_by_where_the_finding_is(self):
        everything = ["src/k.cu:warning", "third_party/inc/k.cuh:warning", "third_party/k.cu:warning"]
        self.assertEqual(self.found(), everything)
        self.write(CONFIG, "PerPath:\n  - Path: 'third_party/**'\n    Checks: '-*'\n")
        self.assertEqual(self.found(code=1), everything[:1])
        self.assertEqual(self.found("src/uses.cu", code=0), [])  # what it includes lies elsewhere
        self.assertEqual(self.found("--checks=smem-*"), everything)  # the command line is stronger
        self.write(CONFIG, "PerPath: [{Path: [k.cuh, src], Checks: '-smem-*'}]\n")
        self.assertEqual(self.found(), everything[2:])

    def test_rules_on_for_some_paths_only(self):
        self.write(CONFIG, "PerPath: [{Path: third_party/inc, Checks: smem-bank-conflict}]\nChecks: '-*'\n")  # stronger wherever it stands
        self.assertEqual(self.found(), ["third_party/inc/k.cuh:warning"])

    def test_severities(self):
        self.write(CONFIG, "Severity: {smem-bank-conflict: note}\n")
        self.assertEqual(set(line.split(":")[1] for line in self.found(code=0)), {"note"})
        self.write(CONFIG, "Severity: {'smem-*': error}\nPerPath: [{Path: third_party, Severity: {smem-bank-conflict: note}}]\n")
        self.assertEqual(self.found("--fail-on=error", code=1), ["src/k.cu:error", "third_party/inc/k.cuh:note", "third_party/k.cu:note"])
        self.write(CONFIG, "PerPath: [{Path: src, WarningsAsErrors: '*'}]\n")
        self.assertEqual(self.found(), ["src/k.cu:error", "third_party/inc/k.cuh:warning", "third_party/k.cu:warning"])
        self.write(CONFIG, "Severity: {smem-bank-conflict: warning}\nWarningsAsErrors: '*'\n")
        self.assertEqual(self.found("src/k.cu"), ["src/k.cu:error"])
        self.assertRegex(self.lint(0, "--list-checks", "--config=Severity: {smem-bank-conflict: error}").stdout, r"smem-bank-conflict +error")

    def test_a_note_for_another_reason_stays_one(self):
        self.write(CONFIG, "Severity: {smem-bank-conflict: error}\nThresholds: {NoteBelowShare: 0.999}\n")
        self.assertEqual(self.found("src/k.cu", code=0), ["src/k.cu:note"])
        self.write("src/assumed.cu", "__global__ void k(float *out, int pitch) {\n  __shared__ float tile[4096];\n  tile[threadIdx.x * pitch % 4096] = 1;\n  __syncthreads();\n"
                   "  out[threadIdx.x] = tile[threadIdx.x];\n}\n")
        self.write(CONFIG, "Severity: {'*': error}\nChecks: '-*,smem-bank-conflict'\n")
        self.assertEqual([line for line in self.found("src/assumed.cu", code=0) if not line.endswith(":note")], [])
        self.write(CONFIG, "Severity: {smem-bank-conflict: note}\nThresholds: {ErrorAboveShare: 0.5}\n")
        self.assertEqual(self.found("src/k.cu"), ["src/k.cu:note"])
        self.write(CONFIG, "Severity: {smem-bank-conflict: warning}\nThresholds: {ErrorAboveShare: 0.5}\n")
        self.assertEqual(self.found("src/k.cu"), ["src/k.cu:error"])

    def test_a_rule_that_is_a_note_may_gate(self):
        self.write("k.cu", "__global__ void k(float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 1; }\n")
        self.lint(0, "k.cu")
        self.assertIn("k.cu:error", self.found("--config=Severity: {launch-unknown: error}", "k.cu", code=1))

    def test_comments_and_budgets(self):
        self.write("src/k.cu", CLEAN.replace("tile[x][y];", "tile[x][y];  // NOLINT(smem-bank-conflict)"))
        self.lint(1, "src/k.cu")
        self.write(CONFIG, "PerPath: [{Path: src, Checks: -unused-nolint}]\n")
        self.lint(0, "src/k.cu")
        self.write(CONFIG, "PerPath: [{Path: src, Checks: -smem-bank-conflict}]\n")
        self.lint(0, "src/k.cu")  # a rule that is off cannot fire
        self.write(CONFIG, "PerPath: [{Path: src, Severity: {unused-nolint: note}}]\n")
        self.lint(0, "src/k.cu")
        self.write("src/k.cu", CONFLICT.replace("tile[x][y];", "tile[x][y];  // smem-lint: expect degree<=2"))
        self.write(CONFIG, "Checks: -smem-bank-conflict\nPerPath: [{Path: src, Severity: {expectation-broken: note}}]\n")
        self.assertEqual(self.found("src/k.cu", code=0), ["src/k.cu:note"])

    def test_nearer_configurations_are_stronger(self):
        self.write(CONFIG, "PerPath: [{Path: src, Checks: -smem-bank-conflict}]\n")
        self.write("src/" + CONFIG, "InheritParentConfig: true\nChecks: smem-*\n")
        self.assertEqual(self.found("src/k.cu"), ["src/k.cu:warning"])
        self.write("src/" + CONFIG, "InheritParentConfig: true\n")
        self.assertEqual(self.found("src/k.cu"), [])

    def test_dumped(self):
        self.write(CONFIG, "Checks: '-gmem-*'\nSeverity: {smem-*: error, smem-bank-conflict: note}\nPerPath:\n  - {Path: [a b, 'src/**'], Checks: '-smem-*', Severity: {'*': note}}\n"
                   "  - {Path: third_party, WarningsAsErrors: '*'}\n")
        self.write("src/" + CONFIG, "InheritParentConfig: true\nChecks: smem-bank-conflict\nSeverity: {smem-bank-conflict: error}\n")
        text = self.lint(0, "--dump-config", "src/k.cu", "--checks=gmem-uncoalesced").stdout
        self.write("dumped.yaml", text)
        self.assertEqual(self.lint(0, "--dump-config", "--config-file=dumped.yaml").stdout, text)
        self.assertEqual(self.found("src/k.cu"), ["src/k.cu:error"])
        self.assertEqual(self.found("--config-file=dumped.yaml", "src/k.cu"), ["src/k.cu:error"])
        self.assertEqual(self.found("--config-file=dumped.yaml", "third_party/k.cu"), ["third_party/k.cu:error"])

    def test_diff_goes_by_it_on_both_sides(self):
        environment = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": os.environ["PATH"]}
        self.write(CONFIG, "PerPath: [{Path: third_party, Checks: '-*'}]\n")
        self.write("third_party/k.cu", named("theirs", CLEAN))
        for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=self.folder.name, check=True, env=environment)
        self.write("third_party/k.cu", named("theirs"))
        self.lint(0, "diff", "main")
        os.remove(os.path.join(self.folder.name, CONFIG))
        self.lint(1, "diff", "main")

    def test_mistakes(self):
        for text, place, message in (
                ("PerPath: {Path: a}", "1:11", "must be a list"),
                ("PerPath: [{Checks: '-*'}]", "1:12", "needs `Path`"),
                ("PerPath:\n  - Path: a\n    Checks: smem-bank\n", "3:13", "no rule matches 'smem-bank'"),
                ("PerPath:\n  - Path: a\n    FailOn: never\n", "3:5", "unknown key 'FailOn'"),
                ("PerPath: [{Path: 'a[', Checks: '-*'}]", "1:18", "without `]`"),
                ("PerPath: [{Path: a, Path: b, Checks: '-*'}]", "1:21", "second time"),
                ("Severity: error", "1:11", "must be a mapping"),
                ("Severity: {smem-bank-conflict: fatal}", "1:12", "none of note, warning, error"),
                ("Severity: {smem-bank-conflict: off}", "1:12", "`Checks: '-smem-bank-conflict'` turns a rule off"),
                ("Severity: {smem-bank-conflicts: note}", "1:12", "did you mean 'smem-bank-conflict'?"),
                ("Severity: {smem-bank-conflict: note, smem-bank-conflict: error}", "1:38", "second time"),
                ("Severity: {smem-bank-conflict: [note]}", "1:33", "must be a single value")):
            with self.subTest(text=text):
                self.write(CONFIG, text)
                self.assert_fails(self.run_lint("src/k.cu"), f"{CONFIG}:{place}: error: ", message)


def validate(schema, document):
    schema = json.loads((ROOT / schema).read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(document)


class DiffFormats(LinterCase):
    def setUp(self):
        super().setUp()
        self.write("src/k.cu", CLEAN)
        self.write("src/worse.cu", named("worse", CONFLICT.replace("tile[32][32]", "tile[32][36]")))
        self.write("src/better.cu", named("better"))
        self.write("src/gone.cu", named("gone"))
        self.write("src/lost.cu", named("lost"))
        self.write("src/same.cu", named("same"))
        for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=self.folder.name, check=True, env={"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": os.environ["PATH"]})

    def change(self):
        self.write("src/k.cu", "\n" + CONFLICT)
        self.write("src/worse.cu", named("worse"))
        self.write("src/better.cu", named("better", CONFLICT.replace("tile[32][32]", "tile[32][36]")))
        self.write("src/lost.cu", named("lost", CONFLICT.replace("x = threadIdx.x,", "x = int(in[threadIdx.x]),")))
        os.remove(os.path.join(self.folder.name, "src/gone.cu"))

    def json(self, code, *arguments):
        report = json.loads(self.lint(code, "diff", "main", "--format=json", *arguments).stdout)
        validate("docs/schema/smem-lint-diff-1.schema.json", report)
        return report

    def sarif(self, code, *arguments):
        report = json.loads(self.lint(code, "diff", "main", "--format=sarif", *arguments).stdout)
        validate("tests/report/schemas/sarif-schema-2.1.0.json", report)
        return report["runs"][0]

    def test_json(self):
        self.change()
        report = self.json(1)
        self.assertEqual((report["revision"], report["regression"], report["files"], report["unchanged_kernels"]), ("main", True, 6, 1))
        conflicts = {one["file"]: one for one in report["findings"] if one["rule"] == "smem-bank-conflict"}
        self.assertEqual({file: one["change"] for file, one in conflicts.items()},
                         {"src/k.cu": "new", "src/worse.cu": "worse", "src/better.cu": "better", "src/gone.cu": "gone", "src/lost.cu": "not_known_any_more"})
        new, worse, gone = conflicts["src/k.cu"], conflicts["src/worse.cu"], conflicts["src/gone.cu"]
        self.assertEqual((new["line"], new["column"], new["kernel"], new["expression"], new["severity"], new["gates"]), (8, 58, "transpose", "tile[x][y]", "warning", True))
        self.assertIn("32-way bank conflict", new["message"])
        self.assertIsNone(new["before"])
        self.assertEqual((worse["before"]["conflict_degree"], worse["after"]["conflict_degree"], worse["after"]["wavefronts"]), (4, 32, 32))
        self.assertEqual((gone["line"], gone["severity"], gone["message"], gone["after"], gone["gates"]), (None, None, None, None, False))
        self.assertEqual(report["summary"], {key: sum(one["change"] == key for one in report["findings"]) for key in ("new", "worse", "better", "gone", "not_known_any_more")})
        kernels = {one["kernel"]: one for one in report["kernels"]}
        self.assertEqual({name: one["change"] for name, one in kernels.items()},
                         {"transpose": "worse", "worse": "worse", "better": "better", "gone": "gone", "lost": "not_known_any_more"})
        self.assertEqual((kernels["transpose"]["before"]["wavefronts"], kernels["transpose"]["after"]["wavefronts"], kernels["gone"]["after"]), (1024, 16896, None))
        self.assertTrue(kernels["lost"]["after"]["at_least"])

    def test_json_of_no_change_and_of_improvements(self):
        report = self.json(0)
        self.assertEqual((report["regression"], report["findings"], report["kernels"], report["unchanged_kernels"]), (False, [], [], 6))
        self.write("src/better.cu", named("better", CLEAN))
        report = self.json(0)
        self.assertEqual([(one["change"], one["gates"]) for one in report["findings"]], [("gone", False)])

    def test_sarif_has_what_got_worse(self):
        self.change()
        run = self.sarif(1)
        self.assertEqual([(one["ruleId"], one["baselineState"], one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for one in run["results"]],
                         [("smem-bank-conflict", "new", "src/k.cu"), ("smem-bank-conflict", "updated", "src/worse.cu")])
        self.assertEqual(run["properties"], {"revision": "main", "regression": True, "better": 1, "gone": 1, "notKnownAnyMore": 1})
        self.assertTrue(run["results"][0]["partialFingerprints"])
        self.assertTrue(run["tool"]["driver"]["rules"])

    def test_sarif_of_no_change_and_what_comments_suppress(self):
        run = self.sarif(0)
        self.assertEqual((run["results"], run["properties"]["regression"]), ([], False))
        self.write("src/k.cu", CONFLICT.replace("tile[x][y];", "tile[x][y];  // NOLINT(smem-bank-conflict)"))
        self.assertEqual(self.sarif(0)["results"], [])

    def test_it_is_the_same_at_any_number_of_jobs_and_in_a_file(self):
        self.change()
        for form in ("json", "sarif"):
            one = self.lint(1, "diff", "main", f"--format={form}", "-j1").stdout
            self.assertEqual(self.lint(1, "diff", "main", f"--format={form}", "-j8", "-o", f"{form}.out").stdout, "")
            self.assertEqual(self.read(f"{form}.out"), one)

    def test_other_formats_and_failures(self):
        for form in ("gitlab", "github", "html", "oneline"):
            self.assert_fails(self.run_lint("diff", "main", f"--format={form}"), "diff: --format=text, markdown, json or sarif")
        self.write("src/k.cu", "#error no\n")
        result = self.run_lint("diff", "main", "--format=json")
        self.assert_fails(result, "error: no")
        self.assertEqual(result.stdout, "")


class Sarif(LinterCase):
    def sarif(self, code, *arguments):
        report = json.loads(self.lint(code, "--format=sarif", *arguments).stdout)
        validate("tests/report/schemas/sarif-schema-2.1.0.json", report)
        return report["runs"][0]

    def text_of(self, name, place):
        region = place["physicalLocation"]["region"]
        line = self.read(name).split("\n")[region["startLine"] - 1].encode("utf-16-le")
        return line[2 * (region["startColumn"] - 1):2 * (region["endColumn"] - 1)].decode("utf-16-le")

    def test_rules_have_their_page_and_tags(self):
        self.write("k.cu", CLEAN)
        driver = self.sarif(0, "k.cu")["tool"]["driver"]
        self.assertTrue(driver["informationUri"].startswith("https://"))
        pages = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
        kinds = set()
        for rule in driver["rules"]:
            page, anchor = rule["helpUri"].split("#")
            self.assertEqual(page, driver["informationUri"] + "/blob/main/docs/rules.md")
            self.assertRegex(pages, f"(?m)^#+ {anchor}$")
            kind, language, *space = rule["properties"]["tags"]
            kinds.add(kind)
            self.assertEqual((language, space), ("cuda", {"smem": ["shared-memory"], "gmem": ["global-memory"]}.get(rule["id"][:4], [])))
        self.assertEqual(kinds, {"performance", "correctness", "maintainability", "analysis"})

    def test_regions_end_where_the_access_does(self):
        for access, marked in (("tile[x][y]", "tile[x][y]"), ("tile [x][ y ]", "tile [x][ y ]"), ("/* \u00e4\U0001d11e */ tile[x][y]", "tile[x][y]"),
                               ("READ", "READ")):
            with self.subTest(access=access):
                self.write("k.cu", "#define READ tile[x][y]\n" + CONFLICT.replace("= tile[x][y];", f"= {access};"))
                (result,) = self.sarif(1, "--checks=-*,smem-bank-conflict", "k.cu")["results"]
                self.assertEqual(self.text_of("k.cu", result["locations"][0]), marked)
                self.assertEqual(self.text_of("k.cu", result["relatedLocations"][0]), "tile")

    def test_paths_start_from_the_repository(self):
        self.write("a b/src/k.cu", CONFLICT)
        os.makedirs(os.path.join(self.folder.name, "a b/.git"))
        run = self.sarif(1, ".")
        (base,) = run["originalUriBaseIds"].values()
        self.assertEqual(base["uri"], pathlib.Path(os.path.realpath(self.folder.name), "a b").as_uri() + "/")
        self.assertEqual(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"], {"uri": "src/k.cu", "uriBaseId": "%SRCROOT%"})
        self.write("other/k.cu", CONFLICT)
        os.makedirs(os.path.join(self.folder.name, "other/.git"))
        self.assertEqual(list(self.sarif(1, ".")["originalUriBaseIds"]["%SRCROOT%"]), ["description"])  # not one folder
        self.assertEqual(list(self.sarif(0, "--checks=-*", "--config={}", "other")["originalUriBaseIds"]), ["%SRCROOT%"])

    def test_launches_that_are_not_known_make_no_alerts(self):
        self.write("k.cu", UNKNOWN_LAUNCH)
        run = self.sarif(0, "k.cu")
        self.assertEqual([result["ruleId"] for result in run["results"] if result["ruleId"] == "launch-unknown"], [])
        (note,) = [each for each in run["invocations"][0]["toolExecutionNotifications"] if "associatedRule" in each]
        self.assertEqual((note["associatedRule"]["id"], note["level"], run["tool"]["driver"]["rules"][note["associatedRule"]["index"]]["id"]),
                         ("launch-unknown", "note", "launch-unknown"))
        self.assertIn("launch of scale is not known entirely", note["message"]["text"])
        self.assertEqual(note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "k.cu")
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        self.assertEqual([result["ruleId"] for result in self.sarif(1, "--config=Severity: {launch-unknown: error}", "--checks=-*,launch-unknown", "k.cu")["results"]], ["launch-unknown"])
        none = self.sarif(0, "--checks=-launch-unknown", "k.cu")
        self.assertEqual(none["invocations"][0]["toolExecutionNotifications"], [])


if __name__ == "__main__":
    unittest.main()
