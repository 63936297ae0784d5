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
    """Of the buttons of the list of shared memory, from the top."""
    return browser.run("[...document.querySelectorAll('#shared b')].map(b => +b.textContent.replace(/[^0-9]/g, ''))")


def case_drive(lint, kernels):
    chromium = find_chromium()
    if not chromium:
        print("skipped: no Chromium on this machine (chromium, chromium-browser or google-chrome on PATH)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        page = report(lint, kernels / "gemm_tiled_conflict.cu", folder, "--suggest-fixes")
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
        expect(text.count("</script>") == 4 and "<img" not in text, "no markup of the source's")
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
        found = re.findall(r'<li><button data-s="([0-9 ]+)"><b class="[a-z]+">(.*?)</b>', page.read_text())
        labels = {int(number): label for numbers, label in found for number in numbers.split()}
        expect(sorted(labels) == list(range(len(sites))), "each site is in an entry of a list")
        limit = [i for i, site in enumerate(sites) if site["o"] == "launch-limit"]
        expect(limit and "f" not in sites[limit[0]] and labels[limit[0]] == "error", f"a finding without a site: {labels}")
        outside = [i for i, site in enumerate(sites) if site["x"] == "s[threadIdx.x]"]
        expect(outside and sites[outside[0]]["n"] and labels[outside[0]].startswith("error"), f"an access out of bounds: {labels}")
        expect(max(limit[0], outside[0]) == 1, "errors come first")


LIBRARY = {
    "conflicts.cu": """template <typename T> __global__ void columns(T *out, int n) {
  __shared__ T tile[32][32];
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x / 32][threadIdx.x % 32] = out[i * 1024 + threadIdx.x];
    __syncthreads();
    out[i * 1024 + threadIdx.x] = tile[threadIdx.x % 32][threadIdx.x / 32];
  }
}
void run(float *a, int *b) { columns<<<2, 1024>>>(a, 4); columns<<<8, 1024>>>(b, 4); }
""",
    "scatter.cu": """__global__ void rows(float *out, const float *in, int ld) { out[threadIdx.x] = in[threadIdx.x * ld]; }
__global__ void clean(float *out) {
  __shared__ float line[256];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = line[255 - threadIdx.x];
}
void run(float *out, const float *in) { rows<<<1, 256>>>(out, in, 8); clean<<<4, 256>>>(out); }
__global__ void open(float *out, const float *in, int pitch) { out[threadIdx.x] = in[threadIdx.x * pitch]; }
"""}


def library(lint, folder):
    """The report of two files: conflicts in two instantiations, rows read with a stride that one kernel states and another does not, a clean kernel."""
    for name, text in LIBRARY.items():
        (Path(folder) / name).write_text(text)
    page = Path(folder) / "library.html"
    done = subprocess.run([Path(lint).resolve(), "--format=html", "-o", page, "--cuda-path=none", "--fail-on=never", *LIBRARY], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return page


def case_contents(lint, kernels):
    """Kernels and launches with sums, the worst first."""
    with tempfile.TemporaryDirectory() as folder:
        text = library(lint, folder).read_text()
        names = re.findall(r'class="pick" aria-pressed="false"><code>(.*?)</code>', text)
        expect(names[0] == "columns" and set(names) == {"columns", "rows", "clean", "open"} and names[-1] == "clean", f"kernels: {names}")
        rows = [re.sub(r"<[^>]*>|[*]", " ", row).split() for row in re.findall(r"<tr data-h=.*?</tr>", text)]
        # 32 warps a block, 4 rounds, (2 + 8) blocks; a store of 1 wavefront and a load of 32.
        requests = 32 * 4 * 10
        expect(f"{requests * 33:,}" in rows[0] and f"+{requests * 31:,}" in rows[0], f"sums over two launches: {rows[0]}")
        launches = re.findall(r'<tr class="launch" hidden data-h="[0-9 ]+"><th scope="row"><button class="pick" aria-pressed="false">(.*?)</button>', text)
        expect(len(launches) == 5 and "columns&lt;int&gt;" in launches[0] and "columns&lt;float&gt;" in launches[1], f"the larger launch first: {launches}")
        lists = dict(re.findall(r'<ol id="(shared|global|other)"[^>]*>(.*?)</ol>', text, re.S))
        expect(set(lists) >= {"shared", "global"}, "shared and global memory are ranked apart")
        expect("tile[" in lists["shared"] and "tile[" not in lists["global"] and "ld]" in lists["global"], "each in its own list")
        expect(lists["shared"].count("<li>") == 4, "instantiations are one entry")
        fix = [site for site in json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.S).group(1)) if site.get("w")]
        expect(fix and not any("fix" in site for site in fix), "no fix was looked for, and the page can say so")
        expect("Content-Security-Policy" in text and "default-src 'none'" in text, "the page may load nothing")


def on_page(lint, folder, width, height, mobile=False):
    chromium = find_chromium()
    if not chromium:
        print("skipped: no Chromium on this machine (chromium, chromium-browser or google-chrome on PATH)")
        sys.exit(SKIPPED)
    page = library(lint, folder)
    browser = Browser(chromium)
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
    browser.open(page)
    return browser


SHOWN = "[...document.querySelectorAll('.ranking:not([hidden]) li:not([hidden]) code')].map(c => c.textContent)"
HEADING = "document.querySelector('#detail h2').textContent"
CHANGED = "document.getElementById('filter').dispatchEvent(new Event('input'))"


def case_filter(lint, kernels):
    """Search, filters and the table of contents decide what the lists show."""
    with tempfile.TemporaryDirectory() as folder:
        browser = on_page(lint, folder, 1200, 900)
        try:
            every = browser.run(SHOWN)
            expect(len(every) >= 9, f"all accesses: {every}")
            browser.run(f"document.getElementById('text').value = 'SCATTER.cu threadidx PITCH'; {CHANGED}")
            expect(browser.run(SHOWN) == ["in[threadIdx.x * pitch]"], f"search: {browser.run(SHOWN)}")
            expect("pitch" in browser.run(HEADING), "what is left is selected")
            kernels_shown = "[...document.querySelectorAll('#contents tr:not([hidden]) code')].map(c => c.textContent)"
            expect(browser.run(kernels_shown) == ["open"], f"contents follow: {browser.run(kernels_shown)}")
            browser.run(f"document.getElementById('text').value = 'no such thing'; {CHANGED}")
            expect(browser.run(SHOWN) == [] and "No access is left" in browser.run("document.getElementById('detail').textContent"), "nothing is left")
            browser.run("document.getElementById('text').focus()")
            browser.press("n")
            expect("No access" in browser.run("document.getElementById('detail').textContent"), "a letter that is typed is no command")
            browser.run(f"document.getElementById('text').value = ''; document.getElementById('kind').value = '0'; {CHANGED}")
            expect(len(browser.run(SHOWN)) == 4 and all("tile" in x or "line" in x for x in browser.run(SHOWN)), f"shared memory alone: {browser.run(SHOWN)}")
            browser.run(f"document.getElementById('kind').value = ''; document.getElementById('verdict').value = 'v:exact'; {CHANGED}")
            exact = browser.run(SHOWN)
            expect(0 < len(exact) < len(every) and "in[threadIdx.x * pitch]" not in exact, f"exact ones: {exact}")
            browser.run(f"document.getElementById('verdict').value = 'y:cases'; {CHANGED}")
            expect("in[threadIdx.x * pitch]" in browser.run(SHOWN), f"with cases: {browser.run(SHOWN)}")
            browser.run(f"document.getElementById('verdict').value = ''; document.getElementById('found').checked = true; {CHANGED}")
            expect(0 < len(browser.run(SHOWN)) < len(every), "only findings")
            browser.run(f"document.getElementById('found').checked = false; {CHANGED}")

            pick = "[...document.querySelectorAll('#contents .pick')].find(b => b.textContent.startsWith('rows')).click()"
            browser.run(pick)
            expect(sorted(browser.run(SHOWN)) == ["in[threadIdx.x * ld]", "out[threadIdx.x]"], f"one kernel: {browser.run(SHOWN)}")
            expect("rows alone" in browser.run("document.getElementById('matches').textContent"), "and the page says so")
            browser.run(pick)
            expect(browser.run(SHOWN) == every, "again: all kernels")
            browser.run("document.querySelector('#contents .fold').click()")
            expect(browser.run("document.querySelectorAll('#contents tr.launch:not([hidden])').length") == 2, "a kernel's launches unfold")
            browser.run("document.querySelector('#contents tr.launch:not([hidden]) .pick').click()")
            expect("columns<int>" in browser.run("document.getElementById('detail').textContent"), "one launch")
            browser.run(f"document.getElementById('filter').reset(); {CHANGED}")
            expect(browser.run(SHOWN) == every, "cleared")
            expect(not browser.console, f"console: {browser.console}")
        finally:
            browser.close()


def case_pictures(lint, kernels):
    """Sectors of a global access, and the cases of a pattern."""
    with tempfile.TemporaryDirectory() as folder:
        browser = on_page(lint, folder, 1200, 900)
        try:
            choose = "select(data.findIndex(s => s.x == '%s'))"
            figure = "document.querySelectorAll('#maps figure')[0].querySelectorAll('%s').length"
            browser.run(choose % "in[threadIdx.x * ld]")
            expect("32 sectors instead of 4; 128 of 1,024 bytes wanted" in browser.run("document.querySelector('#maps figcaption').textContent"), browser.run("document.querySelector('#maps figcaption').textContent"))
            expect(browser.run(figure % ".meets") == 32 and browser.run(figure % ".unused") == 32, "32 sectors of which too little is wanted")
            browser.run(choose % "out[blockIdx.x * 256 + threadIdx.x]")
            expect(browser.run(figure % ".meets") == 0 and browser.run(figure % ".cell") == 32 and browser.run(figure % ".unused") == 4, "four sectors, all of them wanted")
            browser.run("document.querySelector('#maps .cell').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
            expect("lane 0" in browser.run("document.querySelector('#maps .tip').textContent"), "a tap on a cell says which lane it is of")
            browser.run("document.querySelector('#maps details').open = true")
            browser.run("new Promise(done => setTimeout(done))")
            browser.run("document.querySelector('#maps details').dispatchEvent(new Event('toggle'))")
            expect(browser.run("document.querySelectorAll('#maps tbody tr').length") == 32, "the picture as a table")

            browser.run(choose % "in[threadIdx.x * pitch]")
            count = browser.run("document.querySelectorAll('.cases input').length")
            expect(count == browser.run("cases_of(data[current]).length") + 1 > 2, f"{count} cases")
            costs = set()
            for case in range(1, count):
                browser.run(f"document.querySelectorAll('.cases input')[{case}].click()")
                one = browser.run(f"cases_of(data[current])[{case - 1}]")
                shown = browser.run("[...document.querySelectorAll('#figures td')].map(c => +c.textContent)")
                expect(shown == [one[4], one[5]], f"case {one}: {shown}")
                pictures = browser.run("document.querySelectorAll('#maps figure').length")
                expect(pictures == (one[8] >= 0), f"a picture where there is a request of the case: {one}, {pictures}")
                if pictures:
                    says = browser.run("document.querySelector('#maps figcaption').textContent")
                    expect(f"{one[4]} sector" in says, f"{one}: {says}")
                costs.add(one[4])
            expect(len(costs) > 1, f"cases differ: {costs}")
            expect(not browser.console, f"console: {browser.console}")
        finally:
            browser.close()


def case_narrow(lint, kernels):
    """On a telephone: nothing is wider than the page, and a tap shows what it selected."""
    with tempfile.TemporaryDirectory() as folder:
        browser = on_page(lint, folder, 400, 800, mobile=True)
        try:
            expect(browser.run("getComputedStyle(document.querySelector('.columns')).gridTemplateColumns.split(' ').length") == 1, "one column")
            for i in range(browser.run("data.length")):
                browser.run(f"select({i})")
                expect(browser.run("document.documentElement.scrollWidth") <= 400, f"nothing is wider than the page: {browser.run(HEADING)}")
            wide = browser.run("[...document.querySelectorAll('table')].filter(t => t.getBoundingClientRect().right > 400 && !t.closest('.scroll')).length")
            expect(wide == 0, "tables scroll in a box of their own")
            browser.run("document.querySelector('#global li:not([hidden]) button').scrollIntoView()")
            browser.run("document.querySelector('#global li:not([hidden]) button').click()")
            top = browser.run("document.querySelector('#detail h2').getBoundingClientRect().top")
            expect(0 <= top < 400, f"what a tap selected is seen: {top}")
            expect(browser.run("document.activeElement.id") == "detail", "and has the focus")
            browser.run("document.getElementById('back').click()")
            expect(browser.run("document.activeElement.hasAttribute('aria-current')"), "and one goes back to where one was")
            expect(not browser.console, f"console: {browser.console}")
        finally:
            browser.close()


if __name__ == "__main__":
    lint, kernels, name = sys.argv[1:]
    globals()[f"case_{name}"](lint, Path(kernels))
