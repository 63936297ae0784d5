#include "smem/architecture.h"

#include <algorithm>
#include <array>
#include <string>

namespace smem {
namespace {

constexpr std::uint32_t kKiB = 1024;

constexpr MemoryRules rules_measured_on_sm90() {
  using enum AtomicRule;
  MemoryRules rules;
  rules.pair_merge = PairMerge::EqualNeighbours;
  rules.shared_atomics = {Unknown, SerialiseEqualAddresses, MergeEqualAddresses, SerialiseEqualAddresses, SerialiseEqualAddresses,
                          SerialiseEqualAddresses, SerialiseEqualAddresses, SerialiseEqualAddresses, SerialiseEqualAddresses,
                          SerialiseEqualAddresses, SerialiseEqualAddresses, SerialiseEqualAddresses, Unknown, Unknown};
  return rules;
}

constexpr Architecture make(std::string_view name, std::uint16_t compute, Capacity capacity, std::uint32_t threads_per_sm,
                            std::uint32_t blocks_per_sm, Evidence evidence, std::string_view text) {
  return {
      .name = name,
      .compute = compute,
      .banks = 32,
      .bank_bytes = 4,
      .sector_bytes = 32,
      .line_bytes = 128,
      .max_threads_per_block = 1024,
      .max_threads_per_sm = threads_per_sm,
      .max_blocks_per_sm = blocks_per_sm,
      .capacity = capacity,
      .async_copy = compute >= 80,
      .matrix_load = compute >= 75,
      .matrix_store = compute >= 90,
      .rules = rules_measured_on_sm90(),
      .wavefront_evidence = evidence,
      .evidence = text,
  };
}

constexpr std::array kArchitectures{
    make("sm_70", 70, {128 * kKiB, 96 * kKiB, 96 * kKiB, 48 * kKiB, 0}, 2048, 32, Evidence::Inferred, "carried over from sm_90"),
    make("sm_75", 75, {96 * kKiB, 64 * kKiB, 64 * kKiB, 48 * kKiB, 0}, 1024, 16, Evidence::Inferred, "carried over from sm_90"),
    make("sm_80", 80, {192 * kKiB, 164 * kKiB, 163 * kKiB, 48 * kKiB, kKiB}, 2048, 32, Evidence::Inferred, "carried over from sm_90"),
    make("sm_86", 86, {128 * kKiB, 100 * kKiB, 99 * kKiB, 48 * kKiB, kKiB}, 1536, 16, Evidence::Inferred, "carried over from sm_90"),
    make("sm_89", 89, {128 * kKiB, 100 * kKiB, 99 * kKiB, 48 * kKiB, kKiB}, 1536, 24, Evidence::Inferred, "carried over from sm_90"),
    make("sm_90", 90, {256 * kKiB, 228 * kKiB, 227 * kKiB, 48 * kKiB, kKiB}, 2048, 32, Evidence::Measured, "measured on H200"),
    make("sm_100", 100, {256 * kKiB, 228 * kKiB, 227 * kKiB, 48 * kKiB, kKiB}, 2048, 32, Evidence::Inferred, "carried over from sm_90"),
    make("sm_120", 120, {128 * kKiB, 100 * kKiB, 99 * kKiB, 48 * kKiB, kKiB}, 1536, 24, Evidence::Inferred, "carried over from sm_90"),
};

bool consume(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

} // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

const Architecture *find_architecture(std::string_view name) {
  std::string digits;
  if (consume(name, "sm_") || consume(name, "compute_")) {
    if (name.ends_with('a') || name.ends_with('f'))
      name.remove_suffix(1);
    digits = name;
  } else if (const auto dot = name.find('.'); dot != std::string_view::npos) {
    if (dot == 0 || name.size() != dot + 2)
      return nullptr;
    digits = std::string(name.substr(0, dot)) + name[dot + 1];
  } else {
    digits = name;
  }
  const auto found = std::ranges::find_if(
      kArchitectures, [&](const Architecture &architecture) { return digits == std::to_string(architecture.compute); });
  return found == kArchitectures.end() ? nullptr : &*found;
}

} // namespace smem
