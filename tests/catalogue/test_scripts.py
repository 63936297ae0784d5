"""That a wrong prediction makes the catalogue's checks fail: they are tried on made-up reports."""
import pathlib
import unittest
from fractions import Fraction

import check_expectations
import expectations
import predictions

FILE = pathlib.Path("kernels/made_up.cu")


def site(line, space="shared", operation="load", **changes):
    base = {"file": "made_up.cu", "line": line, "column": 5, "space": space, "operation": operation, "width_bits": 32, "verdict": "exact",
            "reason": None, "requests": 10, "wavefronts": 10, "ideal_wavefronts": 10, "conflict_degree": 1, "sectors": 40,
            "ideal_sectors": 40, "tags": 10}
    return {**base, **changes}


def report(*sites, kernel="kernel<float, 2>", findings=()):
    launch = {"kernel": kernel, "grid": [1, 1, 1], "block": [32, 1, 1], "dynamic_shared_bytes": 0, "sites": list(sites)}
    return {"launches": [launch], "findings": list(findings)}


def complaints(line, made_up, number=1):
    lines = [""] * (number - 1) + [line]
    claims = expectations.read(lines)
    return ([line for claim in claims for line in check_expectations.check_expectation(claim, made_up, FILE)]
            + list(check_expectations.check_verdicts(claims, made_up, FILE)) + list(check_expectations.check_findings(claims, made_up, FILE)))


class Expectations(unittest.TestCase):
    def test_reads_both_forms(self):
        found = expectations.read(["x = a[i];  // expect: shared load 32-way; global store 3.90625 sectors/request",
                                   "// expect strided<unsigned char, 3>: shared store 2-way", "// what we expect: nothing",
                                   "f();  // expect: shared atomic unknown"])
        self.assertEqual([str(claim) for claim in found],
                         ["shared load 32-way", "global store 3.90625 sectors/request", "shared store 2-way", "shared atomic unknown"])
        self.assertEqual([claim.line for claim in found], [1, 1, 2, 4])
        self.assertEqual([claim.kernel for claim in found], [None, None, "strided<unsigned char, 3>", None])

    def test_refuses_what_it_cannot_read(self):
        for line in ("// expect: shared load 32way", "// expect: shared lod 1-way", "// expect: global load 2-way",
                     "// expect: shared load 4 sectors/request", "// expect f<1>: nothing"):
            with self.assertRaises(expectations.Malformed, msg=line):
                expectations.read([line])

    def test_decimals(self):
        self.assertEqual(expectations.decimal(Fraction(125, 32)), "3.90625")
        self.assertEqual(expectations.decimal(Fraction(4)), "4")
        self.assertEqual(expectations.decimal(Fraction(1, 3)), "1/3")


class Checks(unittest.TestCase):
    def test_agreement_is_silent(self):
        self.assertEqual(complaints("// expect: shared load 1-way; global load 4 sectors/request",
                                    report(site(1), site(1, "global"))), [])
        self.assertEqual(complaints("// expect kernel<float, 2>: shared load 1-way", report(site(70))), [])

    def test_wrong_figures_are_named(self):
        found = complaints("// expect: shared load 1-way", report(site(1, conflict_degree=2)))
        self.assertEqual(found, ["kernels/made_up.cu:1: expected shared load 1-way, got 2-way in kernel<float, 2> grid=(1, 1, 1) block=(32, 1, 1)"])
        self.assertIn("got 4.3 sectors/request", str(complaints("// expect: global load 4 sectors/request", report(site(1, "global", sectors=43)))))
        self.assertIn("got 3 sectors/request", str(complaints("// expect kernel<float, 2>: global store 4 sectors/request",
                                                              report(site(9, "global", "store", sectors=30)))))

    def test_highest_degree_counts(self):
        self.assertEqual(complaints("// expect kernel<float, 2>: shared load 4-way",
                                    report(site(5, conflict_degree=4), site(6, conflict_degree=2))), [])

    def test_every_launch_counts(self):
        made_up = report(site(1))
        made_up["launches"] += report(site(1, conflict_degree=8))["launches"]
        self.assertEqual(len(complaints("// expect: shared load 1-way", made_up)), 1)

    def test_missing_sites(self):
        self.assertIn("no such site", complaints("// expect: shared load 1-way", report(site(2)))[0])
        self.assertIn("no such site", complaints("// expect: shared load 1-way", report(site(1, operation="store")))[0])
        self.assertIn("no launch reaches it", complaints("// expect: shared load 1-way", report(site(1, requests=0)))[0])
        self.assertIn("no launch of other<1>", complaints("// expect other<1>: shared load 1-way", report(site(2)))[0])

    def test_unknown_only_where_expected(self):
        unknown = site(1, verdict="unknown", reason="data", requests=None, conflict_degree=None, sectors=None)
        self.assertEqual(complaints("// expect: shared load unknown", report(unknown)), [])
        self.assertIn("got unknown (data)", complaints("// expect: shared load 1-way", report(unknown))[0])
        self.assertIn("expected exact, got unknown", complaints("// expect: shared load unknown", report(unknown, {**unknown, "line": 2}))[0])
        self.assertIn("expected exact, got assumed", complaints("", report(site(4, verdict="assumed", reason="block")))[0])
        self.assertIn("expected shared load unknown, got 1-way", complaints("// expect: shared load unknown", report(site(1)))[0])

    def test_async_copies_have_both_spaces(self):
        both = site(1, operation="async_copy")
        self.assertEqual(complaints("// expect: global async_copy 4 sectors/request; shared async_copy 1-way", report(both)), [])

    def test_findings(self):
        finding = {"line": 1, "rule": "smem-bank-conflict"}
        self.assertIn("got none", complaints("// expect: shared load 2-way", report(site(1, conflict_degree=2)))[0])
        self.assertEqual(complaints("// expect: shared load 2-way", report(site(1, conflict_degree=2), findings=[finding])), [])
        self.assertIn("expected no", complaints("// expect: shared load 1-way", report(site(1), findings=[finding]))[0])


class Predictions(unittest.TestCase):
    def test_differences(self):
        before, after = predictions.of(report(site(1))), predictions.of(report(site(1, wavefronts=11)))
        self.assertEqual(predictions.differences(before, before, "x"), [])
        self.assertEqual(len(predictions.differences(before, after, "x")), 1)
        self.assertIn("wavefronts=10/10", predictions.differences(before, after, "x")[0])
        self.assertEqual(len(predictions.differences(before, predictions.of(report(site(1), site(2))), "x")), 1)
        self.assertEqual(len(predictions.differences(before, predictions.of(report(site(1), kernel="other")), "x")), 2)
        self.assertIn("nothing is recorded", predictions.differences(None, after, "x")[0])

    def test_inlined_twice_is_summed(self):
        figures = predictions.of(report(site(1), site(1, conflict_degree=3)))
        self.assertIn("requests=20 wavefronts=20/20 degree=3", str(figures))


if __name__ == "__main__":
    unittest.main()
