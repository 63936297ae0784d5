#!/usr/bin/env python3
"""Files, names and options that are wrong."""
import json
import os
import unittest

from case import Case, GOOD


class FilesAndNames(Case):
    def test_missing_file(self):
        self.assert_fails(self.run_lint("nowhere.cu"), "nowhere.cu", "No such file")

    def test_missing_file_beside_a_good_one(self):
        self.write("good.cu", GOOD)
        result = self.run_lint("--format=json", "nowhere.cu", "good.cu")
        self.assert_fails(result, "nowhere.cu")
        self.assert_good_kernel(json.loads(result.out))

    def test_directory(self):
        os.mkdir(self.path("folder.cu"))
        self.assert_fails(self.run_lint("folder.cu"), "folder.cu", "no CUDA file in this folder")

    def test_path_through_a_file(self):
        self.write("file.cu", GOOD)
        self.assert_fails(self.run_lint("file.cu/kernel.cu"), "file.cu/kernel.cu")

    def test_dangling_and_circular_links(self):
        os.symlink("gone.cu", self.path("dangling.cu"))
        os.symlink("circular.cu", self.path("circular.cu"))
        self.assert_fails(self.run_lint("dangling.cu"), "dangling.cu")
        self.assert_fails(self.run_lint("circular.cu"), "circular.cu")

    @unittest.skipIf(os.geteuid() == 0, "root reads every file")
    def test_unreadable_file(self):
        self.write("secret.cu", GOOD)
        os.chmod(self.path("secret.cu"), 0)
        self.assert_fails(self.run_lint("secret.cu"), "secret.cu", "permission denied")

    def test_empty_files(self):
        for contents in (b"", b"\n", b"\n\n// nothing\n", b"\xef\xbb\xbf"):
            result = self.lint(contents)
            self.assertEqual(result.code, 0, str(result))
            self.assertIn("no kernel in this file", result.err)

    def test_no_name_and_odd_names(self):
        self.assertEqual(self.run_lint("").code, 2)
        for name in ("with space.cu", "quote'\".cu", "-dash.cu", "percent%s%n.cu", "new\nline.cu", "\u00fc\u4e2d.cu", "no_suffix", "kernel.txt"):
            self.write(name, GOOD)
            result = self.run_lint("--format=json", "./" + name)
            self.assertEqual(result.code, 1, f"{name!r}: {result}")
            self.assert_good_kernel(json.loads(result.out))

    def test_name_that_is_not_utf8(self):
        name = os.fsencode(self.folder) + b"/bytes\xff.cu"
        with open(name, "wb") as file:
            file.write(GOOD.encode())
        self.assert_good_kernel(json.loads(self.run_lint("--format=json", os.fsdecode(name)).out))

    def test_very_long_name(self):
        self.assert_fails(self.run_lint("x" * 5000 + ".cu"), "File name too long")

    def test_standard_input(self):
        result = self.run_lint("--format=json", "-", stdin=GOOD.encode())
        self.assertEqual(result.code, 1, str(result))
        self.assert_good_kernel(json.loads(result.out))
        self.assert_fails(self.run_lint("-", stdin=b"__global__ void k( {\n"), "<stdin>:1:", "error:")
        self.assertEqual(self.run_lint("-", stdin=b"").code, 0)
        self.assert_fails(self.run_lint("-", "-", stdin=GOOD.encode()), "standard input")

    def test_same_file_twice(self):
        self.write("good.cu", GOOD)
        self.assert_good_kernel(json.loads(self.run_lint("--format=json", "good.cu", "good.cu").out))

    def test_unknown_architecture(self):
        self.write("good.cu", GOOD)
        self.assert_fails(self.run_lint("--arch=sm_91", "good.cu"), "sm_91", "sm_90")
        self.assert_fails(self.run_lint("--arch=", "good.cu"), "arch")
        result = self.run_lint("good.cu", "--", "-arch=sm_37")
        self.assertIn("sm_37", result.err)

    def test_flags_that_the_compiler_refuses(self):
        self.write("good.cu", GOOD)
        self.assert_fails(self.run_lint("good.cu", "--", "--no-such-flag"), "--no-such-flag")
        self.assert_fails(self.run_lint("good.cu", "--", "-std=c++1066"), "c++1066")
        self.assert_fails(self.run_lint("good.cu", "--", "-include", "missing.h"), "missing.h")

    def test_toolkit_that_does_not_exist(self):
        self.write("good.cu", GOOD)
        self.assert_fails(self.run_lint("--cuda-path=/nowhere/cuda", "good.cu"), "/nowhere/cuda")


if __name__ == "__main__":
    unittest.main(verbosity=2)  # names what is skipped, and why
