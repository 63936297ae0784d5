#include "report/html_page.h"

namespace smem {

// n, p: next and previous entry, worst first. [ and ]: another request of it. html_json.h says what the data hold.
const char *const kHtmlScript = R"js(
const parsed = id => JSON.parse(document.getElementById(id).textContent);
const data = parsed('data'), patterns = parsed('patterns'), launches = parsed('launches');
const at = id => document.getElementById(id), all = (what, within = document) => [...within.querySelectorAll(what)];
const detail = at('detail'), buttons = all('.ranking button'), lines = all('.source tr[data-s]');
const entries = buttons.map(b => b.dataset.s.split(' ').map(Number)), entry_of = [];
entries.forEach((sites, e) => sites.forEach(s => entry_of[s] = e));
const range = e => e.dataset.h.split(' ').map(Number), rows = all('#contents tr[data-h]').map(row => ({row, from: range(row)[0], to: range(row)[1]}));
// Cases as [when, words, wavefronts, ideal, sectors, ideal, whether the launch may have it, index in q, index in g].
const cases_of = s => s.c ? patterns[s.c[0]].map((one, k) => { const own = s.c.slice(1).find(o => o[0] == k); return [...one, !!own, own ? own[1] : -1, own ? own[2] : -1]; }) : [];
const request_of = (c, p) => p.i == c[p.shared ? 7 : 8];
const kLong = 240; // characters of a text that is shown at once
let current = -1, shown = 0, case_shown = -1, picked = null;

const words = data.map(s => [s.x, s.p, s.o, s.m, s.h < 0 ? '' : launches[s.h]].join(' ').toLowerCase());
function wanted(i) {
  const s = data[i], text = at('text').value.trim().toLowerCase(), kind = at('kind').value, [what, value] = at('verdict').value.split(':');
  return (!kind || s.s == kind) && (!what || s[what] == value) && (!at('found').checked || s.n.length > 0) &&
    (!picked || (s.h >= picked.from && s.h <= picked.to)) && text.split(/\s+/).every(w => words[i].includes(w));
}

// What the filter leaves: of each entry the sites, of the contents the launches that have some.
let left_over = entries;
function filter() {
  left_over = entries.map(sites => sites.filter(wanted));
  buttons.forEach((b, e) => {
    b.parentElement.hidden = !left_over[e].length;
    const s = data[left_over[e][0]];
    if (s) { const label = b.querySelector('b'); label.textContent = s.e; label.className = /^(error|warning|[+≥])/.test(s.e) ? 'bad' : 'soft'; }
  });
  all('.ranking').forEach(r => { const items = all('li:not([hidden])', r).length, of = all('li', r).length; r.hidden = !items; r.querySelector('h3 span').textContent = items == of ? number(of) : `${number(items)} of ${number(of)}`; });
  const old = picked, narrowed = at('text').value.trim() || at('kind').value || at('verdict').value || at('found').checked;
  picked = null;
  const of = new Set(narrowed ? data.flatMap((s, i) => wanted(i) ? [s.h] : []) : []);
  picked = old;
  for (const r of rows) {
    let any = !narrowed;
    for (let h = r.from; !any && h <= r.to; ++h) any = of.has(h);
    const fold = r.row.parentElement.querySelector('.fold');
    r.row.hidden = !any || (r.row.classList.contains('launch') && fold.getAttribute('aria-expanded') != 'true');
    const on = picked && picked.row == r.row;
    r.row.classList.toggle('at', !!on);
    r.row.querySelector('.pick').setAttribute('aria-pressed', !!on);
  }
  const count = left_over.filter(sites => sites.length).length;
  at('matches').textContent = `${number(count)} of ${number(entries.length)} accesses` + (picked ? `, of ${picked.row.querySelector('.pick').textContent.trim().split(' ')[0]} alone` : '');
  const here = current < 0 ? -1 : entry_of[current];
  if (here < 0 || !left_over[here].includes(current)) { const first = Math.min(...left_over.flat()); isFinite(first) ? select(first) : none(); }
}
const order = () => [...entries.keys()].filter(e => left_over[e].length);
function none() { current = -1; buttons.forEach(b => b.removeAttribute('aria-current')); detail.replaceChildren($('p', {textContent: 'No access is left by the filter.'})); }

// Requests of both kinds, one after the other.
const pictures = s => [...s.q.map((q, i) => ({q, i, shared: true})), ...(s.g || []).map((q, i) => ({q, i, shared: false}))];
const draw = (s, p, title) => p.shared ? bank_picture(p.q, title, s.a) : sector_picture(p.q, s.r[p.i], title);
function maps() {
  const s = data[current], box = at('maps'), c = case_shown < 0 ? null : cases_of(s)[case_shown];
  if (!box) return;
  const many = pictures(s);
  at('turns').hidden = !!c || many.length < 2;
  if (c) {
    const own = many.filter(p => request_of(c, p));
    box.replaceChildren(...own.map(p => draw(s, p, p.q[0])));
    if (!own.length) box.append($('p', {className: 'soft', textContent: many.length ? 'No picture: none of the requests that were analysed is of this case.' : 'No picture: of no request all addresses are known.'}));
  } else if (many.length) {
    const p = many[shown];
    box.replaceChildren(draw(s, p, s.fix && s.fix.q ? 'as it is' : p.q[0]));
    if (s.fix && s.fix.q && p.shared && shown == 0) box.append(bank_picture(s.fix.q, 'with the fix', s.a));
    at('which').textContent = `${p.q[0]} (${shown + 1} of ${many.length})`;
  }
  const kinds = new Set((c ? many.filter(p => request_of(c, p)) : many.length ? [many[shown]] : []).map(p => p.shared));
  at('legend').textContent = (kinds.has(true) ? 'Rows are lanes, columns banks; lines part the phases. A cross marks a ' + (s.a ? 'lane that shares its word with others: atomics on one word follow each other. ' : 'word that shares its bank with others: they are served one after the other. ') : '') +
    (kinds.has(false) ? 'Rows are lanes, columns the sectors of 32 bytes that the request touches; a thick line parts those that are not next to each other. A cross marks a sector of which bytes are moved that no lane wants; the bars below say how much of each is wanted.' : '');
}

function cases(s) {
  const box = $('fieldset', {className: 'cases'}, $('legend', {textContent: 'What a request costs'}));
  const add = (k, text, when, own) => box.append($('label', {}, $('input', {type: 'radio', name: 'case', value: k, checked: k == case_shown, onchange: () => { case_shown = k; figures(s); maps(); }}), ' ', $('b', {textContent: text}), when, own ? '' : $('span', {className: 'soft', textContent: ' (not with the values of the analysed launch)'})));
  add(-1, 'the launch that was analysed', '', true);
  cases_of(s).forEach((c, k) => add(k, c[1], c[0] ? ' when ' + c[0] : ' always', c[6]));
  return box;
}
function figures(s) {
  const c = case_shown < 0 ? null : cases_of(s)[case_shown], heads = [], row = [];
  const add = (name, actual, ideal) => { if (actual) { heads.push(name, 'ideal'); row.push(actual, ideal); } };
  if (c) { add('wavefronts a request', c[2], c[3]); add('sectors a request', c[4], c[5]); }
  at('figures').replaceChildren(...(row.length ? [$('div', {className: 'scroll'}, $('table', {className: 'plain'}, $('thead', {}, $('tr', {}, ...heads.map(h => $('th', {scope: 'col', textContent: h})))), $('tbody', {}, $('tr', {}, ...row.map(f => $('td', {textContent: number(f)}))))))] : []));
}

function select(i, how) {
  if (!data.length) return;
  current = i; shown = 0; case_shown = -1;
  const s = data[i], e = entry_of[i];
  buttons.forEach((b, n) => n == e ? b.setAttribute('aria-current', 'true') : b.removeAttribute('aria-current'));
  if (how == 'key') { buttons[e].focus({preventScroll: true}); buttons[e].scrollIntoView({block: 'nearest'}); }
  lines.forEach(l => l.classList.toggle('at', l.dataset.l == s.l));
  const back = $('button', {id: 'back', type: 'button', textContent: '↑ back to the list', onclick: () => { buttons[e].focus({preventScroll: true}); buttons[e].scrollIntoView({block: 'center'}); }});
  detail.replaceChildren($('p', {}, back), $('h2', {textContent: s.m || s.x, style: 'margin-top: 0'}), $('p', {}, s.l ? $('a', {href: '#' + s.l, textContent: s.p}) : s.p, ` · ${s.o} · ${s.v}`));
  const same = left_over[e];
  if (same.length > 1)
    detail.append($('p', {}, $('label', {}, `in ${number(same.length)} launches: `, $('select', {onchange: ev => select(+ev.target.value)}, ...same.map(n => $('option', {value: n, selected: n == i, textContent: `${data[n].e} · ${launches[data[n].h] || ''}`}))))));
  else if (s.h >= 0) detail.append($('p', {className: 'soft', textContent: launches[s.h]}));
  for (const t of s.t) detail.append(t.length <= kLong ? $('p', {textContent: t}) : $('details', {className: 'long'}, $('summary', {textContent: t.slice(0, t.lastIndexOf(' ', kLong / 2)) + ' …'}), $('p', {textContent: t})));
  const many = pictures(s).length;
  if (s.c) detail.append(cases(s));
  detail.append($('div', {id: 'figures'}));
  if (many || s.c) {
    detail.append($('h3', {textContent: s.q.length ? s.g ? 'Lanes, banks and sectors' : 'Lanes and banks' : 'Lanes and sectors'}),
      $('p', {id: 'turns', className: 'soft'}, $('button', {className: 'turn', type: 'button', textContent: '◀', title: 'previous request', ariaLabel: 'previous request', onclick: () => turn(-1)}), ' ', $('span', {id: 'which'}), ' ', $('button', {className: 'turn', type: 'button', textContent: '▶', title: 'next request', ariaLabel: 'next request', onclick: () => turn(1)})),
      $('div', {id: 'maps', className: 'maps'}), $('p', {id: 'legend', className: 'soft'}));
    maps();
  }
  if (s.z) detail.append($('h3', {textContent: 'Who touches what'}), $('div', {className: 'maps'}, ...race_pictures(s.z)), $('p', {className: 'soft', textContent: 'Rows are lanes, columns words. A cross marks a word that the other one touches, too; a frame marks the two that are named.'}));
  if (s.fix) {
    detail.append($('h3', {textContent: 'Fix'}), $('p', {textContent: s.fix.t}));
    if (s.fix.d.length) detail.append($('pre', {className: 'diff', tabIndex: 0}, ...s.fix.d.map(([sign, text]) => $(sign == '-' ? 'del' : sign == '+' ? 'ins' : 'span', {textContent: sign + ' ' + text + '\n'}))));
  } else if (s.w) detail.append($('h3', {textContent: 'Fix'}), $('p', {}, 'Not looked for in this run: ', $('code', {textContent: 'smem-lint --format=html --suggest-fixes'}), ' tries padded and swizzled layouts and shows those that it has proved.'));
  at('said').textContent = how ? `${s.m || s.x}, ${s.p}` : '';
  if (how == 'tap' && matchMedia('(max-width: 60rem)').matches) { detail.focus({preventScroll: true}); detail.scrollIntoView({block: 'start'}); }
}
function turn(by) { const s = data[current], n = s ? pictures(s).length : 0; if (n && case_shown < 0) { shown = (shown + by + n) % n; maps(); } }
function step(by) { const left = order(), here = current < 0 ? -1 : left.indexOf(entry_of[current]); if (left.length) select(left_over[left[(here + by + left.length) % left.length]][0], 'key'); }

if (detail) {
  at('lists').addEventListener('click', e => { const b = e.target.closest('button'); if (b) select(left_over[buttons.indexOf(b)][0], 'tap'); });
  at('contents').addEventListener('click', e => {
    const b = e.target.closest('button'), row = b && rows.find(r => r.row == b.closest('tr'));
    if (!row) return;
    if (b.classList.contains('fold')) b.setAttribute('aria-expanded', b.getAttribute('aria-expanded') != 'true');
    else picked = picked && picked.row == row.row ? null : row;
    filter();
  });
  at('filter').addEventListener('input', filter);
  at('filter').addEventListener('submit', e => e.preventDefault());
  at('filter').addEventListener('reset', () => { picked = null; setTimeout(filter); });
  document.addEventListener('click', e => { const row = e.target.closest('.source tr[data-s]'); if (row) { if (!left_over[entry_of[+row.dataset.s]].length) at('filter').reset(), picked = null, filter(); select(+row.dataset.s, 'tap'); detail.scrollIntoView({block: 'nearest'}); } });
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input[type=search], select')) return;
    const act = {n: () => step(1), p: () => step(-1), '[': () => turn(-1), ']': () => turn(1), '/': () => at('text').focus()}[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  filter();
}
)js";

} // namespace smem
