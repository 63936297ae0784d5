#include "report/hints.h"

#include "report/index_hints.h"
#include "report/lanes.h"
#include "report/padding_hints.h"

#include <algorithm>

namespace smem {

std::string shared_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                        const Architecture &architecture, const RequestsOf &requests_of) {
  // What a copy costs, its source decides, too.
  if (!row.shared_example || row.site->access.operation == Operation::AsyncCopy || program.shared_used_elsewhere)
    return {};
  const SharedArray *array = accessed_array(program, *row.site).array;
  if (!array)
    return {};
  return dimensions_of(array->declaration) < 2 ? index_hint(program, row, rows, architecture, requests_of)
                                               : padding_hint(program, row, rows, architecture, requests_of);
}

std::optional<std::int64_t> element_bytes(const SiteRow &row, const Program &program) {
  struct Number {
    std::string_view type;
    std::int64_t bytes;
  };
  constexpr Number kNumbers[] = {{"float", 4},       {"double", 8},         {"int", 4},
                                 {"char", 1},        {"short", 2},          {"long", 8},
                                 {"long long", 8},   {"unsigned int", 4},   {"unsigned", 4},
                                 {"bool", 1},        {"unsigned char", 1},  {"unsigned long", 8},
                                 {"signed char", 1}, {"unsigned short", 2}, {"unsigned long long", 8},
                                 {"__half", 2},      {"half", 2},           {"__nv_bfloat16", 2},
                                 {"nv_bfloat16", 2}, {"int8_t", 1},         {"uint8_t", 1},
                                 {"int16_t", 2},     {"uint16_t", 2},       {"int32_t", 4},
                                 {"uint32_t", 4},    {"int64_t", 8},        {"uint64_t", 8},
                                 {"size_t", 8}};
  const auto parameter = std::ranges::find_if(program.parameters, [&](const Parameter &one) {
    return one.pointer && !one.name.empty() && one.name == row.site->array;
  });
  if (parameter == program.parameters.end())
    return std::nullopt;
  std::string type = parameter->type.substr(0, parameter->type.find('*'));
  for (const std::string_view word : {"const ", "volatile ", "std::"})
    if (const std::size_t at = type.find(word); at != std::string::npos)
      type.erase(at, word.size());
  type.erase(type.find_last_not_of(' ') + 1);
  const auto number = std::ranges::find(kNumbers, type, &Number::type);
  return number == std::end(kNumbers) ? std::nullopt : std::optional(number->bytes);
}

std::string global_hint(const SiteRow &row, const Program &program) {
  if (!row.global_example || row.site->access.operation == Operation::Atomic)
    return {};
  const auto stride = lane_stride(row.global_example->request);
  const std::int64_t width = row.site->access.width_bits / 8;
  if (!stride || *stride <= 2 * width)
    return {};
  if (*stride <= 64)
    return !element_bytes(row, program)
               ? "store the fields in arrays of their own, or stage a tile in shared memory"
               : "let neighbouring lanes access neighbouring elements, or stage a tile in shared memory";
  return "let threadIdx.x run along the contiguous index, or stage a tile in shared memory";
}

} // namespace smem
