#!/usr/bin/env python3
"""smem-validate as its users meet it: validate_cli_test.py SMEM_VALIDATE [unittest arguments].

No GPU is used. The programs that are measured are scripts which write what the injected library would have written; a script
stands in for nvcc as well. tests/gpu has the same with real programs.
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

SMEM_VALIDATE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-validate"

SESSION = {"kind": "session", "schema_version": 1, "gpu": "NVIDIA H200", "chip": "GH100", "compute_capability": "9.0", "driver_version": "580.1",
           "date": "2026-01-01T00:00:00Z"}
END = {"kind": "end", "launches": 1, "measured": 1, "other_contexts": 0}


def launch(index=0, wavefronts=32, **more):
    row = {"function": "k", "pc": 16, "opcode": "LDS", "space": "shared", "operation": "load", "width": 32, "executed": 1, "threads": 32,
           "wavefronts": wavefronts, "wavefronts_ideal": 1, "tags": 0, "sectors": 0, "sectors_ideal": 0}
    if more.get("line_info", True):
        row.update(file="k.cu", line=3)
    return {"kind": "launch", "index": index, "kernel": "_Z1kv", "demangled": "k()", "grid": [1, 1, 1], "block": [32, 1, 1], "shared_static": 0,
            "shared_dynamic": 0, "result": "success", "line_info": True, "instructions": [row], **more}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("library.so", "")
        self.write("k.cu", "__global__ void k() {}\n")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text, executable=False):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        if executable:
            os.chmod(self.path(name), 0o755)

    def program(self, records, then="", timed=()):
        """A script that leaves these records, then does what `then` says; with the second list when it is timed."""
        def lines(list_):
            return "".join(f"cat >>\"$SMEM_MEASURE_OUT\" <<'RECORD'\n{r if isinstance(r, str) else json.dumps(r)}\nRECORD\n" for r in list_)
        return f"#!/bin/sh\nif [ -n \"$SMEM_MEASURE_TIME\" ]; then\n:\n{lines(timed)}else\n:\n{lines(records)}fi\n{then}\n"

    def run_validate(self, *arguments, env=None):
        return subprocess.run([SMEM_VALIDATE, *arguments], cwd=self.folder.name, capture_output=True, text=True, timeout=120, check=False,
                              env=dict(os.environ, **(env or {})))

    def records(self, name="measured.jsonl"):
        found = []
        with open(self.path(name), encoding="utf-8") as file:
            for line in file:
                try:
                    found.append(json.loads(line))
                except ValueError:
                    found.append(line)
        return found


class Measure(Case):
    def measure(self, records, *options, **more):
        self.write("p", self.program(records, **more), executable=True)
        return self.run_validate("measure", "--library", "library.so", *options, "--", "./p")

    def assert_fails(self, done, code, *needles):
        self.assertEqual(done.returncode, code, done.stderr)
        for needle in needles:
            self.assertIn(needle, done.stderr)

    def test_summary_and_sources(self):
        done = self.measure([{**SESSION, "program": self.path("p")}, launch(), launch(1), END])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 launches of 1 kernel, 2 rows", done.stderr)
        self.assertNotIn("warning", done.stderr)
        with open(self.path("k.cu"), "rb") as file:
            self.assertEqual(self.records()[-1], {"kind": "sources", "sources": [{"file": "k.cu", "sha256": hashlib.sha256(file.read()).hexdigest()}]})

    def test_a_source_that_is_newer_than_the_program_has_no_hash(self):
        self.write("built", "")
        os.utime(self.path("built"), (1, 1))
        done = self.measure([{**SESSION, "program": self.path("built")}, launch(), END])
        self.assertIn("k.cu is newer than the program", done.stderr)
        self.assertFalse([r for r in self.records() if r["kind"] == "sources"])

    def test_crash_keeps_what_was_measured(self):
        done = self.measure([SESSION, launch()], then="kill -SEGV $$")
        self.assert_fails(done, 128 + 11, "killed by signal 11", "did not end normally", "1 launch ")
        self.assertEqual([r["kind"] for r in self.records()][:2], ["session", "launch"])

    def test_a_line_that_was_cut_off(self):
        done = self.measure([SESSION, launch(), '{"kind":"launch","index":1,"ker'], then="kill -KILL $$")
        self.assert_fails(done, 128 + 9, "1 launch ", "killed by signal 9")

    def test_lines_that_are_not_records(self):
        done = self.measure([SESSION, "the program's own words", '{"kind":"launch","instructions":7}', '{"kind":5}', "[]", launch(), END])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 row ", done.stderr)

    def test_exit_with_an_error(self):
        self.assert_fails(self.measure([SESSION, launch(), END], then="exit 7"), 7, "exited with 7", "1 launch ")

    def test_without_line_information(self):
        done = self.measure([SESSION, launch(line_info=False), END])
        self.assertEqual(done.returncode, 0)
        self.assertIn("-lineinfo", done.stderr)

    def test_failed_launches(self):
        bad = launch(1, result="CUDA_ERROR_INVALID_VALUE", instructions=[])
        done = self.measure([SESSION, launch(), bad, END])
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 launch failed and were not measured", done.stderr)
        self.assert_fails(self.measure([SESSION, bad, END]), 2, "nothing measured: every launch failed")

    def test_no_permission_names_the_option(self):
        done = self.measure([{"kind": "error", "message": "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES",
                              "hint": "load the nvidia kernel module with NVreg_RestrictProfilingToAdminUsers=0"}, END])
        self.assert_fails(done, 2, "nothing measured", "INSUFFICIENT_PRIVILEGES", "NVreg_RestrictProfilingToAdminUsers=0")

    def test_an_error_half_way_is_an_error(self):
        done = self.measure([SESSION, launch(), {"kind": "error", "message": "flush failed", "hint": ""}, END])
        self.assert_fails(done, 2, "ended early: flush failed", "1 launch ")

    def test_no_cuda_no_launch_no_match(self):
        self.assert_fails(self.measure([]), 2, "nothing measured", "smem-validate doctor")
        self.assert_fails(self.measure([SESSION, END]), 2, "launched no kernel")
        self.assert_fails(self.measure([SESSION, END], "--kernel", "x"), 2, "no launch matched --kernel 'x'")

    def test_a_chip_without_a_table(self):
        done = self.measure([{**SESSION, "compute_capability": "13.7"}, launch(), END])
        self.assertEqual(done.returncode, 0)
        self.assertIn("no table for compute capability 13.7", done.stderr)

    def test_launches_elsewhere_are_not_forgotten(self):
        self.assertIn("3 launches on another GPU", self.measure([SESSION, launch(), {**END, "other_contexts": 3}]).stderr)

    def test_time(self):
        time = {"kind": "time", "index": 0, "demangled": "k()", "median_ns": 1000, "fastest_ns": 900, "slowest_ns": 1100}
        done = self.measure([SESSION, launch(), END], "--time", timed=[time])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 launch timed", done.stderr)
        self.assertEqual(self.records()[-1], time)
        done = self.measure([SESSION, launch(), END], "--time", timed=[{"kind": "time", "index": 0, "not_timed": "why"}],
                            then='[ -z "$SMEM_MEASURE_TIME" ] || exit 5')
        self.assertIn("could not be timed", done.stderr)
        self.assertIn("when it was timed, the program exited with 5", done.stderr)

    def test_usage(self):
        self.assert_fails(self.run_validate("measure"), 2, "no program to measure")
        self.assert_fails(self.run_validate("measure", "--libary", "x", "--", "./p"), 2, "unrecognised option '--libary'")
        self.assert_fails(self.run_validate("measure", "-k", "(", "--", "./p"), 2, "not a regular expression")
        self.assert_fails(self.run_validate("measure", "--library", "none.so", "--", "./p"), 2, "not found")
        self.assert_fails(self.run_validate("measure", "--library", "library.so", "-o", "no/folder/x", "--", "./p"), 2, "cannot write")
        self.assert_fails(self.run_validate("measure", "--library", "library.so", "--", "./there-is-none"), 2, "cannot run ./there-is-none")
        self.assert_fails(self.run_validate("mesure"), 2, "unknown command 'mesure'")


NVCC = """#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.48"; exit 0; fi
while [ $# -gt 0 ]; do case "$1" in -o) out=$2; shift ;; *.cu) source=$1 ;; esac; shift; done
if grep -q "not C++" "$source"; then echo "$source(1): error: this is not C++" >&2; exit 1; fi
cp "$source.program" "$out" && chmod +x "$out"
"""


class Catalogue(Case):
    def setUp(self):
        super().setUp()
        self.write("nvcc", NVCC, executable=True)

    def add(self, name, records, **more):
        self.write(f"kernels/{name}.cu", "// a kernel\n")
        self.write(f"kernels/{name}.cu.program", self.program(records, **more))

    def catalogue(self, *arguments):
        done = self.run_validate("catalogue", "--nvcc", "./nvcc", "--library", "library.so", "-o", "out", *arguments)
        report = self.path("out/catalogue.json")
        self.report = {}
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                self.report = json.load(file)
        return done

    def outcomes(self):
        return {p["name"]: p["outcome"] for p in self.report["programs"]}

    def test_without_a_gpu_nothing_is_measured(self):
        self.add("a", [])
        self.add("b", [])
        done = self.catalogue()
        self.assertEqual(done.returncode, 2)
        self.assertIn("a: not measured", done.stdout)
        self.assertIn("0 of 2 programs measured, 2 not measured", done.stderr)
        self.assertEqual(self.outcomes(), {"a": "not measured", "b": "not measured"})

    def test_rates(self):
        row = {"pc": 0, "opcode": "LDG", "width": 32, "threads": 1000, "sectors": 250, "wavefronts": 0, "wavefronts_ideal": 0}
        time = {"kind": "time", "index": 0, "demangled": "k()", "median_ns": 100, "fastest_ns": 90, "slowest_ns": 120}
        self.add("a", [SESSION, launch(instructions=[row]), END], timed=[time])
        self.write("kernels/work.json", '{"defaults":{"N":10},"flop":{"a":[2,"N"]}}')
        done = self.catalogue("-D", "N=100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [entry] = self.report["programs"][0]["launches"]
        self.assertEqual((entry["requested_gbs"], entry["sector_gbs"], entry["gflops"]), (40.0, 80.0, 2.0))
        self.assertEqual((self.report["gpu"], self.report["toolkit"], self.report["defines"]), ("NVIDIA H200", "13.0", {"N": "100"}))
        self.assertEqual(self.report["command"], "smem-validate catalogue -D N=100")

    def test_one_bad_program_does_not_hide_the_others(self):
        self.add("a", [SESSION, launch(), END])
        self.add("broken", [])
        self.write("kernels/broken.cu", "not C++\n")
        self.add("wrong", [SESSION, launch(), END], then="exit 1")
        self.add("crashed", [SESSION, launch()], then="kill -SEGV $$")
        done = self.catalogue("--no-time")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.outcomes(), {"a": "measured", "broken": "not built", "crashed": "failed", "wrong": "failed"})
        self.assertIn("broken: not built: kernels/broken.cu(1): error: this is not C++", done.stdout)
        self.assertIn("exited with 1", done.stdout)
        self.assertIn("killed by signal 11", done.stdout)

    def test_repeats(self):
        self.add("a", [SESSION, launch(), END])
        # One more wavefront each time.
        self.add("b", [SESSION], then='n=$(cat n 2>/dev/null || echo 1); echo $((n + 1)) >n\n'
                 + "printf '%s\\n' '" + json.dumps(launch(wavefronts=424242)) + "' | sed s/424242/$n/ >>\"$SMEM_MEASURE_OUT\"")
        done = self.catalogue("--no-time", "--repeat", "3", "-j", "1")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(self.outcomes(), {"a": "measured", "b": "unstable"})
        self.assertIn("a: measured, 3 times with the same integers", done.stdout)
        self.assertIn("differs: k(): LDS at k.cu:3", done.stdout)

    def test_errors(self):
        def fails(needle, *arguments):
            done = self.run_validate("catalogue", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(needle, done.stderr)
        self.add("a", [])
        common = ("--library", "library.so", "-o", "out")
        fails("nowhere is not a folder", "--kernels", "nowhere")
        fails("there is no kernels/none.cu", *common, "none")
        fails("cannot run ./no-nvcc", *common, "--nvcc", "./no-nvcc")
        fails("--repeat is at least 1", *common, "--repeat", "0")
        fails("libsmem_measure_inject.so not found", "--nvcc", "./nvcc", "--library", "none.so")
        self.write("kernels/work.json", "{")
        fails("kernels/work.json: not a table of work", *common)


class Doctor(Case):
    def test_names_what_is_missing(self):
        done = self.run_validate("doctor", "--library", "none.so", "--nvcc", "./none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("MISSING  library", done.stdout)
        self.assertIn("nvcc      not found", done.stdout)
        self.assertIn("this machine cannot measure", done.stdout)

    def test_a_library_that_is_none(self):
        done = self.run_validate("doctor", "--library", "library.so")
        self.assertEqual(done.returncode, 2)
        self.assertIn("library.so", done.stdout)

    def test_usage(self):
        self.assertEqual(self.run_validate("doctor", "--bogus").returncode, 2)


def prediction(sha256):
    site = {"file": "k.cu", "line": 3, "column": 1, "inlined_at": [], "space": "shared", "operation": "load", "width_bits": 32, "expression": "s[i]",
            "verdict": "exact", "reason": None, "requests": 1, "wavefronts": 32, "ideal_wavefronts": 1, "conflict_degree": 32, "sectors": 0,
            "ideal_sectors": 0, "tags": 0}
    return {"schema_version": "1.0", "tool": {"name": "smem-lint", "version": "0"}, "arch": "sm_90", "sources": [{"file": "k.cu", "sha256": sha256}],
            "launches": [{"kernel": "k", "mangled": "_Z1kv", "file": "k.cu", "line": 1, "column": 1, "grid": [1, 1, 1], "block": [32, 1, 1],
                          "dynamic_shared_bytes": 0, "sites": [site]}]}


class Compare(Case):
    """From a measurement to a comparison."""
    def compare(self, predicted, measured="measured.jsonl"):
        self.write("predicted.json", json.dumps(predicted))
        return self.run_validate("compare", "predicted.json", measured)

    def measure(self):
        self.write("p", self.program([SESSION, launch(), END]), executable=True)
        self.assertEqual(self.run_validate("measure", "--library", "library.so", "--", "./p").returncode, 0)
        with open(self.path("k.cu"), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def test_of_the_same_source(self):
        done = self.compare(prediction(self.measure()))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_floors_beside_times(self):
        floors = {"launches": [{"kernel": kernel, "grid": [64, 1, 1], "block": [32, 8, 1], "floor": {"ns": ns, "gpu": "h100", "binding": "dram__bytes", "bound_by_throughput": True}}
                               for kernel, ns in (("a::k<32, float>", 800), ("other", 100), ("slow", 10))] + [{"kernel": "none", "grid": [1, 1, 1], "block": [1, 1, 1], "floor": None}]}
        self.write("floors.json", json.dumps(floors))
        profile = ('==PROF== connected\n"ID","Kernel Name","Block Size","Grid Size","dram__throughput.avg.pct_of_peak_sustained_elapsed","gpu__time_duration.sum",'
                   '"sm__throughput.avg.pct_of_peak_sustained_elapsed"\n"","","","","%","ns","%"\n'
                   '"0","void a::k<(int)32, float>(float *, const float *)","(32, 8, 1)","(64, 1, 1)","71.5","1,000","n/a"\n'
                   '"1","void a::k<(int)32, float>(float *, const float *)","(32, 8, 1)","(64, 1, 1)","60","1,250","5"\n'
                   '"2","slow(int)","(32, 8, 1)","(64, 1, 1)","3","2000","90"\n')
        self.write("units.csv", profile)
        done = self.run_validate("compare", "floors.json", "--units=units.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[1], r"^slow \(64,1,1\) \(32,8,1\) +0\.01 +2\.00 +0\.01  dram__bytes -> sm__throughput 90%, dram__throughput 3%$")  # the lowest share first
        self.assertRegex(lines[2], r"^a::k<32,float> .* 0\.80 +1\.00 +0\.80  dram__bytes -> dram__throughput 72%$")
        self.assertEqual(lines[3], "2 launches, 0 with a floor above the measured time")
        report = json.loads(self.run_validate("compare", "floors.json", "--units=units.csv", "--format=json", "--kernel=^a::").stdout)
        self.assertEqual([(one["share"], one["units_percent"]) for one in report["launches"]], [(0.8, {"dram__throughput": 71.5})])
        self.write("units.csv", profile.replace('"1,000"', '"700"'))
        self.assertEqual(self.run_validate("compare", "floors.json", "--units=units.csv").returncode, 1)
        for text, said in (("", "no table"), ('"ID","Kernel Name"\n', "no column"), (profile + '"3","short"\n', "fields"), (profile.replace('"2000"', '"n/a"'), "without grid"), (profile.replace('"ns"', '"us"'), "--print-units base")):
            self.write("units.csv", text)
            done = self.run_validate("compare", "floors.json", "--units=units.csv")
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(said, done.stderr)
        self.write("units.csv", profile)  # of launches of one shape the fastest may be any
        self.write("floors.json", json.dumps({"launches": floors["launches"] + [{**floors["launches"][0], "floor": {**floors["launches"][0]["floor"], "ns": 4000}}]}))
        self.assertEqual(self.run_validate("compare", "floors.json", "--units=units.csv").returncode, 0)
        self.assertEqual(self.run_validate("compare", "floors.json", "measured.jsonl", "--units=units.csv").returncode, 2)
        self.write("floors.json", "[]")
        self.assertIn("not what smem-lint", self.run_validate("compare", "floors.json", "--units=units.csv").stderr)

    def test_of_another_version_of_the_source(self):
        self.measure()
        done = self.compare(prediction("0" * 64))
        self.assertEqual(done.returncode, 2)
        self.assertIn("different versions of the source", done.stderr)
        self.assertIn("k.cu", done.stdout + done.stderr)

    def test_foreign_and_truncated_files(self):
        self.measure()
        good = prediction("")
        for name, text in (("empty", ""), ("foreign", '{"a":1}'), ("text", "hello"), ("truncated", json.dumps(good)[:100])):
            self.write("bad.json", text)
            done = self.run_validate("compare", "bad.json", "measured.jsonl")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("bad.json", done.stderr, name)
            done = self.compare(good, "bad.json")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("bad.json", done.stderr, name)
        self.assertEqual(self.compare(good, "missing.jsonl").returncode, 2)

    def test_failed_and_unmeasured_launches_are_not_agreement(self):
        for record in (launch(result="CUDA_ERROR_LAUNCH_FAILED", instructions=[]), launch(line_info=False)):
            self.write("measured.jsonl", "".join(json.dumps(r) + "\n" for r in (SESSION, record, END)))
            done = self.compare(prediction(""))
            self.assertEqual(done.returncode, 2)
            self.assertIn("nothing could be compared", done.stderr)


if __name__ == "__main__":
    unittest.main()
