#include "report/hints.h"

#include "report/index_hints.h"
#include "report/lanes.h"
#include "smem/shared_layout.h"

#include <algorithm>
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

/// The size of one element, from the spelling of the scalar and vector types that shared arrays are made of; 0 if unknown.
unsigned element_bytes(const std::string &declaration) {
  static const struct {
    const char *word;
    unsigned bytes;
  } types[] = {{"float4", 16},  {"float2", 8},   {"int4", 16},   {"int2", 8},    {"double2", 16}, {"double", 8},
               {"float", 4},    {"half2", 4},    {"__half2", 4}, {"half", 2},    {"__half", 2},   {"__nv_bfloat16", 2},
               {"unsigned", 4}, {"uint32_t", 4}, {"int32_t", 4}, {"int", 4},     {"uint64_t", 8}, {"int64_t", 8},
               {"short", 2},    {"uint16_t", 2}, {"char", 1},    {"uint8_t", 1}, {"int8_t", 1}};
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
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

} // namespace

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

std::string shared_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                        const Architecture &architecture, const RequestsOf &requests_of) {
  const Operation operation = row.site->access.operation;
  // What a copy costs, its source decides, too.
  if (!row.shared_example || operation == Operation::AsyncCopy || program.shared_used_elsewhere)
    return {};
  const auto [array, index] = accessed_array(program, *row.site);
  if (!array)
    return {};
  if (extents(array->declaration).size() < 2)
    return index_hint(program, row, rows, architecture, requests_of);
  if (array->dynamic || array->size == 0 || operation == Operation::Atomic)
    return {};
  const unsigned element = element_bytes(array->declaration);
  const auto dimensions = extents(array->declaration);
  if (element == 0 || dimensions.size() < 2)
    return {};

  // The pitch of a row: from the extent if it is a number, else the lanes' own distance if that divides the array.
  std::uint64_t pitch = 0;
  const Extent last = dimensions.back();
  if (const auto columns = literal(array->declaration.substr(last.begin, last.end - last.begin)))
    pitch = *columns * element;
  else if (const auto stride = lane_stride(row.shared_example->request); stride && *stride > 0)
    pitch = static_cast<std::uint64_t>(*stride);
  if (pitch <= element || array->size % pitch != 0)
    return {};

  const std::uint64_t base = layout_shared(program.shared_arrays, architecture).offset[index];
  const auto padded_cost = [&](Request request, unsigned elements) {
    for (std::uint64_t &address : request.address)
      if (address >= base && address < base + array->size)
        address += (address - base) / pitch * elements * element;
    return evaluate(request, row.site->access, architecture);
  };
  std::optional<std::vector<Request>> others;
  const auto cured_by = [&](unsigned elements) {
    const RequestCost cost = padded_cost(row.shared_example->request, elements);
    if (cost.wavefronts > cost.ideal_wavefronts)
      return false;
    if (!others)
      others = requests_of(row);
    return std::all_of(others->begin(), others->end(), [&](const Request &request) {
      const RequestCost other = padded_cost(request, elements);
      return other.wavefronts <= other.ideal_wavefronts;
    });
  };
  // Rows stay multiples of what is accessed at once: of what the compiler merges if that is possible, of what the source accesses in any case.
  const unsigned own = row.site->access.width_bits / 8u;
  const unsigned merged = std::max(own, array->widest);
  const unsigned required = std::max(own, array->widest_in_source ? array->widest_in_source : array->widest);
  for (const unsigned bytes : {merged, required}) {
    const unsigned step = std::max(1u, bytes / element);
    for (unsigned elements = step; elements <= 4 * step; elements += step)
      if (cured_by(elements)) {
        const RequestCost cost = padded_cost(row.shared_example->request, elements);
        return "pad the rows: `" + pad_last_extent(array->declaration, elements) + "` makes it " +
               std::to_string(cost.wavefronts) + (cost.wavefronts == 1 ? " wavefront" : " wavefronts");
      }
  }
  // What narrower rows would do is worth a word on why they are not an answer.
  const unsigned narrow = std::max(1u, own / element);
  if (array->widest_in_source > own && cured_by(narrow))
    return "no padding of the rows helps that keeps them multiples of the " + std::to_string(array->widest_in_source) +
           " bytes that the source accesses at once elsewhere; --suggest-fixes tries to swizzle the index";
  return {};
}

namespace {

/// The access is of an array of numbers, not of structures: by the type of the kernel's parameter that has its name.
bool is_of_numbers(const SiteRow &row, const Program &program) {
  constexpr std::string_view kNumbers[] = {"float",
                                           "double",
                                           "int",
                                           "char",
                                           "short",
                                           "long",
                                           "long long",
                                           "unsigned int",
                                           "bool",
                                           "unsigned char",
                                           "unsigned long",
                                           "signed char",
                                           "unsigned short",
                                           "__half",
                                           "half",
                                           "__nv_bfloat16",
                                           "unsigned long long"};
  const auto parameter = std::ranges::find_if(program.parameters, [&](const Parameter &one) {
    return one.pointer && !one.name.empty() && one.name == row.site->array;
  });
  if (parameter == program.parameters.end())
    return false;
  std::string type = parameter->type.substr(0, parameter->type.find('*'));
  for (const std::string_view word : {"const ", "volatile "})
    if (const std::size_t at = type.find(word); at != std::string::npos)
      type.erase(at, word.size());
  type.erase(type.find_last_not_of(' ') + 1);
  return std::ranges::find(kNumbers, type) != std::end(kNumbers);
}

} // namespace

std::string global_hint(const SiteRow &row, const Program &program) {
  if (!row.global_example || row.site->access.operation == Operation::Atomic)
    return {};
  const auto stride = lane_stride(row.global_example->request);
  const std::int64_t width = row.site->access.width_bits / 8;
  if (!stride || *stride <= 2 * width)
    return {};
  if (*stride <= 64)
    return !is_of_numbers(row, program)
               ? "store the fields in arrays of their own, or stage a tile in shared memory"
               : "let neighbouring lanes access neighbouring elements, or stage a tile in shared memory";
  return "let threadIdx.x run along the contiguous index, or stage a tile in shared memory";
}

} // namespace smem
