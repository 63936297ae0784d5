// Style and behaviour of the HTML report: inlined, so that the page needs no network.
#pragma once

namespace smem::compare {

// Okabe and Ito's colours; every verdict has a sign as well.
inline constexpr const char *page_style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --panel: #f6f8fa; --rule: #d0d7de;
  --exact: #0072b2; --mismatch: #c24e00; --unknown: #6e7781; --mark: #fff1e5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --panel: #161b22; --rule: #30363d;
    --exact: #56b4e9; --mismatch: #ff9d5c; --unknown: #9198a1; --mark: #3a2414; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 84rem; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); }
code, pre, .source td { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
.figures { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures li { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .5rem .9rem; }
.figures b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.exact { color: var(--exact); } .mismatch { color: var(--mismatch); } .unknown { color: var(--unknown); }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; } svg .grid { stroke: var(--rule); } svg .diagonal { stroke: var(--soft); stroke-dasharray: 4 4; }
svg .point { fill: var(--exact); fill-opacity: .55; stroke: var(--exact); } svg .point.mismatch { fill: none; stroke: var(--mismatch); stroke-width: 2; }
.scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .25rem .6rem; text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; background: var(--panel); border-bottom: 1px solid var(--rule); white-space: nowrap; }
tbody tr + tr td { border-top: 1px solid var(--rule); } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.off { color: var(--mismatch); font-weight: 600; } tr.mismatch-row td { background: var(--mark); }
.hide-others .rows tbody tr:not(.mismatch-row) { display: none; }
details { margin: .6rem 0; } summary { cursor: pointer; font-weight: 600; }
.source td { padding: 0 .6rem; white-space: pre; border: 0 !important; } .source td.n { color: var(--soft); } .source tr.mismatch-row td { background: var(--mark); }
:target td, tr:focus td { outline: 2px solid var(--exact); outline-offset: -2px; }
)css";

// n: the next row that disagrees, worst first.
inline constexpr const char *page_script = R"js(
const only = document.getElementById('only');
if (only) only.addEventListener('change', () => document.body.classList.toggle('hide-others', only.checked));
const worst = [...document.querySelectorAll('.rows tr.mismatch-row')].sort((a, b) => b.dataset.off - a.dataset.off);
let at = -1;
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !worst.length) return;
  if (event.key === 'n') at = (at + 1) % worst.length;
  else if (event.key === 'p') at = (at + worst.length - 1) % worst.length;
  else return;
  worst[at].tabIndex = -1;
  worst[at].focus();
  worst[at].scrollIntoView({block: 'center'});
});
)js";

} // namespace smem::compare
