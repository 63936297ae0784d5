#include "report/html_page.h"

namespace smem {

// Okabe and Ito's colours, which colour-blind readers tell apart; what they mean is said by a sign or a word as well.
const char *const kHtmlStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --panel: #f6f8fa; --rule: #d0d7de; --good: #0072b2; --bad: #b84a00; --mark: #fff1e5; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --panel: #161b22; --rule: #30363d; --good: #56b4e9; --bad: #ff9d5c; --mark: #3a2414; --on: #0d1117; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.5rem; max-width: 100rem; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 1.6rem 0 .6rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; } p { margin: .3rem 0; }
.soft { color: var(--soft); font-weight: 400; } .bad { color: var(--bad); } .good { color: var(--good); }
code, pre, kbd, .source td { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
kbd { border: 1px solid var(--rule); border-radius: 4px; padding: 0 .35em; background: var(--panel); }
button, input, select { font: inherit; color: inherit; } :focus-visible { outline: 2px solid var(--good); outline-offset: 1px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.figures { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures li { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .5rem .9rem; } .figures b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
#filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; position: sticky; top: 0; z-index: 1; background: var(--paper); padding: .5rem 0; border-bottom: 1px solid var(--rule); }
#filter label { color: var(--soft); } #filter input[type=search], #filter select { display: block; max-width: 100%; background: var(--panel); color: var(--ink); border: 1px solid var(--rule); border-radius: 6px; padding: .3rem .5rem; } #filter input[type=search] { width: 22rem; }
#filter .check { padding-bottom: .35rem; } #filter p { margin: 0; padding-bottom: .35rem; } #filter button, .turn, #back { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .3rem .7rem; cursor: pointer; }
table { border-collapse: collapse; width: 100%; } .scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; overflow-wrap: normal; } .contents { max-height: 26rem; overflow-y: auto; }
#contents th, #contents td, table.plain th, table.plain td { padding: .25rem .6rem; text-align: right; white-space: nowrap; font-weight: 400; font-variant-numeric: tabular-nums; border-bottom: 1px solid var(--rule); }
#contents thead th, table.plain thead th { color: var(--soft); position: sticky; top: 0; background: var(--panel); } #contents th:first-child { text-align: left; }
#contents tr.at { background: var(--mark); box-shadow: inset 4px 0 var(--bad); } #contents .launch th { padding-left: 2.4rem; }
#contents button { border: 0; background: none; padding: .15rem 0; cursor: pointer; text-align: left; } #contents th > button { vertical-align: middle; } #contents .fold { width: 1.6rem; } .fold::before { content: '▸'; } .fold[aria-expanded=true]::before { content: '▾'; }
.columns { display: grid; grid-template-columns: minmax(18rem, 26rem) minmax(0, 1fr); gap: 1rem; align-items: start; }
.ranking h3 { margin-top: 0; } .ranking + .ranking h3 { margin-top: .8rem; }
.ranking ol { list-style: none; margin: 0; padding: 0; max-height: 24rem; overflow-y: auto; border: 1px solid var(--rule); border-radius: 6px; } .ranking:only-child ol { max-height: 80vh; }
.ranking button { display: block; width: 100%; text-align: left; border: 0; border-bottom: 1px solid var(--rule); background: none; padding: .35rem .6rem; cursor: pointer; }
.ranking button[aria-current] { background: var(--mark); box-shadow: inset 4px 0 var(--bad); } .ranking b { float: right; margin-left: .6rem; font-variant-numeric: tabular-nums; }
.ranking code { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#detail { border: 1px solid var(--rule); border-radius: 6px; padding: .8rem 1rem; min-height: 20rem; scroll-margin-top: 4.5rem; } #back { display: none; } #detail select { max-width: 100%; background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .2rem .4rem; }
.cases { border: 1px solid var(--rule); border-radius: 6px; padding: .3rem .7rem; margin: .6rem 0; max-height: 16rem; overflow-y: auto; min-width: 0; } .cases label { display: block; padding: .15rem 0; cursor: pointer; } .cases legend { font-weight: 600; padding: 0 .3rem; }
.maps { display: flex; flex-wrap: wrap; gap: 1.5rem; } .maps figure { margin: 0; max-width: 100%; } figcaption { margin-bottom: .3rem; } .tip { min-height: 1.5em; }
table.plain { width: auto; } svg { display: block; max-width: 100%; height: auto; } svg text { fill: var(--soft); font: 9px system-ui, sans-serif; } svg .grid { stroke: var(--rule); stroke-width: .5; } svg .phase { stroke: var(--soft); stroke-width: 1.5; }
svg .cell { fill: var(--good); } svg .meets { fill: var(--bad); } svg .cross { stroke: var(--on); stroke-width: 1.4; pointer-events: none; } svg .used { fill: var(--ink); } svg .witness { fill: none; stroke: var(--ink); stroke-width: 2; pointer-events: none; } svg .unused { fill: none; stroke: var(--soft); stroke-width: .7; } svg .chosen { stroke: var(--ink); stroke-width: 2; }
pre.diff { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .5rem .7rem; overflow-x: auto; overflow-wrap: normal; margin: .4rem 0; } pre.diff del { color: var(--bad); text-decoration: none; } pre.diff ins { color: var(--good); text-decoration: none; }
.source td { padding: 0 .6rem; white-space: pre; } .source td.n, .source th { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; font-weight: 400; } .source th { padding: .2rem .6rem; border-bottom: 1px solid var(--rule); white-space: nowrap; } .source th.code { text-align: left; }
.source tr.hot td { background: var(--mark); } .source tr.hot td.f { color: var(--bad); font-weight: 600; } .source tr[data-s] { cursor: pointer; } .source tr.at td { outline: 1px solid var(--bad); outline-offset: -1px; } .source tr.gap td { color: var(--soft); } .source tr { scroll-margin-top: 4.5rem; }
details { margin: .6rem 0; } summary { cursor: pointer; font-weight: 600; } details.long { margin: .3rem 0; } details.long summary { font-weight: 400; } details.long[open] summary { color: var(--soft); } [hidden] { display: none !important; }
@media (max-width: 60rem) {
  body { padding: .8rem; } .columns { grid-template-columns: minmax(0, 1fr); } .keys { display: none; } #back { display: inline-block; }
  .figures { gap: .4rem; } .figures li { padding: .3rem .6rem; } .figures b { font-size: 1.1rem; }
  #filter { position: static; } #filter label:first-of-type, #filter input[type=search] { width: 100%; } #filter select { max-width: 9rem; }
  #contents .soft { display: block; } #contents button.pick { padding: .4rem 0; white-space: normal; min-width: 11rem; } .ranking button { padding: .55rem .6rem; } .ranking ol { max-height: 20rem; }
  #detail { padding: .6rem .7rem; scroll-margin-top: .5rem; } .cases label { padding: .35rem 0; } .turn { padding: .4rem .9rem; }
}
)css";

} // namespace smem
