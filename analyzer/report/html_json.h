// The sites of the HTML report, for its script.
#pragma once

#include "report/html_data.h"
#include "report/html_source.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smem {

/// JSON as the text of a script element: nothing in it ends the element.
std::string html_data_text(const std::string &json);

struct HtmlData {
  std::string sites, patterns;
};

/// Patterns: arrays of cases [when, words, wavefronts, ideal, sectors, ideal]. Sites: an array with an object for each:
///   p place, l its line's id, x expression, o operation, m what was found, t paragraphs, n numbers of the findings
///   s 0 shared, 1 global, 2 other; v verdict of the counts, y of the pattern; h number of the launch, -1 if there is none
///   f figures (kFigures, null: not known), b their lower bounds, d best, worst and mean of what depends on data; e label, a serial atomics
///   q requests to shared memory, g to global memory with [sectors, ideal sectors] of each in r; a request is [label, bytes, mask, start, step] or
///     [label, bytes, mask, [addresses]]
///   c number of the pattern, then [case, index in q or -1, index in g or -1] of each that the launch may have
///   z a race: q the two requests, w of each [lane, what it does, line], b the byte that both touch, n its array (of which bytes are counted), o whether
///     both are of one warp, i [barriers that they have passed, the last one's line, the next one's], 0 where there is none
///   fix {t text, d changed lines, q the request with it}, w there may be one that was not looked for
HtmlData html_json(const Report &report, SourceLines &sources, const std::vector<HtmlSite> &sites,
                   const HtmlAnchors &anchor,
                   const std::map<std::pair<std::size_t, std::size_t>, std::size_t> &launches);

} // namespace smem
