#include "report/html_page.h"

namespace smem {

// Okabe and Ito's colours, which colour-blind readers tell apart; what they mean is said by a sign or a word as well.
const char *const kHtmlStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --panel: #f6f8fa; --rule: #d0d7de; --good: #0072b2; --bad: #c24e00; --mark: #fff1e5; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --panel: #161b22; --rule: #30363d; --good: #56b4e9; --bad: #ff9d5c; --mark: #3a2414; --on: #0d1117; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 100rem; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 1.6rem 0 .6rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; } p { margin: .3rem 0; }
.soft { color: var(--soft); } .bad { color: var(--bad); } .good { color: var(--good); }
code, pre, kbd, .source td { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
kbd { border: 1px solid var(--rule); border-radius: 4px; padding: 0 .35em; background: var(--panel); }
.figures { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures li { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .5rem .9rem; } .figures b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.columns { display: grid; grid-template-columns: minmax(18rem, 26rem) minmax(0, 1fr); gap: 1rem; align-items: start; }
@media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
#list { list-style: none; margin: 0; padding: 0; max-height: 80vh; overflow-y: auto; border: 1px solid var(--rule); border-radius: 6px; }
#list button { display: block; width: 100%; text-align: left; border: 0; border-bottom: 1px solid var(--rule); background: none; color: inherit; font: inherit; padding: .35rem .6rem; cursor: pointer; }
#list button[aria-current] { background: var(--mark); box-shadow: inset 4px 0 var(--bad); } #list b { float: right; font-variant-numeric: tabular-nums; }
#list code { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#detail { border: 1px solid var(--rule); border-radius: 6px; padding: .8rem 1rem; min-height: 20rem; }
.maps { display: flex; flex-wrap: wrap; gap: 1.5rem; } .maps figure { margin: 0; } figcaption { margin-bottom: .3rem; }
svg { display: block; max-width: 100%; height: auto; } svg text { fill: var(--soft); font: 9px system-ui, sans-serif; } svg .grid { stroke: var(--rule); stroke-width: .5; } svg .phase { stroke: var(--soft); stroke-width: 1.5; }
svg .cell { fill: var(--good); } svg .meets { fill: var(--bad); } svg .cross { stroke: var(--on); stroke-width: 1.4; }
pre.diff { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .5rem .7rem; overflow-x: auto; margin: .4rem 0; } pre.diff del { color: var(--bad); text-decoration: none; } pre.diff ins { color: var(--good); text-decoration: none; }
table { border-collapse: collapse; width: 100%; } .scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
.source td { padding: 0 .6rem; white-space: pre; } .source td.n, .source th { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; font-weight: 400; } .source th { padding: .2rem .6rem; border-bottom: 1px solid var(--rule); white-space: nowrap; } .source th.code { text-align: left; }
.source tr.hot td { background: var(--mark); } .source tr.hot td.f { color: var(--bad); font-weight: 600; } .source tr[data-s] { cursor: pointer; } .source tr.at td { outline: 1px solid var(--bad); outline-offset: -1px; } .source tr.gap td { color: var(--soft); }
details { margin: .6rem 0; } summary { cursor: pointer; font-weight: 600; }
)css";

// n, p: next and previous site, worst first. [ and ]: another request of the site. A request is [label, width, mask, start, step] or,
// with lanes that are not equally far apart, [label, width, mask, [addresses]].
const char *const kHtmlScript = R"js(
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (tag, props, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
const list = document.getElementById('list'), detail = document.getElementById('detail');
const buttons = [...list.querySelectorAll('button')];
const lines = document.querySelectorAll('.source tr[data-s]');
let current = -1, shown = 0;
const number = n => n.toLocaleString('en-US');
const addresses = q => { const active = parseInt(q[2], 16); return [...Array(32).keys()].map(l => active / 2 ** l & 1 ? (Array.isArray(q[3]) ? q[3][l] : q[3] + q[4] * l) : null); };

// Which banks each lane wants, and where several words of one bank are wanted in one phase. Atomics on one word follow each other: of those the
// lanes that want it count.
function banks(q, serial) {
  const all = addresses(q), bytes = q[1], group = bytes >= 16 ? 8 : bytes == 8 ? 16 : 32, cells = [];
  for (let first = 0; first < 32; first += group) {
    const words = Array.from({length: 32}, () => new Set());
    const own = [];
    for (let lane = first; lane < first + group; ++lane)
      if (all[lane] !== null)
        for (let w = Math.floor(all[lane] / 4); w <= Math.floor((all[lane] + bytes - 1) / 4); ++w) { words[w % 32].add(w); own.push([lane, w % 32, w]); }
    for (const [lane, bank, word] of own) cells.push({lane, bank, word, meets: serial ? own.filter(o => o[2] == word).length : words[bank].size});
  }
  return {cells, group, degree: Math.max(0, ...cells.map(c => c.meets))};
}

const svg = (tag, props) => { const e = document.createElementNS('http://www.w3.org/2000/svg', tag); for (const k in props) e.setAttribute(k, props[k]); return e; };
function map(q, title, serial) {
  const size = 12, left = 28, top = 18, {cells, group, degree} = banks(q, serial), says = serial ? `${degree} lanes on one word` : `${degree}-way`;
  const picture = svg('svg', {viewBox: `0 0 ${left + 32 * size + 2} ${top + 32 * size + 2}`, width: left + 32 * size + 2, role: 'img', 'aria-label': `${title}: ${says}`});
  for (let i = 0; i <= 32; ++i) {
    picture.append(svg('line', {class: i % group == 0 ? 'phase' : 'grid', x1: left, x2: left + 32 * size, y1: top + i * size, y2: top + i * size}));
    picture.append(svg('line', {class: 'grid', y1: top, y2: top + 32 * size, x1: left + i * size, x2: left + i * size}));
  }
  for (let i = 0; i < 32; i += 4) {
    const lane = svg('text', {x: left - 5, y: top + i * size + 9, 'text-anchor': 'end'}), bank = svg('text', {x: left + i * size + 2, y: top - 5});
    lane.textContent = i; bank.textContent = i; picture.append(lane, bank);
  }
  for (const c of cells) {
    const x = left + c.bank * size, y = top + c.lane * size;
    const cell = svg('rect', {class: c.meets > 1 ? 'meets' : 'cell', x: x + 1, y: y + 1, width: size - 2, height: size - 2, rx: 2});
    const tip = svg('title', {}); tip.textContent = `lane ${c.lane}, bank ${c.bank}, byte ${c.word * 4}` + (c.meets > 1 ? serial ? `: one of ${c.meets} lanes on this word` : `: one of ${c.meets} words of this bank` : ''); cell.append(tip); picture.append(cell);
    if (c.meets > 1) picture.append(svg('line', {class: 'cross', x1: x + 3.5, y1: y + 3.5, x2: x + size - 3.5, y2: y + size - 3.5}), svg('line', {class: 'cross', x1: x + size - 3.5, y1: y + 3.5, x2: x + 3.5, y2: y + size - 3.5}));
  }
  return $('figure', {}, $('figcaption', {}, $('b', {textContent: title}), ` · ${says}`), picture);
}

function maps() {
  const s = data[current], box = document.getElementById('maps');
  if (!box) return;
  const q = s.q[shown];
  box.replaceChildren(map(q, 'as it is', s.a));
  if (s.fix && s.fix.q && shown == 0) box.append(map(s.fix.q, 'with the fix', s.a));
  document.getElementById('which').textContent = `${q[0]} (${shown + 1} of ${s.q.length})`;
}

function select(i, focus) {
  if (!data.length) return;
  current = (i + data.length) % data.length; shown = 0;
  const s = data[current];
  buttons.forEach((b, n) => n == current ? b.setAttribute('aria-current', 'true') : b.removeAttribute('aria-current'));
  if (focus && buttons[current]) { buttons[current].focus({preventScroll: true}); buttons[current].scrollIntoView({block: 'nearest'}); }
  lines.forEach(l => l.classList.toggle('at', l.dataset.l == s.l));
  detail.replaceChildren($('h2', {textContent: s.m || s.x, style: 'margin-top: 0'}), $('p', {}, s.l ? $('a', {href: '#' + s.l, textContent: s.p}) : s.p, ` · ${s.o} · ${s.v}`), $('p', {className: 'soft', textContent: s.k}));
  for (const t of s.t) detail.append($('p', {textContent: t}));
  if (s.q.length) {
    detail.append($('h3', {textContent: 'Lanes and banks'}), $('p', {className: 'soft'}, $('button', {textContent: '◀', title: 'previous request', onclick: () => turn(-1)}), ' ', $('span', {id: 'which'}), ' ', $('button', {textContent: '▶', title: 'next request', onclick: () => turn(1)})),
      $('div', {id: 'maps', className: 'maps'}), $('p', {className: 'soft', textContent: 'Rows are lanes, columns banks; lines part the phases. A cross marks a ' + (s.a ? 'lane that shares its word with others: atomics on one word follow each other.' : 'word that shares its bank with others: they are served one after the other.')}));
    maps();
  }
  if (s.fix) {
    detail.append($('h3', {textContent: 'Fix'}), $('p', {textContent: s.fix.t}));
    if (s.fix.d.length) detail.append($('pre', {className: 'diff'}, ...s.fix.d.map(([sign, text]) => $(sign == '-' ? 'del' : sign == '+' ? 'ins' : 'span', {textContent: sign + ' ' + text + '\n'}))));
  }
}
function turn(by) { const n = data[current].q.length; if (n) { shown = (shown + by + n) % n; maps(); } }

list.addEventListener('click', e => { const b = e.target.closest('button'); if (b) select(buttons.indexOf(b)); });
document.addEventListener('click', e => { const row = e.target.closest('.source tr[data-s]'); if (row) { select(+row.dataset.s); detail.scrollIntoView({block: 'nearest'}); } });
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const act = {n: () => select(current + 1, true), p: () => select(current - 1, true), '[': () => turn(-1), ']': () => turn(1)}[e.key];
  if (act) { e.preventDefault(); act(); }
});
select(0);
)js";

} // namespace smem
