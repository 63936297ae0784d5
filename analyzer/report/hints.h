// Obvious repairs, each tried on the request that they are to repair before anyone reads of them.
#pragma once

#include "report/site_rows.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smem {

/// The requests of a row that are known one by one, which may be none.
using RequestsOf = std::function<std::vector<Request>(const SiteRow &)>;

/// E.g. "pad the rows: `float tile[32][33]` takes 1 wavefront here"; empty where nothing obvious helps the costliest request and all of
/// `requests_of`. `rows`: all of the program.
std::string shared_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                        const Architecture &architecture, const RequestsOf &requests_of);
std::string global_hint(const SiteRow &row, const Program &program);

/// Of an array of numbers, not of structures: how many bytes each has, by the type of the kernel's parameter that has the array's name.
std::optional<std::int64_t> element_bytes(const SiteRow &row, const Program &program);

} // namespace smem
