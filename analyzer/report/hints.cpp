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

namespace {

/// The access is of an array of numbers, not of structures: by the type of the kernel's parameter that has its name.
bool is_of_numbers(const SiteRow &row, const Program &program) {
  constexpr std::string_view kNumbers[] = {
      "float",         "double",        "int",           "char",           "short",
      "long",          "long long",     "unsigned int",  "unsigned",       "bool",
      "unsigned char", "unsigned long", "signed char",   "unsigned short", "unsigned long long",
      "__half",        "half",          "__nv_bfloat16", "nv_bfloat16",    "int8_t",
      "uint8_t",       "int16_t",       "uint16_t",      "int32_t",        "uint32_t",
      "int64_t",       "uint64_t",      "size_t"};
  const auto parameter = std::ranges::find_if(program.parameters, [&](const Parameter &one) {
    return one.pointer && !one.name.empty() && one.name == row.site->array;
  });
  if (parameter == program.parameters.end())
    return false;
  std::string type = parameter->type.substr(0, parameter->type.find('*'));
  for (const std::string_view word : {"const ", "volatile ", "std::"})
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
