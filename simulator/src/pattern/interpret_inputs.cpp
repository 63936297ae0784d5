#include <algorithm>

#include "interpreter.h"

namespace smem::pattern {

Value Interpreter::launch_constant(const std::string &name, unsigned width, std::int64_t scale, std::int64_t least,
                                   std::optional<std::int64_t> most) {
  Quantity q;
  q.key = q.name = name;
  q.least = least;
  q.most = most;
  const Value one = domain().symbol(std::move(q), 64, mask_);
  return domain().resize(Opcode::Truncate, domain().multiply(one, make_uniform(scale, 64, mask_), mask_), width, {},
                         mask_);
}

Value Interpreter::special(const Instruction &i) {
  const auto which = static_cast<SpecialRegister>(i.immediate);
  const unsigned w = i.width;
  const unsigned rows = shape_ == BlockShape::Rows16  ? 16
                        : shape_ == BlockShape::Rows8 ? 8
                        : shape_ == BlockShape::Rows4 ? 4
                                                      : 0;
  const auto constant = [&](std::int64_t value) { return make_uniform(value, w, mask_); };
  const auto unknown_shape = [&] {
    return domain().unknown(w, mask_, other("lanes are laid out in the block in a way that is not known"));
  };
  switch (which) {
  case SpecialRegister::ThreadX:
    if (shape_ == BlockShape::Other)
      return unknown_shape();
    if (rows)
      return by_lane(w, [&](unsigned lane) { return lane % rows; });
    return domain().add(by_lane(w, [](unsigned lane) { return lane; }),
                        launch_constant("threadIdx.x / 32", w, 32, 0, 31), 1, mask_);
  case SpecialRegister::ThreadY:
    if (shape_ == BlockShape::Other)
      return unknown_shape();
    if (shape_ == BlockShape::Line)
      return constant(0);
    if (rows)
      return domain().add(by_lane(w, [&](unsigned lane) { return lane / rows; }),
                          launch_constant("threadIdx.y / " + std::to_string(32 / rows), w, 32 / rows, 0, 31), 1, mask_);
    return launch_constant("threadIdx.y", w, 1, 0, 1023);
  case SpecialRegister::ThreadZ:
    if (shape_ == BlockShape::Other)
      return unknown_shape();
    if (shape_ == BlockShape::Line)
      return constant(0);
    return launch_constant("threadIdx.z", w, 1, 0, 63);
  case SpecialRegister::BlockX: return launch_constant("blockIdx.x", w, 1, 0, INT32_MAX);
  case SpecialRegister::BlockY: return launch_constant("blockIdx.y", w, 1, 0, 65535);
  case SpecialRegister::BlockZ: return launch_constant("blockIdx.z", w, 1, 0, 65535);
  case SpecialRegister::BlockDimX:
    if (rows)
      return constant(rows);
    if (shape_ == BlockShape::WholeWarps)
      return launch_constant("blockDim.x / 32", w, 32, 1, 32);
    return launch_constant("blockDim.x", w, 1, 1, 1024);
  case SpecialRegister::BlockDimY:
    if (shape_ == BlockShape::Line)
      return constant(1);
    if (rows)
      return launch_constant("blockDim.y / " + std::to_string(32 / rows), w, 32 / rows, 1, 32);
    return launch_constant("blockDim.y", w, 1, 1, 1024);
  case SpecialRegister::BlockDimZ:
    return shape_ == BlockShape::Line ? constant(1) : launch_constant("blockDim.z", w, 1, 1, 64);
  case SpecialRegister::GridDimX: return launch_constant("gridDim.x", w, 1, 1, INT32_MAX);
  case SpecialRegister::GridDimY: return launch_constant("gridDim.y", w, 1, 1, 65535);
  case SpecialRegister::GridDimZ: return launch_constant("gridDim.z", w, 1, 1, 65535);
  case SpecialRegister::Lane: return by_lane(w, [](unsigned lane) { return lane; });
  case SpecialRegister::WarpInBlock: return launch_constant("the warp", w, 1, 0, 31);
  case SpecialRegister::WarpSize: return constant(kWarpSize);
  case SpecialRegister::LaneMaskLt: return by_lane(w, [](unsigned lane) { return (1u << lane) - 1; });
  case SpecialRegister::LaneMaskLe: return by_lane(w, [](unsigned lane) { return (std::uint64_t{2} << lane) - 1; });
  case SpecialRegister::LaneMaskEq: return by_lane(w, [](unsigned lane) { return 1u << lane; });
  case SpecialRegister::LaneMaskGe: return by_lane(w, [](unsigned lane) { return ~((1u << lane) - 1); });
  case SpecialRegister::LaneMaskGt:
    return by_lane(w, [](unsigned lane) { return ~static_cast<std::uint32_t>((std::uint64_t{2} << lane) - 1); });
  case SpecialRegister::DynamicSharedSize:
    return launch_constant("the size of dynamic shared memory", w, 1, 0, 1 << 20);
  case SpecialRegister::TotalSharedSize: return launch_constant("the size of shared memory", w, 1, 0, 1 << 20);
  }
  return domain().unknown(w, mask_, other("a special register"));
}

namespace {

/// All of a parameter of so many bytes; a condition is one bit of a byte.
bool is_whole(std::uint64_t bytes, unsigned bits) { return bytes * 8 == bits || (bytes == 1 && bits == 1); }

} // namespace

Value Interpreter::argument(const Instruction &i) {
  Quantity q;
  q.argument = i.index;
  q.offset = static_cast<std::uint64_t>(i.immediate);
  q.width = i.width;
  q.key = "a" + std::to_string(i.index) + "+" + std::to_string(i.immediate) + ":" + std::to_string(i.width);
  if (i.index < program_.parameters.size()) {
    const Parameter &parameter = program_.parameters[i.index];
    if (is_whole(parameter.size, i.width)) {
      q.name = parameter.name;
      if (parameter.pointer)
        q.memory = Quantity::Memory::Global;
    }
    for (const ParameterMember &member : parameter.members)
      if (member.offset == q.offset && is_whole(member.size, i.width)) {
        q.name = member.name;
        if (member.pointer)
          q.memory = Quantity::Memory::Global;
      }
  }
  if (i.width == 1)
    q.least = 0, q.most = 1;
  const auto fact = std::ranges::find_if(facts_, [&](const ParameterFact &one) {
    return one.index == i.index && one.offset == q.offset && one.width == i.width;
  });
  if (fact == facts_.end() || q.memory != Quantity::Memory::None)
    return domain().symbol(std::move(q), i.width, mask_);
  return of_facts(fact->facts, std::move(q), i.width);
}

Value Interpreter::of_facts(const ArgumentFacts &facts, Quantity q, unsigned width) {
  if (facts.least && facts.least == facts.most)
    return make_uniform(canonical(*facts.least, width), width, mask_);
  constexpr std::int64_t kMostScale = 1024; // banks, sectors and lines repeat after less
  const std::int64_t scale = facts.remainder ? 1 : std::min(facts.modulus & -facts.modulus, kMostScale);
  q.least = facts.least;
  q.most = facts.most;
  q.key += "!" + to_string(facts, "");
  if (scale == 1) {
    q.modulus = facts.modulus;
    q.remainder = facts.remainder;
    return domain().symbol(std::move(q), width, mask_);
  }
  q.scale = scale;
  q.piece = q.name;
  if (!q.name.empty())
    q.name += " / " + std::to_string(scale);
  if (q.least)
    q.least = floor_of(*q.least + scale - 1, scale);
  if (q.most)
    q.most = floor_of(*q.most, scale);
  const Value times = domain().symbol(std::move(q), 64, mask_);
  return domain().resize(Opcode::Truncate, domain().multiply(times, make_uniform(scale, 64, mask_), mask_), width, {},
                         mask_);
}

Value Interpreter::window(const std::string &key, const std::string &name, Quantity::Memory memory,
                          std::uint64_t alignment, unsigned width) {
  Quantity q;
  q.key = key;
  q.name = name;
  q.memory = memory;
  q.least = 0;
  const Value base = domain().symbol(std::move(q), width, mask_);
  return domain().multiply(base, make_uniform(static_cast<std::int64_t>(alignment & (~alignment + 1)), width, mask_),
                           mask_);
}

} // namespace smem::pattern
