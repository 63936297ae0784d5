#include "report/index_hints.h"

#include "report/format.h"
#include "report/lanes.h"
#include "smem/shared_layout.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string_view>

namespace smem {
namespace {

constexpr std::uint64_t kBankBytes = 128; ///< of all banks: what a gap comes after

/// Lanes whose distance doubles from one request to the next, from the array's beginning: `s[2 * k * t]`, or `s[2 * k * t + k]`.
struct Interleaved {
  std::uint64_t base = 0, element = 0;
  std::set<std::uint64_t> strides; ///< in elements

  /// The thread that a lane is, if the request is of that kind.
  std::optional<std::uint64_t> first_thread(const Request &request) {
    const auto lane = static_cast<unsigned>(std::countr_zero(request.active));
    const std::optional<std::int64_t> apart = lane_stride(request);
    if (request.active == 0 || request.address[lane] < base)
      return std::nullopt;
    const std::uint64_t at = request.address[lane] - base;
    if (!apart) // one lane, at any distance from others
      return std::popcount(request.active) == 1 && lane == 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
    const auto stride = static_cast<std::uint64_t>(*apart);
    if (*apart <= 0 || stride % element != 0 || !std::has_single_bit(stride / element) || stride == element)
      return std::nullopt;
    const std::uint64_t within = at % stride, thread = at / stride;
    if ((within != 0 && within != stride / 2) || thread % kWarpSize != lane)
      return std::nullopt;
    strides.insert(stride / element);
    return thread;
  }
};

/// The same lanes side by side.
Request side_by_side(Request request, std::uint64_t first_thread, const Interleaved &of) {
  const auto lane = static_cast<unsigned>(std::countr_zero(request.active));
  for (unsigned i = 0; i < kWarpSize; ++i)
    request.address[i] = of.base + (first_thread + i - lane) * of.element;
  return request;
}

bool cures_sequentially(const SiteRow &row, std::uint64_t base, const std::vector<Request> &requests,
                        const Architecture &architecture) {
  Interleaved found{base, row.site->access.width_bits / 8u, {}};
  for (const Request &request : requests) {
    const std::optional<std::uint64_t> thread = found.first_thread(request);
    if (!thread)
      return false;
    const RequestCost cost = evaluate(side_by_side(request, *thread, found), row.site->access, architecture);
    if (cost.wavefronts > cost.ideal_wavefronts)
      return false;
  }
  // One stride is a layout; of several that double, each is twice the one before.
  std::uint64_t before = 0;
  for (const std::uint64_t stride : found.strides) {
    if (before != 0 && stride != 2 * before)
      return false;
    before = stride;
  }
  return found.strides.size() > 1;
}

/// Of the requests of some accesses to the array.
struct GapCost {
  std::uint64_t now = 0, then = 0; ///< sums
  std::uint32_t worst_now = 0, worst_then = 0;
};

/// With `element` bytes left free after each kBankBytes.
void add_gaps(GapCost &sum, const SiteRow &row, const std::vector<Request> &requests, std::uint64_t base,
              std::uint64_t element, const Architecture &architecture) {
  for (Request request : requests) {
    const std::uint32_t now = evaluate(request, row.site->access, architecture).wavefronts;
    for (std::uint64_t &address : request.address)
      if (address >= base)
        address += (address - base) / kBankBytes * element;
    const std::uint32_t then = evaluate(request, row.site->access, architecture).wavefronts;
    sum.now += now;
    sum.then += then;
    sum.worst_now = std::max(sum.worst_now, now);
    sum.worst_then = std::max(sum.worst_then, then);
  }
}

/// Not of lanes that update one word, which no layout takes apart.
bool is_plain(const SiteRow &row, const std::vector<Request> &requests, const Architecture &architecture) {
  return std::ranges::all_of(requests, [&](const Request &request) {
    return serial_wavefronts(request, row.site->access, architecture) == 0;
  });
}

/// `name[i]`, or an atomic's `&name[i]`, and no field or row of it: what is accessed is an element of the array as it is declared.
bool is_element(const Site &site, const std::string &name) {
  std::string_view text = site.expression;
  const bool atomic = site.access.operation == Operation::Atomic;
  const std::size_t begin = text.find((atomic ? "(&" : "") + name + "[");
  if (begin == std::string_view::npos || (!atomic && begin != 0))
    return false;
  text.remove_prefix(begin);
  int depth = 0;
  for (std::size_t at = text.find('['); at < text.size(); ++at) {
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (depth == 0)
      return atomic ? text.substr(at + 1).starts_with(',') || text.substr(at + 1).starts_with(')')
                    : at + 1 == text.size();
  }
  return false;
}

} // namespace

AccessedArray accessed_array(const Program &program, const Site &site) {
  for (std::size_t i = 0; i < program.shared_arrays.size(); ++i) {
    const SharedArray &array = program.shared_arrays[i];
    if ((!site.array.empty() && array.name == site.array) ||
        (site.array_location.known() && array.location == site.array_location))
      return {&array, i};
  }
  return {};
}

std::string index_hint(const Program &program, const SiteRow &row, std::span<const SiteRow> rows,
                       const Architecture &architecture, const RequestsOf &requests_of) {
  const AccessedArray own = accessed_array(program, *row.site);
  const std::uint64_t element = row.site->access.width_bits / 8u;
  const Operation operation = row.site->access.operation;
  if (!own.array || (element != 4 && element != 8) ||
      (operation != Operation::Load && operation != Operation::Store && operation != Operation::Atomic))
    return {};
  const std::uint64_t base = layout_shared(program.shared_arrays, architecture).offset[own.index];
  const std::vector<Request> requests = requests_of(row);
  if (requests.empty() || !is_plain(row, requests, architecture))
    return {};
  const std::string name = own.array->name;
  if (operation != Operation::Atomic && cures_sequentially(row, base, requests, architecture))
    return "sequential addressing, `" + name + "[t]` with `" + name +
           "[t + k]` for t < k and k halved each time, makes it 1 wavefront";

  GapCost own_cost, all;
  add_gaps(own_cost, row, requests, base, element, architecture);
  for (const SiteRow &other : rows) {
    if (!other.moves_shared)
      continue;
    const AccessedArray accessed = accessed_array(program, *other.site);
    const bool same = accessed.array == own.array;
    if (!accessed.array ||
        (same && (other.site->access.width_bits / 8u != element || !is_element(*other.site, own.array->name))))
      return {}; // what a gap does to it is not known
    if (!same)
      continue;
    const std::vector<Request> its = requests_of(other);
    if (its.empty() && other.counts.requests != 0)
      return {};
    add_gaps(all, other, its, base, element, architecture);
  }
  if (own_cost.worst_then * 2 > own_cost.worst_now || all.then >= all.now)
    return {};
  const std::string every = std::to_string(kBankBytes / element);
  return "a gap after each " + every + " elements, `" + name + "[i + i / " + every + "]` in an array longer by 1/" +
         every + ", makes it " + plural(own_cost.worst_then, "wavefront") +
         (own_cost.worst_then == 1 ? "" : " at most");
}

} // namespace smem
