#include "report/html_page.h"

namespace smem {

// A request is [label, width, mask, start, step] or, with lanes that are not equally far apart, [label, width, mask, [addresses]].
const char *const kHtmlPictures = R"js(
const $ = (tag, props, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
const svg = (tag, props) => { const e = document.createElementNS('http://www.w3.org/2000/svg', tag); for (const k in props) e.setAttribute(k, props[k]); return e; };
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
    for (const [lane, bank, word] of own) cells.push({lane, column: bank, word, meets: serial ? own.filter(o => o[2] == word).length : words[bank].size});
  }
  return {cells, group, degree: Math.max(0, ...cells.map(c => c.meets))};
}

// Which sectors each lane wants, and how many bytes of each sector are wanted at all.
function sectors(q) {
  const all = addresses(q), bytes = q[1], used = new Map(), cells = [];
  all.forEach((address, lane) => {
    if (address === null) return;
    const per = new Map();
    for (let b = address; b < address + bytes; ++b) {
      const s = Math.floor(b / 32);
      if (!used.has(s)) used.set(s, new Set());
      used.get(s).add(b);
      per.set(s, (per.get(s) || 0) + 1);
    }
    for (const [sector, own] of per) cells.push({lane, sector, own, first: address});
  });
  const order = [...used.keys()].sort((a, b) => a - b), column = new Map(order.map((s, i) => [s, i]));
  for (const c of cells) { c.column = column.get(c.sector); c.bytes = used.get(c.sector).size; }
  return {cells, order, used: order.map(s => used.get(s).size)};
}

const cell_size = 12, left = 28, top_edge = 18;

// The grid with what both pictures have; lanes down, `columns` across.
function grid(columns, rows, name, heads, phase) {
  const width = left + columns * cell_size + 2, height = top_edge + 32 * cell_size + 2 + rows;
  const picture = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label': name});
  for (let i = 0; i <= 32; ++i) picture.append(svg('line', {class: i % phase == 0 ? 'phase' : 'grid', x1: left, x2: left + columns * cell_size, y1: top_edge + i * cell_size, y2: top_edge + i * cell_size}));
  for (let i = 0; i <= columns; ++i) picture.append(svg('line', {class: heads.gap && heads.gap(i) ? 'phase' : 'grid', y1: top_edge, y2: top_edge + 32 * cell_size, x1: left + i * cell_size, x2: left + i * cell_size}));
  const write = (x, y, text, anchor) => { const e = svg('text', {x, y, 'text-anchor': anchor}); e.textContent = text; picture.append(e); };
  for (let i = 0; i < 32; i += 4) write(left - 5, top_edge + i * cell_size + 9, i, 'end');
  for (let i = 0; i < columns; i += 4) write(left + i * cell_size + 2, top_edge - 5, heads.text(i), 'start');
  return picture;
}

function put(picture, c, bad, says) {
  const x = left + c.column * cell_size, y = top_edge + c.lane * cell_size;
  const cell = svg('rect', {class: bad ? 'meets' : 'cell', x: x + 1, y: y + 1, width: cell_size - 2, height: cell_size - 2, rx: 2, 'data-tip': says});
  const tip = svg('title', {}); tip.textContent = says; cell.append(tip); picture.append(cell);
  if (bad) picture.append(svg('line', {class: 'cross', x1: x + 3.5, y1: y + 3.5, x2: x + cell_size - 3.5, y2: y + cell_size - 3.5}), svg('line', {class: 'cross', x1: x + cell_size - 3.5, y1: y + 3.5, x2: x + 3.5, y2: y + cell_size - 3.5}));
}

// A picture with its caption, what a tap on a cell selected, and the same as a table for who does not see it.
function figure(title, says, picture, wide, heads, rows) {
  const tip = $('p', {className: 'soft tip', textContent: 'Tap or point at a cell to read it.'});
  tip.setAttribute('role', 'status');
  picture.addEventListener('click', e => {
    const at = e.target.closest('[data-tip]');
    picture.querySelectorAll('.chosen').forEach(c => c.classList.remove('chosen'));
    if (at) at.classList.add('chosen');
    tip.textContent = at ? at.dataset.tip : 'Nothing is wanted there.';
  });
  const box = wide ? $('div', {className: 'scroll', tabIndex: 0}, picture) : picture;
  if (wide) { picture.style.maxWidth = 'none'; box.setAttribute('role', 'region'); box.setAttribute('aria-label', title); }
  const table = $('details', {}, $('summary', {textContent: 'Lane by lane'}));
  table.addEventListener('toggle', () => {
    if (table.open && !table.querySelector('table'))
      table.append($('div', {className: 'scroll'}, $('table', {className: 'plain'}, $('thead', {}, $('tr', {}, ...heads.map(h => $('th', {scope: 'col', textContent: h})))),
        $('tbody', {}, ...rows().map(row => $('tr', {}, ...row.map(t => $('td', {textContent: t}))))))));
  });
  return $('figure', {}, $('figcaption', {}, $('b', {textContent: title}), ` · ${says}`), box, tip, table);
}

const ranges = list => list.reduce((out, n) => { const last = out[out.length - 1]; if (last && n == last[1] + 1) last[1] = n; else out.push([n, n]); return out; }, []).map(([a, b]) => a == b ? a : `${a}-${b}`).join(', ');

function bank_picture(q, title, serial) {
  const {cells, group, degree} = banks(q, serial), says = serial ? `${degree} lanes on one word` : degree == 1 ? 'conflict-free' : `${degree}-way`;
  const picture = grid(32, 0, `Lanes and banks, ${title}: ${says}`, {text: i => i}, group);
  for (const c of cells)
    put(picture, c, c.meets > 1, `lane ${c.lane}, bank ${c.column}, byte ${number(c.word * 4)}` + (c.meets > 1 ? serial ? `: one of ${c.meets} lanes on this word` : `: one of ${c.meets} words of this bank` : ''));
  return figure(title, says, picture, false, ['lane', 'byte', 'banks', 'words of a bank'], () => addresses(q).map((a, lane) => {
    const own = cells.filter(c => c.lane == lane);
    return a === null ? [lane, 'inactive', '', ''] : [lane, number(a), ranges(own.map(c => c.column)), Math.max(...own.map(c => c.meets))];
  }));
}

function sector_picture(q, cost, title) {
  const {cells, order, used} = sectors(q), bytes = used.reduce((a, b) => a + b, 0), [moved, ideal] = cost;
  const says = `${moved} ${moved == 1 ? 'sector' : 'sectors'}` + (moved > ideal ? ` instead of ${ideal}` : ', as few as possible') + `; ${number(bytes)} of ${number(order.length * 32)} bytes wanted`;
  const offset = i => '+' + (order[i] - order[0]) * 32, bar = 22;
  const picture = grid(Math.max(order.length, 1), bar + 4, `Lanes and sectors, ${title}: ${says}`, {text: i => order.length > 8 || i == 0 ? offset(i) : '', gap: i => i > 0 && i < order.length && order[i] != order[i - 1] + 1}, 32);
  for (const c of cells)
    put(picture, c, moved > ideal && c.bytes < 32, `lane ${c.lane}, sector at byte ${offset(c.column)}: ${c.own} of its 32 bytes for this lane, ${c.bytes} for the warp`);
  const y = top_edge + 32 * cell_size + 4;
  used.forEach((n, i) => {
    const x = left + i * cell_size + 2, says = `sector at byte ${offset(i)}: ${n} of 32 bytes wanted`, height = bar * n / 32;
    const tip = svg('title', {}); tip.textContent = says;
    const frame = svg('rect', {class: 'unused', x, y, width: cell_size - 4, height: bar, 'data-tip': says, 'pointer-events': 'all'}); frame.append(tip);
    picture.append(svg('rect', {class: 'used', x, y: y + bar - height, width: cell_size - 4, height}), frame);
  });
  return figure(title, says, picture, order.length > 32, ['lane', 'byte', 'sectors', 'bytes of them wanted'], () => addresses(q).map((a, lane) => {
    const own = cells.filter(c => c.lane == lane);
    return a === null ? [lane, 'inactive', '', ''] : [lane, number(a), own.map(c => offset(c.column)).join(', '), own.map(c => c.bytes).join(', ')];
  }));
}

// What the lanes of the two warps of a race touch, in the words around the byte that both do, and the two between the barriers around them.
const most_words = 64;
function race_pictures(z) {
  const wanted = z.q.map(q => { const cells = []; addresses(q).forEach((a, lane) => { if (a !== null) for (let w = Math.floor(a / 4); w <= Math.floor((a + q[1] - 1) / 4); ++w) cells.push({lane, word: w}); }); return cells; });
  const at = Math.floor(z.b / 4), near = [...new Set(wanted.flat().map(c => c.word))].sort((a, b) => Math.abs(a - at) - Math.abs(b - at)).slice(0, most_words).sort((a, b) => a - b);
  const column = new Map(near.map((w, i) => [w, i])), touched = wanted.map(cells => cells.reduce((m, c) => m.set(c.word, [...m.get(c.word) || [], c.lane]), new Map()));
  const maps = z.q.map((q, k) => {
    const [lane, verb, line] = z.w[k], title = `${q[0]} ${verb}, line ${line}`, others = touched[1 - k];
    const picture = grid(near.length, 0, `Lanes and words, ${title}`, {text: i => number(near[i] * 4), gap: i => i > 0 && i < near.length && near[i] != near[i - 1] + 1}, 32);
    for (const c of wanted[k]) {
      if (!column.has(c.word)) continue;
      const meets = (others.get(c.word) || []).filter(l => !z.o || l != c.lane);
      put(picture, {...c, column: column.get(c.word)}, meets.length > 0, `lane ${c.lane}, byte ${number(c.word * 4)} of ${z.n}` + (meets.length ? `: ${z.o ? 'its warp' : 'the other warp'} ${z.w[1 - k][1]} it, too, lanes ${ranges(meets)}` : ''));
    }
    const witness = svg('rect', {class: 'witness', x: left + column.get(at) * cell_size, y: top_edge + lane * cell_size, width: cell_size, height: cell_size});
    picture.append(witness);
    return figure(title, `lane ${lane}, byte ${number(z.b)} of ${z.n}`, picture, near.length > 32, ['lane', 'byte'], () => addresses(q).map((a, l) => [l, a === null ? 'inactive' : number(a)]));
  });
  return [...maps, interval_picture(z)];
}

// Two rows, one a warp (or a lane), between the barriers: what happens when within them is not ordered.
function interval_picture(z) {
  const [count, from, to] = z.i, begin = count ? from ? `barrier, line ${from}` : 'barrier' : 'begin', end = to ? `barrier, line ${to}` : 'no barrier';
  const width = 340, edge = 60, picture = svg('svg', {viewBox: `0 0 ${width} 96`, width, role: 'img', 'aria-label': `Between ${begin} and ${end} nothing orders the two accesses`});
  const write = (x, y, text, anchor) => { const e = svg('text', {x, y, 'text-anchor': anchor}); e.textContent = text; picture.append(e); };
  for (const [x, text, anchor] of [[edge, begin, 'start'], [width - edge, end, 'end']]) { picture.append(svg('line', {class: 'phase', x1: x, x2: x, y1: 18, y2: 90})); write(x, 12, text, anchor); }
  z.q.forEach((q, k) => {
    const y = 26 + 34 * k;
    picture.append(svg('line', {class: 'grid', x1: edge, x2: width - edge, y1: y + 12, y2: y + 12}), svg('rect', {class: 'used', x: edge + 30, y: y + 9, width: width - 2 * edge - 60, height: 6, rx: 3}));
    write(width / 2, y + 4, `${q[0]} ${z.w[k][1]}, line ${z.w[k][2]}`, 'middle');
  });
  return $('figure', {}, $('figcaption', {}, $('b', {textContent: 'When'}), ` · in any order between ${begin} and ${end}`), picture);
}
)js";

} // namespace smem
