#!/usr/bin/env python3
"""Builds that are described wrongly: compilation databases, options files, toolkits, include folders, links and folders without permission."""
import json
import os
import stat
import subprocess
import unittest

from case import Case, GOOD, SMEM_LINT

NOBODY = 65534


def may_be_run_by_others():
    """Whether a process without privileges finds the program."""
    path = SMEM_LINT
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


OTHER = GOOD.replace("good", "other")


class Builds(Case):
    def database(self, *entries):
        self.write("compile_commands.json", json.dumps([{"directory": self.folder, **entry} for entry in entries]))

    def good_beside(self, *arguments):
        """The result of a run over bad.cu and good.cu, the second of which has to be analysed."""
        self.write("good.cu", GOOD)
        result = self.run_lint("--format=json", "bad.cu", "good.cu", *arguments)
        self.assert_good_kernel(json.loads(result.out))
        return result

    def assert_says(self, result, *needles):
        self.assertTrue(any(all(needle in line for needle in needles) for line in result.err.splitlines()), f"no line with {needles}\n{result}")


class Databases(Builds):
    BROKEN = (("", "is not JSON"), ('[{"file": "good.cu",\n', "is not JSON: [2:"), ("{}", "an array is expected"), ("3", "an array is expected"))

    def test_broken_and_named(self):
        self.write("good.cu", GOOD)
        for text, message in self.BROKEN:
            self.write("compile_commands.json", text)
            self.assert_fails(self.run_lint("-p", ".", "good.cu"), "compile_commands.json", message)
        os.remove(self.path("compile_commands.json"))
        self.assert_fails(self.run_lint("-p", ".", "good.cu"), "compile_commands.json", "No such file")
        self.assert_fails(self.run_lint("-p", "nowhere", "good.cu"), "nowhere")

    def test_broken_and_found(self):
        self.write("good.cu", GOOD)
        for text, message in self.BROKEN:
            self.write("compile_commands.json", text)
            result = self.run_lint("--format=json", "good.cu")
            self.assert_says(result, "compile_commands.json: warning:", message)
            self.assertEqual(result.code, 1, str(result))
            self.assert_good_kernel(json.loads(result.out))

    def test_entries_that_say_too_little(self):
        self.write("good.cu", GOOD)
        self.write("compile_commands.json", json.dumps([3, {"directory": "/"}, {"directory": self.folder, "file": "good.cu"}]))
        result = self.run_lint("good.cu")
        self.assertEqual(result.code, 1, str(result))
        for entry, key in ((1, '"file"'), (2, '"file"'), (3, '"command"')):
            self.assert_says(result, "compile_commands.json: warning:", f"entry {entry} has no {key}")

    def test_a_file_that_is_not_mentioned(self):
        self.database({"file": "other.cu", "command": "nvcc -c other.cu"})
        self.write("good.cu", GOOD)
        result = self.run_lint("-p", ".", "good.cu")
        self.assert_says(result, "good.cu: warning:", "does not mention this file")
        self.assertEqual(result.code, 1, str(result))

    def test_a_file_in_two_commands(self):
        self.write("good.cu", GOOD)
        self.database({"file": "good.cu", "command": "nvcc -DA -c good.cu"}, {"file": "good.cu", "command": "nvcc -DB -c good.cu"})
        result = self.run_lint("--format=json", "good.cu")
        self.assert_says(result, "good.cu: warning:", "several commands")
        self.assert_good_kernel(json.loads(result.out))

    def test_several_languages(self):
        self.write("host.c", "int f(void) { int new = 1; return new; }\n")
        self.write("host.cpp", "int g() { return 1; }\n")
        self.write("bad.cu", "#ifndef DEVICE\n#error\n#endif\n" + GOOD.replace("good", "other"))
        self.database({"file": "host.c", "command": "cc -std=c11 -c host.c"}, {"file": "host.cpp", "command": "c++ -std=c++20 -c host.cpp"},
                      {"file": "bad.cu", "command": "nvcc -std=c++17 -DDEVICE -c bad.cu"}, {"file": "good.cu", "command": "nvcc -c good.cu"})
        self.assertEqual(self.good_beside().code, 1)
        result = self.run_lint("host.cpp")
        self.assertEqual(result.code, 0, str(result))
        self.assert_says(result, "host.cpp", "no kernel in this file")

    def test_options_files(self):
        os.symlink("loop.rsp", self.path("loop.rsp"))
        self.write("self.rsp", "-DSELF --options-file self.rsp")
        for name, message in (("gone.rsp", "cannot read options file"), ("loop.rsp", "cannot read options file"), (".", "cannot read options file"),
                              ("self.rsp", "options files nested too deeply")):
            self.write("bad.cu", GOOD)
            self.database({"file": "bad.cu", "command": f"nvcc --options-file {name} -c bad.cu"}, {"file": "good.cu", "command": "nvcc -c good.cu"})
            self.assert_fails(self.good_beside(), f"bad.cu: error: {message}", name)

    def test_unknown_option_of_nvcc(self):
        self.write("bad.cu", GOOD)
        self.database({"file": "bad.cu", "command": "nvcc --frobnicate -c bad.cu"}, {"file": "good.cu", "command": "nvcc -c good.cu"})
        self.assert_fails(self.good_beside(), "bad.cu: error:", "--frobnicate")

    def test_file_to_include_first(self):
        """`-include` looks beside the command first, then in the include folders."""
        os.mkdir(self.path("inc"))
        self.write("inc/first.h", "#define WIDTH 32\n")
        self.write("good.cu", GOOD.replace("[32][32]", "[32][WIDTH]"))
        self.database({"file": "good.cu", "command": "nvcc -Iinc -include first.h -c good.cu"})
        self.assert_good_kernel(json.loads(self.run_lint("--format=json", "good.cu").out))


class Headers(Builds):
    def test_header_in_the_project(self):
        os.makedirs(self.path("lib/include/detail"))
        self.write("lib/include/detail/tile.h", "")
        self.write("bad.cu", "#include <detail/tile.h>\n" + OTHER)
        result = self.good_beside()
        self.assertEqual(result.code, 1, str(result))
        self.assert_says(result, "bad.cu:1:1: note: 'detail/tile.h' is taken from lib/include")
        os.makedirs(self.path("more/include/detail"))
        self.write("more/include/detail/tile.h", "")
        self.assertEqual(self.good_beside().code, 1) # the same
        self.write("more/include/detail/tile.h", "// another")
        result = self.good_beside()
        self.assert_fails(result, "bad.cu:1:10: error: 'detail/tile.h' file not found")
        self.assert_says(result, "bad.cu:1:1: note:", "lib/include` would find that one")

    def test_header_nowhere(self):
        self.write("bad.cu", "#include <detail/tile.h>\n" + OTHER)
        result = self.good_beside()
        self.assert_fails(result, "bad.cu:1:10: error: 'detail/tile.h' file not found")
        self.assert_says(result, "bad.cu:1:1: note:", "-IFOLDER", "-p DIR")

    def test_folders_in_a_circle(self):
        os.mkdir(self.path("inc"))
        os.symlink("..", self.path("inc/up"))
        os.symlink("circle", self.path("circle"))
        self.write("bad.cu", "#include <gone.h>\n" + OTHER)
        self.assert_fails(self.good_beside("--", "-Iinc/up/inc/up", "-Icircle"), "bad.cu:1:10: error:", "gone.h")
        self.write("inc/up/inc/found.h", "")
        self.write("bad.cu", "#include <found.h>\n" + OTHER)
        self.assertEqual(self.good_beside("--", "-Iinc/up/inc/up/inc", "-Icircle").code, 1)


class Toolkits(Builds):
    def test_no_toolkit_there(self):
        self.write("good.cu", GOOD)
        os.makedirs(self.path("empty/include"))
        for wrong in ("/nowhere/cuda", "empty", "good.cu"):
            self.assert_fails(self.run_lint(f"--cuda-path={wrong}", "good.cu"), "no CUDA toolkit in", wrong)

    @unittest.skipUnless(os.path.exists("/usr/local/cuda/include/cuda_runtime.h"), "no toolkit to take the headers of")
    def test_headers_alone_are_enough(self):
        os.mkdir(self.path("cuda"))
        os.symlink("/usr/local/cuda/include", self.path("cuda/include"))
        self.write("good.cu", GOOD)
        self.assert_good_kernel(json.loads(self.run_lint("--format=json", "--cuda-path=cuda", "good.cu").out))

    def test_doctor_says_what_is_wrong(self):
        result = self.run_lint("--doctor", "--cuda-path=/nowhere/cuda")
        self.assertEqual(result.code, 2, str(result))
        self.assertIn("in use:   none: no CUDA toolkit in '/nowhere/cuda'", result.out)
        self.assertIn("--cuda-path=none", result.out)


class Outputs(Builds):
    """Where nothing can be written. /proc takes no files, not even from root."""

    def test_report(self):
        self.write("good.cu", GOOD)
        for where in ("/proc/report.json", "nowhere/report.json", "good.cu/report.json", "."):
            self.assert_fails(self.run_lint("--format=json", "-o", where, "good.cu"), "cannot write", where)

    def test_cache(self):
        self.write("good.cu", GOOD)
        for where in ("/proc/cache", "good.cu/cache"):
            result = self.run_lint("--format=json", "--cache-dir", where, "good.cu")
            self.assertEqual(result.code, 1, str(result))
            self.assert_says(result, "warning: the cache is not used", where)
            self.assert_good_kernel(json.loads(result.out))

    @unittest.skipIf(os.geteuid() == 0 and not may_be_run_by_others(), "root may write everywhere, and nobody else finds the program")
    def test_folder_that_is_read_only(self):
        self.write("good.cu", GOOD)
        os.chmod(self.path("good.cu"), 0o444)
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        before = open(self.path("good.cu")).read()

        def run(*arguments):
            drop = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
            return subprocess.run([SMEM_LINT, "--cuda-path=none", *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
                                  env={**os.environ, "NO_COLOR": "1"}, **drop)
        self.assertEqual(run("good.cu").returncode, 1)
        for arguments in (("-o", "report.txt", "good.cu"), ("--fix", "good.cu"), ("--export-fixes", "fixes.yaml", "good.cu"),
                          ("--baseline=base.json", "--update-baseline", "good.cu")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, f"{arguments}: {result}")
            self.assertIn("cannot write", result.stderr)
        self.assertEqual(open(self.path("good.cu")).read(), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # names what is skipped, and why
