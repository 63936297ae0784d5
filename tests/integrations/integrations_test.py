#!/usr/bin/env python3
"""What other tools run of smem-lint, run as they would: integrations_test.py SMEM_LINT BUILD_FOLDER [unittest arguments]."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(2)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from cli_test import CLEAN, CONFLICT, SMEM_LINT, Case  # noqa: E402

# What git takes for the name of a file.
ODD_NAMES = ["--fix.cu", "-o.cu", "-oreport.cu", "--output=x.cu", "a b.cu", "x\n::error::y.cu", "$(touch x).cu", "'\".cu", "*.cu"]


class IntegrationCase(Case):
    def sh(self, command, code=0, **variables):
        env = {key: value for key, value in os.environ.items() if key not in ("CUDA_PATH", "CUDA_HOME", "CLICOLOR_FORCE") and not key.startswith("GIT_")}
        env.update(PATH=f"{os.path.dirname(SMEM_LINT)}:{env['PATH']}", NO_COLOR="1", GIT_CONFIG_GLOBAL="/dev/null", **variables)
        done = subprocess.run(["bash", "-c", command], cwd=self.folder.name, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def assert_untouched(self):
        """No file has become an option: nothing is repaired, no report is where an option would have put it."""
        for name in ODD_NAMES:
            self.assertEqual(self.read(name), CONFLICT)
        self.assertEqual(sorted(path.name for path in pathlib.Path(self.folder.name).glob("*.cu")), sorted(ODD_NAMES))

    def read(self, name):
        return pathlib.Path(self.folder.name, name).read_text(encoding="utf-8")

    def repository(self, text):
        self.write("src/k.cu", text)
        self.sh("git init -q && git add -A")


class Cmake(IntegrationCase):
    PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES CXX)
enable_testing()
include({module})
add_library(kernels OBJECT src/k.cu)
# Stands for CUDA, whose compiler need not be there; Ninja wants to know a language.
set_target_properties(kernels PROPERTIES LINKER_LANGUAGE CXX INCLUDE_DIRECTORIES "${{CMAKE_SOURCE_DIR}}/inc;${{CMAKE_SOURCE_DIR}}/none" COMPILE_DEFINITIONS "PAD={pad};MORE=1")
smem_lint_add_target(lint TARGET kernels OPTIONS --cuda-path=none TEST {more})
"""

    def project(self, pad, more=""):
        self.write("CMakeLists.txt", self.PROJECT.format(module=ROOT / "integrations/cmake/SmemLint.cmake", pad=pad, more=more))
        self.write("inc/size.h", "#define COLUMNS (32 + PAD)\n")
        self.write("src/k.cu", "#include \"size.h\"\n" + CONFLICT.replace("tile[32][32]", "tile[32][COLUMNS]"))

    def test_target_and_test(self):
        configure = f"cmake -S . -B b -DSMEM_LINT_PROGRAM={SMEM_LINT}"
        self.project(1)
        self.sh(f"{configure} && cmake --build b --target lint && ctest --test-dir b")
        self.project(0)
        self.assertIn("src/k.cu:8:58: warning: 32-way", self.sh(f"{configure} && cmake --build b --target lint || exit 1", 1))
        self.sh("ctest --test-dir b || exit 1", 1)
        self.sh(f"{SMEM_LINT} --cuda-path=none --quiet --baseline=baseline.json --update-baseline src/k.cu -- -Iinc -DPAD=0")
        self.project(0, "BASELINE baseline.json")
        self.sh(f"{configure} && cmake --build b --target lint")

    def test_options_of_the_target(self):
        self.project(1, "BASELINE none.json")
        text = self.read("CMakeLists.txt").replace("smem_lint_add_target", "set_target_properties(kernels PROPERTIES CUDA_ARCHITECTURES 80-real CUDA_STANDARD 17 "
                                                   "COMPILE_OPTIONS \"-DTILE=33;-Wall\")\nsmem_lint_add_target").replace(" BASELINE none.json", "")
        self.write("CMakeLists.txt", text.replace("--cuda-path=none", "--cuda-path=none --format=json"))
        self.write("src/k.cu", "static_assert(__cplusplus == 201703L && TILE == 33);\n" + CONFLICT)
        printed = self.sh(f"cmake -S . -B b -DSMEM_LINT_PROGRAM={SMEM_LINT} && cmake --build b --target lint || exit 1", 1)
        self.assertIn('"arch": "sm_80"', printed)

    def test_a_baseline_that_is_not_there(self):
        self.project(1, "BASELINE none.json")
        self.assertIn("--update-baseline writes one", self.sh(f"cmake -S . -B b -DSMEM_LINT_PROGRAM={SMEM_LINT} && cmake --build b --target lint || exit 1", 1))

    def test_bad_input(self):
        for more, needle in (("BASELIN x", "unknown argument 'BASELIN;x'"),):
            self.project(1, more)
            self.assertIn(needle, self.sh(f"cmake -S . -B b -DSMEM_LINT_PROGRAM={SMEM_LINT}", 1))
        self.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.22)\nproject(user LANGUAGES NONE)\ninclude({ROOT}/integrations/cmake/SmemLint.cmake)\n"
                   "smem_lint_add_target(lint)\n")
        self.assertIn("no .cu file", self.sh(f"cmake -S . -B c -DSMEM_LINT_PROGRAM={SMEM_LINT}", 1))


class PreCommit(IntegrationCase):
    def test_the_entry_takes_file_names(self):
        text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
        entry = str(ROOT / re.search(r"entry: (.*)", text)[1])  # a script of the hook's repository
        self.write("a.cu", CLEAN)
        self.write("b.cu", CONFLICT)
        self.sh(f"{entry} a.cu")
        self.assertIn("[smem-bank-conflict]", self.sh(f"{entry} a.cu b.cu", 1))
        pattern = re.compile(re.search(r"files: (.*)", text)[1])
        self.assertTrue(pattern.search("src/k.cu"))
        self.assertFalse(pattern.search("src/k.cuh"))

    def test_names_are_no_options(self):
        for name in ODD_NAMES:
            self.write(name, CONFLICT)
        entry = str(ROOT / "integrations/pre-commit/lint")
        printed = self.sh(f"{entry} --arch=sm_80 " + " ".join(shlex.quote(name) for name in ODD_NAMES), 1)
        self.assertEqual(printed.count("[smem-bank-conflict]"), len(ODD_NAMES))
        self.assert_untouched()


class Github(IntegrationCase):
    def act(self, code, **variables):
        for name in ("summary", "output"):
            self.write(name, "")
        return self.sh(str(ROOT / "integrations/github/lint"), code, GITHUB_STEP_SUMMARY=self.path("summary"), GITHUB_OUTPUT=self.path("output"), **variables)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_annotations_summary_and_sarif(self):
        self.repository(CONFLICT)
        self.assertIn("::warning file=src/k.cu,line=7,col=58,title=smem-bank-conflict::", self.act(1))
        self.assertIn("### smem-lint: 1 finding", self.read("summary"))
        self.assertEqual(self.read("output"), "sarif=smem-lint.sarif\n")
        self.assertEqual(len(json.loads(self.read("smem-lint.sarif"))["runs"][0]["results"]), 1)

    def test_clean_baseline_and_failure(self):
        self.repository(CLEAN)
        self.assertEqual(self.act(0), "")
        self.write("src/k.cu", CONFLICT)
        self.sh("smem-lint --cuda-path=none --baseline=b.json --update-baseline src/k.cu")
        self.act(0, SMEM_LINT_BASELINE="b.json", SMEM_LINT_FILES="src/k.cu", SMEM_LINT_OPTIONS="--arch=sm_90 --cuda-path=none")
        self.write("src/k.cu", "#error no\n")
        self.assertIn("error: no", self.act(2))

    def test_names_are_no_options(self):
        for name in ODD_NAMES:
            self.write(name, CONFLICT)
        self.sh("git init -q && git add -A")
        for variables in ({}, {"SMEM_LINT_FILES": "\n".join(name for name in ODD_NAMES if "\n" not in name)}):
            printed = self.act(1, **variables)
            wanted = len(variables["SMEM_LINT_FILES"].splitlines()) if variables else len(ODD_NAMES)
            self.assertEqual(len(re.findall(r"(?m)^::warning file=", printed)), wanted, printed)
            self.assertEqual([line for line in printed.splitlines() if not line.startswith("::warning file=")], [])
            self.assertEqual(len(json.loads(self.read("smem-lint.sarif"))["runs"][0]["results"]), wanted)
            self.assert_untouched()

    def test_a_report_of_an_odd_name(self):
        self.repository(CLEAN)
        self.assertIn("line break", self.act(2, SMEM_LINT_SARIF="a\nb=c"))
        self.act(0, SMEM_LINT_SARIF="--fix.sarif")
        self.assertEqual(self.read("output"), "sarif=--fix.sarif\n")

    def test_the_example_has_no_token_that_writes_where_it_analyses(self):
        text = (ROOT / "examples/ci/smem-lint.yml").read_text(encoding="utf-8")
        for job in re.split(r"(?m)^  (?=\w+:$)", text.split("jobs:\n")[1]):
            if "uses: ./.smem-lint" in job:
                self.assertNotIn(": write", job)
                self.assertEqual(job.count("actions/checkout@"), job.count("persist-credentials: false"))
        self.assertIn("permissions:", text)
        self.assertNotIn("pull_request_target", text)

    def test_no_kernel(self):
        self.sh("git init -q")
        self.assertIn("no .cu file", self.act(0))

    def test_the_action_runs_that_script_with_its_inputs(self):
        action = (ROOT / "action.yml").read_text(encoding="utf-8")
        self.assertIn("$GITHUB_ACTION_PATH/integrations/github/lint", action)
        script = (ROOT / "integrations/github/lint").read_text(encoding="utf-8")
        for variable, name in re.findall(r"(SMEM_LINT_\w+): \$\{\{ inputs\.(\w+) \}\}", action):
            self.assertIn(variable, script)
            self.assertRegex(action, rf"(?m)^  {name}:$")


class Gitlab(IntegrationCase):
    def script(self):
        text = (ROOT / "integrations/gitlab/smem-lint.yml").read_text(encoding="utf-8")
        return "set -eo pipefail\n" + "\n".join(re.findall(r"^    - (.*)$", text.split("  script:\n")[1].split("  artifacts:")[0], re.M))

    def test_report_and_exit_code(self):
        self.repository(CONFLICT)
        self.assertIn("[smem-bank-conflict]", self.sh(self.script(), 1))
        (entry,) = json.loads(self.read("gl-code-quality-report.json"))
        self.assertEqual((entry["location"]["path"], entry["severity"]), ("src/k.cu", "major"))
        self.write("src/k.cu", CLEAN)
        self.sh(self.script())
        self.assertEqual(json.loads(self.read("gl-code-quality-report.json")), [])

    def test_names_are_no_options(self):
        for name in ODD_NAMES:
            self.write(name, CONFLICT)
        self.sh("git init -q && git add -A")
        self.sh(self.script(), 1)
        self.assertEqual(sorted(entry["location"]["path"] for entry in json.loads(self.read("gl-code-quality-report.json"))), sorted(ODD_NAMES))
        self.assert_untouched()


class Manual(IntegrationCase):
    def test_every_option_is_in_it(self):
        page = self.run_lint("--generate=man").stdout
        for option in re.findall(r"--[a-z-]+(?==| |$)", self.run_lint("--help").stdout.split("Exit code")[0]):
            self.assertIn(option.replace("-", "\\-"), page)
        self.assertIn("smem\\-bank\\-conflict", page)
        for line in page.splitlines():
            self.assertFalse(line.startswith("'"), line)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_it_formats_without_complaint(self):
        page = self.run_lint("--generate=man").stdout
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")

    def test_bad_input(self):
        self.assert_fails(self.run_lint("--generate=html"), "known are man, bash, zsh, fish")


class Completion(IntegrationCase):
    def complete(self, *words):
        self.write("completion.bash", self.run_lint("--generate=bash").stdout)
        return self.sh(f"compopt() {{ :; }}; . ./completion.bash; COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}; "
                       "_smem_lint; printf '%s\\n' \"${COMPREPLY[@]}\"").split()

    def test_options_values_and_files(self):
        self.write("kernel.cu", CLEAN)
        self.write("kernel.txt", "")
        self.assertEqual(self.complete("smem-lint", "--base"), ["--baseline="])
        self.assertEqual(self.complete("smem-lint", "--format", "=", "sar"), ["sarif"])
        self.assertIn("smem-bank-conflict", self.complete("smem-lint", "--explain", "=", "smem-b"))
        self.assertEqual(self.complete("smem-lint", "kern"), ["kernel.cu"])
        self.assertEqual(self.complete("smem-lint", "mer"), ["merge"])

    def options(self):
        """All options of --help, as they are spelled there."""
        lines = re.findall(r"(?m)^  (-.*)", self.run_lint("--help").stdout)
        found = {name for line in lines for name in re.findall(r"(?:^|\[ )(-[a-z]\b|--[a-z-]+)", line)}
        self.assertTrue({"-p", "-o", "--output", "--format", "--diff", "--help", "-h"} <= found, found)
        return found

    def formats(self):
        return self.run_lint("--format=x", "k.cu").stderr.split("known are ")[1].strip().split(", ")

    def test_every_option_is_in_every_shell(self):
        scripts = {shell: self.run_lint(f"--generate={shell}").stdout for shell in ("bash", "zsh", "fish")}
        for name in self.options():
            with self.subTest(option=name):
                self.assertIn(name, self.complete("smem-lint", name.rstrip("=")) + [word.rstrip("=") for word in self.complete("smem-lint", name)])
                self.assertRegex(scripts["zsh"], rf"(?m)^    '\*{name}(=-?|\+)?\[")
                long_or_short = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                self.assertRegex(scripts["fish"], rf"(?m)^complete -c smem-lint.* {long_or_short} ")

    def test_the_formats_are_those_that_there_are(self):
        self.assertEqual(self.complete("smem-lint", "--format", "=", ""), self.formats())
        self.assertIn(f":({' '.join(self.formats())})'", self.run_lint("--generate=zsh").stdout)
        self.assertIn(f"-a '{' '.join(self.formats())}'", self.run_lint("--generate=fish").stdout)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_it(self):
        self.write("_smem-lint", self.run_lint("--generate=zsh").stdout)
        # In the place of zsh's own function, one that prints what it is given: each option is one word, whatever its description has in it.
        words = self.sh("zsh -f -c 'zmodload zsh/parameter; function _arguments { printf \"%s\\0\" \"$@\"; }; . ./_smem-lint'").split("\0")[:-1]
        self.assertEqual((words[0], words[-2:]), ("-S", ["1: :_smem_lint_first", "*: :_smem_lint_files"]))
        names = [re.fullmatch(r"\*(-[a-z]|--[a-z-]+?)(?:=-?|\+)?\[(?:[^\\\]]|\\.)+\](::?[^:]+:.*)?", word)[1] for word in words[1:-2]]
        self.assertEqual(set(names), self.options())

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes_by_it(self):
        self.write("smem-lint.fish", self.run_lint("--generate=fish").stdout)
        self.write("kernel.cu", CLEAN)

        def complete(line):
            done = self.sh(f"HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD fish --no-config -c 'source smem-lint.fish; complete -C \"smem-lint {line}\"'")
            return [word.split("\t")[0] for word in done.splitlines()]
        self.assertEqual(complete("--base"), ["--baseline"])
        self.assertEqual(complete("--format=sar"), ["--format=sarif"])
        self.assertEqual(complete("--checks=gmem-narrow-access,smem-bank"), ["--checks=gmem-narrow-access,smem-bank-conflict"])
        self.assertIn("kernel.cu", complete("ker"))
        self.assertEqual(complete("mer"), ["merge"])
        offered = set(complete("--"))
        self.assertEqual({name for name in self.options() if name.startswith("--")} - offered, set())


class Install(IntegrationCase):
    def test_completions_are_where_shells_look_for_them(self):
        self.sh(f"cmake --install {BUILD} --prefix $PWD/local --component smem-lint >/dev/null")
        for shell, name in (("bash", "bash-completion/completions/smem-lint"), ("zsh", "zsh/site-functions/_smem-lint"), ("fish", "fish/vendor_completions.d/smem-lint.fish")):
            self.assertEqual(self.read(f"local/share/{name}"), self.run_lint(f"--generate={shell}").stdout)
        self.sh(f"DESTDIR=$PWD/staged cmake --install {BUILD} --prefix /usr --component smem-lint >/dev/null")
        self.assertTrue(self.read("staged/usr/share/zsh/vendor-completions/_smem-lint").startswith("#compdef smem-lint\n"))


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"), "dpkg-dev is not installed")
class Package(IntegrationCase):
    def test_the_package_works_where_it_is_unpacked(self):
        self.sh(f"cpack -G DEB --config {BUILD}/CPackConfig.cmake -B . >/dev/null")
        (package,) = pathlib.Path(self.folder.name).glob("*.deb")
        fields = self.sh(f"dpkg-deb -f {package}")
        for library in ("libboost-program-options", "libclang-common-19-dev"):
            self.assertIn(library, fields)
        self.sh(f"dpkg-deb -x {package} unpacked && dpkg-deb -e {package} control")
        for script in ("postinst", "prerm"):
            self.sh(f"test -x control/{script} && sh -n control/{script}")
        self.sh("DPKG_ROOT=$PWD/unpacked control/postinst configure")
        self.assertTrue(list(pathlib.Path(self.folder.name, "unpacked/usr/lib/smem-lint/prefixes").glob("*/*")))
        shared = "libLLVM" in self.sh("readelf -d unpacked/usr/bin/smem-lint")
        for library in ("libclang-cpp19", "libllvm19"):  # unless they are inside
            self.assertEqual(library in fields, shared)
        self.write("k.cu", CONFLICT)
        self.assertIn("works", self.sh("unpacked/usr/bin/smem-lint --doctor --cuda-path=none"))
        self.assertIn(f"{self.folder.name}/unpacked/usr/share/smem-lint/headers", self.sh("unpacked/usr/bin/smem-lint --doctor --cuda-path=none"))
        self.sh("unpacked/usr/bin/smem-lint --cuda-path=none k.cu", 1)
        for name in ("share/man/man1/smem-lint.1*", "share/bash-completion/completions/smem-lint", "share/zsh/vendor-completions/_smem-lint",
                     "share/fish/vendor_completions.d/smem-lint.fish", "lib/*/cmake/smem-lint/smem-lint-config.cmake"):
            self.assertTrue(list(pathlib.Path(self.folder.name, "unpacked/usr").glob(name)) or list(pathlib.Path(self.folder.name, "unpacked/usr").glob(name.replace("*/", "", 1))), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # names what is skipped, and why
