#!/usr/bin/env python3
"""The HTML report in a browser: what is seen, what the keys do, that nothing is asked of the network.

html_test.py SMEM_LINT KERNELS CASE; exits with 77 (skipped) where a case needs a browser and there is none."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import Browser, find_chromium

SKIPPED = 77
SITES = 1000
MOST_BYTES = 1_000_000


def report(lint, source, folder, *options):
    page = Path(folder) / "report.html"
    done = subprocess.run([lint, "--format=html", "-o", str(page), *options, str(source)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return page


def sites_of(page):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page.read_text(), re.S).group(1))


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def excess(browser):
    """Of the list's buttons, from the top."""
    return browser.run("[...document.querySelectorAll('#list b')].map(b => +b.textContent.replace(/[^0-9]/g, ''))")


def case_drive(lint, kernels):
    chromium = find_chromium()
    if not chromium:
        print("skipped: no Chromium on this machine (chromium, chromium-browser or google-chrome on PATH)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        page = report(lint, kernels / "gemm_tiled_conflict.cu", folder)
        browser = Browser(chromium)
        try:
            browser.open(page)
            title = "document.querySelector('#detail h2').textContent"
            figures = excess(browser)
            expect(figures == sorted(figures, reverse=True) and figures[0] > 0, f"the worst is first: {figures}")
            worst = browser.run(title)
            expect("32-way" in worst, f"the worst is selected: {worst}")
            expect(browser.run("document.querySelectorAll('#maps figure').length") == 2, "there is a map before and one after the fix")
            expect(browser.run("document.querySelectorAll('#maps figure')[0].querySelectorAll('.meets').length") == 32, "32 lanes meet")
            expect(browser.run("document.querySelectorAll('#maps figure')[1].querySelectorAll('.meets').length") == 0, "none does with the fix")
            expect(browser.run("document.querySelectorAll('#maps figure')[1].querySelectorAll('.cell').length") == 32, "and they are all there")
            expect("TILE + 1" in browser.run("document.querySelector('.diff ins').textContent"), "the edit is shown")
            light = browser.screenshot(Path(folder) / "light.png")

            browser.press("]")
            expect("(2 of" in browser.run("document.getElementById('which').textContent"), "] shows another request")
            browser.press("[")
            expect("(1 of" in browser.run("document.getElementById('which').textContent"), "[ goes back")
            browser.press("n")
            second = browser.run(title)
            expect("8-way" in second, f"n goes to the next: {second}")
            expect(browser.run("document.activeElement.tagName") == "BUTTON", "n moves the focus")
            expect(browser.run("document.querySelector('.source tr.at td.n').textContent") == "57", "its line is marked in the source")
            browser.press("p")
            expect(browser.run(title) == worst, "p goes back")
            browser.run("document.querySelector('.source tr[data-s]').click()")
            expect(browser.run(title) != worst, "a click on a line selects its site")
            expect("1,073,741,824" in browser.run("document.querySelector('#f0l83').textContent"), "the source has the wavefronts")

            browser.dark(True)
            dark = browser.run("getComputedStyle(document.body).backgroundColor")
            browser.dark(False)
            expect(dark != browser.run("getComputedStyle(document.body).backgroundColor"), "dark and light differ")
            expect(light.startswith(b"\x89PNG") and len(light) > 10_000, "a screenshot")
            outside = [url for url in browser.requests if url != page.as_uri() and not url.startswith("data:")]
            expect(not outside, f"requests: {outside}")
            expect(not browser.console, f"console: {browser.console}")
        finally:
            browser.close()


def case_one_word(lint, kernels):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one_word.cu"
        source.write_text("""#include <cuda_runtime.h>
// smem-lint: launch block=64 grid=1
__global__ void k(int *out) {
  __shared__ int words[1024];
  const int t = threadIdx.x;
  atomicExch(&words[5], t);
  __syncthreads();
  out[t] = words[(t * 32) % 1024];
}
""")
        page = report(lint, source, folder, "--cuda-path=none")
        serial = [(site["x"], site.get("a", False)) for site in sites_of(page)]
        expect([x for x, a in serial if a] == ["atomicExch(&words[5], t)"], f"atomics on one word are told from conflicts: {serial}")
        chromium = find_chromium()
        if not chromium:
            return
        browser = Browser(chromium)
        try:
            browser.open(page)
            captions = browser.run("data.map((s, i) => { select(i); const c = document.querySelector('#maps figcaption'); return c ? c.textContent : ''; })")
            for site, caption in zip(sites_of(page), captions):
                expect(not caption or ("lanes on one word" in caption) == site.get("a", False), f"{site['x']}: {caption}")
            expect(any("32 lanes on one word" in caption for caption in captions), f"32 lanes: {captions}")
        finally:
            browser.close()


def case_size(lint, kernels):
    """A page of 1,000 sites stays small."""
    per_kernel = 50
    lines = []
    for kernel in range(SITES // per_kernel):
        lines.append(f"__global__ void kernel_with_a_name_{kernel}(float *out) {{\n  __shared__ float tile[64][64];\n  const int t = threadIdx.x;\n"
                     "  for (int i = t; i < 4096; i += 128) tile[i / 64][i % 64] = out[i];\n  __syncthreads();")
        lines += [f"  out[blockIdx.x * 4096 + {i} * 32 + t] = tile[{2 * i}][t * {2 * (i % 16) + 1} % 64];" for i in range(per_kernel // 2)]
        lines.append(f"}}\nvoid launch_{kernel}(float *out) {{ kernel_with_a_name_{kernel}<<<8, 128>>>(out); }}")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "many.cu"
        source.write_text("\n".join(lines) + "\n")
        page = report(lint, source, folder)
        sites = sites_of(page)
        expect(len(sites) >= SITES, f"{len(sites)} sites")
        size = page.stat().st_size
        print(f"{len(sites)} sites: {size:,} bytes")
        expect(size <= MOST_BYTES * len(sites) / SITES, f"{size} bytes for {len(sites)} sites")


def case_hostile(lint, kernels):
    """Source that looks like HTML, is not UTF-8 or has no last line end ends up as text."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a<b>&.cu"
        source.write_bytes(b"// </script><script>alert(1)</script> \xff\n__global__ void k(float *out) {\n  __shared__ float s[64];\n  s[threadIdx.x] = 0; // <img src=http://x>\n"
                           b"  __syncthreads();\n  out[threadIdx.x] = s[threadIdx.x * 2 % 64];\n}\nvoid f(float *out) { k<<<1, 64>>>(out); }")
        page = report(lint, source, folder)
        text = page.read_text(encoding="utf-8")
        expect(text.count("</script>") == 2 and "<img" not in text, "no markup of the source's")
        expect(not re.search(r'<[a-z]+[^<>]* (src|href)="?(https?:)?//', text), "no address outside")
        sites_of(page)
        chromium = find_chromium()
        if chromium:
            browser = Browser(chromium)
            try:
                browser.open(page)
                expect(not browser.console and len(browser.requests) <= 2, f"{browser.console} {browser.requests}")
            finally:
                browser.close()
        else:
            print("skipped: the page in a browser: no Chromium on this machine")
        empty = Path(folder) / "empty.cu"
        empty.write_text("int main() {}\n")
        expect("No memory instruction" in report(lint, empty, folder).read_text(), "a file without kernels")


def case_unknown(lint, kernels):
    """What is not known is no number, and findings about no memory instruction are listed."""
    with tempfile.TemporaryDirectory() as folder:
        page = report(lint, kernels / "histogram.cu", folder)
        of_data = [site for site in sites_of(page) if "d" in site]
        expect(of_data, "an access depends on data")
        for site in of_data:
            expect(site["f"] == [None] * 7 and "b" not in site, f"no figure is known: {site['f']}")
            expect(site["t"][0] == "wavefronts: ?, ideal: ?, requests: ?", site["t"][0])
            best, worst, mean = site["d"][0]
            expect(1 <= best <= mean <= worst, f"best, mean and worst are there: {site['d']}")
            expect(f"best {best}, worst {worst}, mean of uniform data {mean:.2f}" in site["t"][1], site["t"][1])
        expect('<b class="soft">unknown</b>' in page.read_text(), "the list calls it unknown, not clean")
        source = Path(folder) / "mixed.cu"
        source.write_text("// smem-lint: launch block=(33,32) grid=(1)\n__global__ void refused(float *out) { out[threadIdx.y * 33 + threadIdx.x] = 0; }\n"
                          "// smem-lint: launch block=(64) grid=(1)\n__global__ void outside(float *out) {\n  __shared__ float s[32];\n  s[threadIdx.x] = 1;\n"
                          "  __syncthreads();\n  out[threadIdx.x] = s[threadIdx.x / 2];\n}\n")
        page = report(lint, source, folder)
        sites = sites_of(page)
        labels = re.findall(r'<li><button><b class="[a-z]+">(.*?)</b>', page.read_text())
        expect(len(labels) == len(sites), "the list has an entry for each site")
        limit = [i for i, site in enumerate(sites) if site["o"] == "launch-limit"]
        expect(limit and "f" not in sites[limit[0]] and labels[limit[0]] == "error", f"a finding without a site: {labels}")
        outside = [i for i, site in enumerate(sites) if site["x"] == "s[threadIdx.x]"]
        expect(outside and sites[outside[0]]["n"] and labels[outside[0]].startswith("error"), f"an access out of bounds: {labels}")
        expect(max(limit[0], outside[0]) == 1, "errors come first")


if __name__ == "__main__":
    lint, kernels, name = sys.argv[1:]
    globals()[f"case_{name}"](lint, Path(kernels))
