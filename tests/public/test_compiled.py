#!/usr/bin/env python3
"""compiled.py's comparison on reports of two launches."""
import pathlib
import subprocess
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
import compiled  # noqa: E402


def site(line, verdict="exact", requests=4, wavefronts=8, **more):
    return {"file": "k.cu", "line": line, "column": 1, "inlined_at": [], "space": "shared", "operation": "load", "width_bits": 32, "verdict": verdict,
            "requests": requests, "wavefronts": wavefronts, "sectors": 0, "tags": 0, "pattern": None, **more}


def report(*sites):
    return {"launches": [{"mangled": "k", "kernel": "k", "sites": list(sites)}]}


class Compare(unittest.TestCase):
    def rows(self, source, machine):
        rows, self.claims, self.added, self.wrong = compiled.compare(report(*source), report(*machine))
        return dict(rows)

    def claim(self, costs, machine, at_most=False, verdict="always"):
        pattern = {"verdict": verdict, "cases": [{"at_most": at_most, "wavefronts": cost, "sectors": None} for cost in costs]}
        self.rows([site(3, pattern=pattern)], machine)
        (claim,) = self.claims
        return claim

    def test_a_claim_is_about_each_request(self):
        confirmed = [site(3, compiled="confirmed")]  # 8 wavefronts of 4 requests
        self.assertEqual(self.claim([2], confirmed), ("always", "right"))
        self.assertEqual(self.claim([1], confirmed), ("always", "wrong"))
        self.assertEqual(self.wrong[0]["claim"], ["always", "wrong"])
        self.assertEqual(self.claim([4], confirmed), ("always", "wrong"))
        self.assertEqual(self.claim([4], confirmed, at_most=True), ("always", "right"))
        self.assertEqual(self.claim([1, 2], confirmed, verdict="cases"), ("cases", "right"))
        self.assertEqual(self.claim([4, 32], confirmed, verdict="cases"), ("cases", "wrong"))
        self.assertEqual(self.claim([2], [site(3, width_bits=128, wavefronts=16, compiled="corrected")]), ("always", "wrong"))
        self.assertEqual(self.claim([2], [site(3, requests=2, wavefronts=16, compiled="corrected")]), ("always", "others"))

    def test_a_claim_that_machine_code_says_nothing_of(self):
        self.assertEqual(self.claim([2], [site(3, requests=None, wavefronts=None, compiled="confirmed")]), ("always", "open"))
        self.assertEqual(self.claim([2], [site(3, requests=0, wavefronts=0, compiled="absent")]), ("always", "absent"))
        self.assertEqual(self.claim([], [site(3, compiled="confirmed")], verdict="data"), ("data", "open"))

    def test_confirmed_is_right(self):
        self.assertEqual(self.rows([site(3)], [site(3, compiled="confirmed")]), {("exact", "none", "right"): 1})

    def test_other_counts_are_wrong(self):
        rows = self.rows([site(3)], [site(3, wavefronts=4, compiled="corrected")])
        self.assertEqual(rows, {("exact", "none", "wrong"): 1})
        self.assertEqual(self.wrong[0]["machine"], [4, 4, 0, 0])

    def test_no_such_instruction_is_wrong(self):
        self.assertEqual(self.rows([site(3)], [site(3, requests=0, wavefronts=0, compiled="absent"), site(5, compiled="added")]), {("exact", "none", "wrong"): 1})
        self.assertEqual(self.added, 1)

    def test_what_the_figures_made_of_a_class_does_not_change_it(self):
        self.assertEqual(self.rows([site(3, established=["assumed-unroll"])], [site(3, compiled="confirmed")]), {("exact", "assumed-unroll", "right"): 1})
        self.assertEqual(self.rows([site(3, verdict="assumed", uncertainties=["assumed-calibration"])], [site(3, compiled="confirmed")]), {("assumed", "none", "right"): 1})

    def test_a_line_is_right_as_a_whole(self):
        source = [site(3, width_bits=32), site(3, width_bits=64)]
        machine = [site(3, width_bits=32, requests=2, wavefronts=4, compiled="corrected"), site(3, width_bits=64, requests=6, wavefronts=12, compiled="corrected")]
        self.assertEqual(self.rows(source, machine), {("exact", "none", "right"): 2})

    def test_a_line_with_another_sum_is_not(self):
        source = [site(3, width_bits=32), site(3, width_bits=64)]
        machine = [site(3, width_bits=32, requests=2, compiled="corrected"), site(3, width_bits=64, compiled="confirmed")]
        self.assertEqual(self.rows(source, machine), {("exact", "none", "wrong"): 1, ("exact", "none", "right"): 1})

    def test_another_width_is_wrong(self):
        self.assertEqual(self.rows([site(3, width_bits=32)], [site(3, width_bits=128, requests=1, wavefronts=2, compiled="corrected")]), {("exact", "none", "wrong"): 1})
        source = [site(3, width_bits=128, requests=1), site(3, width_bits=32, requests=0, wavefronts=0)]
        self.assertEqual(self.rows(source, [site(3, width_bits=32, compiled="corrected")]), {("exact", "none", "wrong"): 2})

    def test_another_width_of_the_same_line_is_right(self):
        source = [site(3, width_bits=128, requests=1, wavefronts=4), site(3, width_bits=32, requests=3, wavefronts=4)]
        self.assertEqual(self.rows(source, [site(3, width_bits=64, compiled="corrected")]), {("exact", "none", "right"): 2})

    def test_beside_an_unknown_row_of_the_line_only_less_is_wrong(self):
        source = [site(3), site(3, column=9, verdict="unknown", requests=None, wavefronts=None)]
        self.assertEqual(self.rows(source, [site(3, requests=12, wavefronts=30, compiled="corrected")])["exact", "none", "open"], 1)
        self.assertEqual(self.rows(source, [site(3, requests=2, wavefronts=30, compiled="corrected")])["exact", "none", "wrong"], 1)

    def test_what_another_launch_corrects_is_right_where_it_is_the_same(self):
        self.assertEqual(self.rows([site(3), site(3, requests=5)], [site(3, compiled="corrected"), site(3, requests=6, compiled="corrected")]),
                         {("exact", "none", "right"): 1, ("exact", "none", "wrong"): 1})

    def test_what_is_not_settled_is_open(self):
        self.assertEqual(self.rows([site(3)], [site(3)]), {("exact", "none", "open"): 1})

    def test_a_row_without_counts_claims_none(self):
        source = [site(3, verdict="unknown", requests=None, wavefronts=None)]
        self.assertEqual(self.rows(source, [site(3, verdict="unknown", compiled="corrected")]), {("unknown", "unknown", "open"): 1})

    def test_classes_are_the_ids_beside_the_launch(self):
        self.assertEqual(self.rows([site(3, "assumed", uncertainties=["b", "a"])], [site(3, compiled="confirmed")]), {("assumed", "a+b", "right"): 1})

    def test_other_launches_are_refused(self):
        other = report(site(3))
        other["launches"][0]["mangled"] = "other"
        self.assertRaises(ValueError, compiled.compare, report(site(3)), other)

    def test_both_halves_have_files(self):
        self.assertEqual({compiled.judges(("a/b", f"{i}.cu")) for i in range(20)}, {False, True})


class Warnings(unittest.TestCase):
    def test_the_same_place_and_rule(self):
        def finding(line, rule="smem-bank-conflict", severity="warning"):
            return {"rule": rule, "file": "k.cu", "line": line, "severity": severity}
        source = {"findings": [finding(3), finding(3), finding(5), finding(7, severity="note"), finding(9, rule="smem-race")]}
        machine = {"findings": [finding(3), finding(5, rule="gmem-uncoalesced"), finding(7)]}
        self.assertEqual(compiled.compare_warnings(source, machine), [1, 1, 2])


class Copies(unittest.TestCase):
    def test_one_of_each_and_never_the_one_that_judges(self):
        texts = {("a/b", f"{i}.cu"): "int x; // one" if i % 2 else 'const char *s = "// no comment";' for i in range(20)}
        texts["a/b", "0.cu"] = "int /* two */ x;\n"
        kept = compiled.without_copies(texts, texts.get)
        self.assertEqual(len(kept), 2)
        self.assertFalse(any(compiled.judges(file) for file in kept))


class Calibration(unittest.TestCase):
    """analyzer/nvcc/rules/calibration.def is what the figures say."""

    def test_up_to_date(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        said = subprocess.run([sys.executable, root / "docs" / "tools" / "compiled.py", "calibration"], capture_output=True, text=True, check=True).stdout
        self.assertEqual((root / "analyzer" / "nvcc" / "rules" / "calibration.def").read_text(), said)


if __name__ == "__main__":
    unittest.main()
