#include "report/padding_hints.h"

#include "report/format.h"
#include "report/index_hints.h"
#include "report/lanes.h"
#include "smem/shared_layout.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>

namespace smem {
namespace {

struct Extent {
  std::size_t begin, end; ///< of the text between the brackets
};

std::vector<Extent> extents(const std::string &declaration) {
  std::vector<Extent> found;
  std::size_t open = 0;
  int depth = 0;
  for (std::size_t i = 0; i < declaration.size(); ++i) {
    if (declaration[i] == '=' && depth == 0)
      break;
    if (declaration[i] == '[' && depth++ == 0)
      open = i + 1;
    else if (declaration[i] == ']' && --depth == 0)
      found.push_back({open, i});
  }
  return found;
}

std::string trimmed(const std::string &text) {
  const auto first = text.find_first_not_of(' ');
  const auto last = text.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The size of one element, from the spelling of the scalar and vector types that shared arrays are made of; 0 if unknown.
unsigned element_bytes(const std::string &declaration) {
  static const struct {
    const char *word;
    unsigned bytes;
  } types[] = {{"float4", 16},  {"float2", 8},   {"int4", 16},   {"int2", 8},    {"double2", 16}, {"double", 8},
               {"float", 4},    {"half2", 4},    {"__half2", 4}, {"half", 2},    {"__half", 2},   {"__nv_bfloat16", 2},
               {"unsigned", 4}, {"uint32_t", 4}, {"int32_t", 4}, {"int", 4},     {"uint64_t", 8}, {"int64_t", 8},
               {"short", 2},    {"uint16_t", 2}, {"char", 1},    {"uint8_t", 1}, {"int8_t", 1}};
  for (const auto &type : types) {
    const std::string word = type.word;
    for (auto at = declaration.find(word); at != std::string::npos; at = declaration.find(word, at + 1)) {
      const bool starts = at == 0 || !is_word(declaration[at - 1]);
      const bool ends = at + word.size() == declaration.size() || !is_word(declaration[at + word.size()]);
      if (starts && ends && declaration.find("long") == std::string::npos &&
          declaration.compare(0, at, "unsigned short ") != 0)
        return type.bytes;
    }
  }
  return 0;
}

std::optional<std::uint64_t> literal(const std::string &text) {
  const std::string digits = trimmed(text);
  if (digits.empty() || digits.size() > 9 ||
      !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
    return std::nullopt;
  return std::stoull(digits);
}

/// An array in shared memory, and where its rows are.
struct RowsOfArray {
  const SharedArray *array = nullptr;
  std::uint64_t base = 0;    ///< the array's first byte
  std::uint64_t pitch = 0;   ///< bytes from one row to the next
  std::uint64_t element = 0; ///< bytes of an element
};

/// Of a request, or of several.
struct PaddedCost {
  std::uint64_t conflicts = 0, wavefronts = 0; ///< conflicts: wavefronts beyond what the sizes need

  auto operator<=>(const PaddedCost &) const = default; ///< what is free of conflicts comes first
};

/// The same accesses where each row has `elements` more. One that rows of that length leave unaligned, which the compiler has merged,
/// is several then.
PaddedCost padded_cost(Request request, const Access &access, const RowsOfArray &in, unsigned elements,
                       const Architecture &architecture) {
  const std::uint64_t longer = elements * in.element;
  for (std::uint64_t &address : request.address)
    if (address >= in.base && address < in.base + in.array->size)
      address += (address - in.base) / in.pitch * longer;
  const std::uint64_t width = access.width_bits / 8u;
  const std::uint64_t aligned = std::uint64_t{1} << std::countr_zero(in.pitch + longer);
  const std::uint64_t piece_bytes = std::min(width, aligned);
  Access piece = access;
  piece.width_bits = static_cast<decltype(piece.width_bits)>(piece_bytes * 8);
  PaddedCost cost;
  for (std::uint64_t done = 0; done < width; done += piece_bytes) {
    const RequestCost one = evaluate(request, piece, architecture);
    cost.wavefronts += one.wavefronts;
    cost.conflicts += one.wavefronts - std::min(one.wavefronts, one.ideal_wavefronts);
    for (std::uint64_t &address : request.address)
      address += piece_bytes;
  }
  return cost;
}

/// The costliest of the row's requests.
PaddedCost worst_of(const SiteRow &row, const RequestsOf &requests_of, const RowsOfArray &in, unsigned elements,
                    const Architecture &architecture) {
  PaddedCost worst = padded_cost(row.shared_example->request, row.site->access, in, elements, architecture);
  for (const Request &request : requests_of(row))
    worst = std::max(worst, padded_cost(request, row.site->access, in, elements, architecture));
  return worst;
}

/// What all accesses to the array take together, each as often as is known, at its costliest.
PaddedCost cost_of_all(const Program &program, std::span<const SiteRow> rows, const RequestsOf &requests_of,
                       const RowsOfArray &in, unsigned elements, const Architecture &architecture) {
  PaddedCost sum;
  for (const SiteRow &row : rows)
    if (row.shared_example && row.moves_shared && accessed_array(program, *row.site).array == in.array) {
      const PaddedCost one = worst_of(row, requests_of, in, elements, architecture);
      const std::uint64_t times = std::max<std::uint64_t>(row.counts.requests, 1);
      sum.conflicts += times * one.conflicts;
      sum.wavefronts += times * one.wavefronts;
    }
  return sum;
}

/// From the extent if it is a number, else the lanes' own distance if that divides the array; 0: not known.
std::uint64_t pitch_of(const SharedArray &array, const Request &request, std::uint64_t element) {
  const Extent last = extents(array.declaration).back();
  std::uint64_t pitch = 0;
  if (const auto columns = literal(array.declaration.substr(last.begin, last.end - last.begin)))
    pitch = *columns * element;
  else if (const auto stride = lane_stride(request); stride && *stride > 0)
    pitch = static_cast<std::uint64_t>(*stride);
  return pitch <= element || array.size % pitch != 0 ? 0 : pitch;
}

/// Rows stay multiples of what is accessed at once: of what the compiler merges if that is possible, of what the source accesses in any case.
std::vector<unsigned> paddings_of(const SharedArray &array, unsigned own_bytes, std::uint64_t element) {
  const unsigned merged = std::max(own_bytes, array.widest);
  const unsigned required = array.widest_in_source ? array.widest_in_source : merged;
  std::vector<unsigned> paddings;
  for (const unsigned bytes : {merged, required}) {
    const auto step = static_cast<unsigned>(std::max<std::uint64_t>(1, bytes / element));
    for (unsigned elements = step; elements <= 4 * step; elements += step)
      paddings.push_back(elements);
  }
  return paddings;
}

/// "; the access on line 6 takes 2 then": of the array's other accesses the one that this makes dearer, and by most. Empty: none.
std::string dearer_words(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                         const RequestsOf &requests_of, const RowsOfArray &in, unsigned elements,
                         const Architecture &architecture) {
  const SiteRow *worst = nullptr;
  std::uint64_t most = 0, then = 0;
  for (const SiteRow &other : rows) {
    if (&other == &row || !other.shared_example || !other.moves_shared ||
        accessed_array(program, *other.site).array != in.array)
      continue;
    const std::uint64_t padded = worst_of(other, requests_of, in, elements, architecture).wavefronts;
    const std::uint64_t now = worst_of(other, requests_of, in, 0, architecture).wavefronts;
    const std::uint64_t added = (padded - std::min(padded, now)) * std::max<std::uint64_t>(other.counts.requests, 1);
    if (added > most) {
      most = added;
      then = padded;
      worst = &other;
    }
  }
  return worst ? "; the access on line " + std::to_string(worst->site->location.line) + " takes " +
                     std::to_string(then) + " then"
               : std::string();
}

/// `tile[i][j]` of an array `tile` of two extents, or `*(float4 *)&tile[i][j]`: whatever the rows' length is, this begins at element j of row i.
bool selects_row_and_element(const std::string &expression, const SharedArray &array) {
  const std::size_t name = expression.find(array.name + "[");
  if (name == std::string::npos || (name != 0 && is_word(expression[name - 1])))
    return false;
  const std::vector<Extent> subscripts = extents(expression);
  return subscripts.size() == extents(array.declaration).size() &&
         expression.find_first_not_of(") ", subscripts.back().end + 1) == std::string::npos &&
         expression.find_first_of("+-[") == expression.find_first_of("+-[", name);
}

/// "; line 4, which goes by a pointer, has to follow if it counts on rows of 64 elements": of accesses that select no row. Empty: there are none.
std::string pointer_words(const Program &program, std::span<const SiteRow> rows, const RowsOfArray &in) {
  std::vector<std::uint32_t> lines;
  for (const SiteRow &row : rows)
    if (row.moves_shared && accessed_array(program, *row.site).array == in.array &&
        !selects_row_and_element(row.site->expression, *in.array))
      lines.push_back(row.site->location.line);
  if (lines.empty())
    return {};
  std::ranges::sort(lines);
  const auto several = std::ranges::unique(lines).begin() - lines.begin();
  return "; line " + std::to_string(lines.front()) + (several > 1 ? " and others, which go" : ", which goes") +
         " by a pointer, " + (several > 1 ? "have" : "has") + " to follow if " +
         (several > 1 ? "they count" : "it counts") + " on rows of " + std::to_string(in.pitch / in.element) +
         " elements";
}

/// Whether static arrays keep within what a kernel may have of them, which no attribute makes more.
bool fits(const Program &program, const RowsOfArray &in, unsigned elements, const Architecture &architecture) {
  const std::uint64_t more = in.array->size / in.pitch * elements * in.element;
  return layout_shared(program.shared_arrays, architecture).static_bytes + more <= architecture.capacity.shared_default;
}

} // namespace

std::size_t dimensions_of(const std::string &declaration) { return extents(declaration).size(); }

std::string pad_last_extent(const std::string &declaration, unsigned elements) {
  const std::vector<Extent> all = extents(declaration);
  if (all.size() < 2)
    return {};
  const Extent last = all.back();
  const std::string text = trimmed(declaration.substr(last.begin, last.end - last.begin));
  const auto number = literal(text);
  const std::string padded = number ? std::to_string(*number + elements) : text + " + " + std::to_string(elements);
  std::string out = declaration.substr(0, last.begin) + padded + declaration.substr(last.end, 1);
  for (const std::string_view prefix : {"static ", "__shared__ "})
    if (const auto at = out.find(prefix); at != std::string::npos)
      out.erase(at, prefix.size());
  return trimmed(out);
}

std::string padding_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                         const Architecture &architecture, const RequestsOf &requests_of) {
  const auto [array, index] = accessed_array(program, *row.site);
  if (array->dynamic || array->size == 0 || row.site->access.operation == Operation::Atomic)
    return {};
  RowsOfArray in{array, layout_shared(program.shared_arrays, architecture).offset[index], 0,
                 element_bytes(array->declaration)};
  if (in.element == 0)
    return {};
  in.pitch = pitch_of(*array, row.shared_example->request, in.element);
  if (in.pitch == 0)
    return {};

  const auto own = row.site->access.width_bits / 8u;
  std::optional<unsigned> best;
  bool too_large = false;
  PaddedCost least = cost_of_all(program, rows, requests_of, in, 0, architecture);
  for (const unsigned elements : paddings_of(*array, own, in.element)) {
    const PaddedCost cost = cost_of_all(program, rows, requests_of, in, elements, architecture);
    if (cost < least && !fits(program, in, elements, architecture)) {
      too_large = true;
    } else if (cost < least) {
      least = cost;
      best = elements;
    }
  }
  const std::string kept =
      "multiples of the " + std::to_string(array->widest_in_source) +
      " bytes that the source accesses at once elsewhere; --suggest-fixes tries to swizzle the index";
  const auto cost_with = [&](unsigned elements) { return worst_of(row, requests_of, in, elements, architecture); };
  if (best) {
    const PaddedCost cost = cost_with(*best);
    const std::uint64_t now = cost_with(0).wavefronts;
    if (cost.conflicts == 0 ? cost.wavefronts < now : cost.wavefronts * 2 <= now)
      return "pad the rows: `" + pad_last_extent(array->declaration, *best) + "` makes it " +
             plural(cost.wavefronts, "wavefront") +
             dearer_words(program, row, rows, requests_of, in, *best, architecture) + pointer_words(program, rows, in) +
             (cost.conflicts == 0 || array->widest_in_source <= own ? "" : "; they stay " + kept);
  }
  if (too_large && !best)
    return "longer rows would be more than the " + thousands(architecture.capacity.shared_default) +
           " bytes that static arrays may have together; --suggest-fixes tries to swizzle the index";
  // What narrower rows would do is worth a word on why they are not an answer.
  const auto narrow = static_cast<unsigned>(std::max<std::uint64_t>(1, own / in.element));
  if (array->widest_in_source > own && cost_with(narrow).conflicts == 0)
    return "no padding of the rows helps that keeps them " + kept;
  return {};
}

} // namespace smem
