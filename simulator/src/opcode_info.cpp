#include "opcode_info.h"

#include <array>
#include <cstddef>

namespace smem {
namespace {

/// Indexed by Opcode, in its order.
constexpr std::array kOpcodes{
    OpcodeInfo{"constant", Shape::Leaf, 0},
    OpcodeInfo{"special", Shape::Leaf, 0},
    OpcodeInfo{"argument", Shape::Leaf, 0},
    OpcodeInfo{"shared_address", Shape::Leaf, 0},
    OpcodeInfo{"local_address", Shape::Leaf, 0},
    OpcodeInfo{"global_address", Shape::Leaf, 0},
    OpcodeInfo{"undefined", Shape::Leaf, 0},
    OpcodeInfo{"add", Shape::Same, 2},
    OpcodeInfo{"sub", Shape::Same, 2},
    OpcodeInfo{"mul", Shape::Same, 2},
    OpcodeInfo{"udiv", Shape::Same, 2},
    OpcodeInfo{"sdiv", Shape::Same, 2},
    OpcodeInfo{"urem", Shape::Same, 2},
    OpcodeInfo{"srem", Shape::Same, 2},
    OpcodeInfo{"shl", Shape::Same, 2},
    OpcodeInfo{"lshr", Shape::Same, 2},
    OpcodeInfo{"ashr", Shape::Same, 2},
    OpcodeInfo{"and", Shape::Same, 2},
    OpcodeInfo{"or", Shape::Same, 2},
    OpcodeInfo{"xor", Shape::Same, 2},
    OpcodeInfo{"umin", Shape::Same, 2},
    OpcodeInfo{"umax", Shape::Same, 2},
    OpcodeInfo{"smin", Shape::Same, 2},
    OpcodeInfo{"smax", Shape::Same, 2},
    OpcodeInfo{"umulhigh", Shape::Same, 2},
    OpcodeInfo{"smulhigh", Shape::Same, 2},
    OpcodeInfo{"popcount", Shape::Same, 1},
    OpcodeInfo{"clz", Shape::Same, 1},
    OpcodeInfo{"ctz", Shape::Same, 1},
    OpcodeInfo{"reverse_bits", Shape::Same, 1},
    OpcodeInfo{"reverse_bytes", Shape::Same, 1},
    OpcodeInfo{"funnel_left", Shape::Shift3, 3},
    OpcodeInfo{"funnel_right", Shape::Shift3, 3},
    OpcodeInfo{"trunc", Shape::Narrow, 1},
    OpcodeInfo{"zext", Shape::Widen, 1},
    OpcodeInfo{"sext", Shape::Widen, 1},
    OpcodeInfo{"eq", Shape::Compare, 2},
    OpcodeInfo{"ne", Shape::Compare, 2},
    OpcodeInfo{"ult", Shape::Compare, 2},
    OpcodeInfo{"ule", Shape::Compare, 2},
    OpcodeInfo{"slt", Shape::Compare, 2},
    OpcodeInfo{"sle", Shape::Compare, 2},
    OpcodeInfo{"select", Shape::SelectOf, 3},
    OpcodeInfo{"shared_to_generic", Shape::Same, 1},
    OpcodeInfo{"generic_to_shared", Shape::Same, 1},
    OpcodeInfo{"map_to_other_block", Shape::Place, 2},
    OpcodeInfo{"fadd", Shape::Same, 2},
    OpcodeInfo{"fsub", Shape::Same, 2},
    OpcodeInfo{"fmul", Shape::Same, 2},
    OpcodeInfo{"fdiv", Shape::Same, 2},
    OpcodeInfo{"frem", Shape::Same, 2},
    OpcodeInfo{"fmin", Shape::Same, 2},
    OpcodeInfo{"fmax", Shape::Same, 2},
    OpcodeInfo{"ffma", Shape::Same, 3},
    OpcodeInfo{"fsqrt", Shape::Same, 1},
    OpcodeInfo{"fround", Shape::Same, 1},
    OpcodeInfo{"feq", Shape::Compare, 2},
    OpcodeInfo{"fne", Shape::Compare, 2},
    OpcodeInfo{"flt", Shape::Compare, 2},
    OpcodeInfo{"fle", Shape::Compare, 2},
    OpcodeInfo{"ftos", Shape::Convert, 1},
    OpcodeInfo{"ftou", Shape::Convert, 1},
    OpcodeInfo{"stof", Shape::Convert, 1},
    OpcodeInfo{"utof", Shape::Convert, 1},
    OpcodeInfo{"fresize", Shape::Convert, 1},
    OpcodeInfo{"agree", Shape::Same, kAnyNumber},
    OpcodeInfo{"shuffle", Shape::Exchange, 3},
    OpcodeInfo{"shuffle_ok", Shape::ExchangeOk, 3},
    OpcodeInfo{"ballot", Shape::Vote, 2},
    OpcodeInfo{"vote_all", Shape::Vote, 2},
    OpcodeInfo{"vote_any", Shape::Vote, 2},
    OpcodeInfo{"vote_uniform", Shape::Vote, 2},
    OpcodeInfo{"match_any", Shape::Match, 2},
    OpcodeInfo{"match_all", Shape::Match, 2},
    OpcodeInfo{"reduce", Shape::Same, 2},
    OpcodeInfo{"active_mask", Shape::Leaf, 0},
    OpcodeInfo{"opaque", Shape::Free, kAnyNumber},
    OpcodeInfo{"memory", Shape::Effect, 0},
    OpcodeInfo{"barrier", Shape::Effect, kAnyNumber},
    OpcodeInfo{"warp_barrier", Shape::Effect, 0},
    OpcodeInfo{"barrier_arrive", Shape::Effect, 2},
    OpcodeInfo{"fence", Shape::Effect, 0},
    OpcodeInfo{"copy_commit", Shape::Effect, 0},
    OpcodeInfo{"copy_wait", Shape::Effect, 0},
    OpcodeInfo{"bulk_commit", Shape::Effect, 0},
    OpcodeInfo{"bulk_wait", Shape::Effect, 0},
    OpcodeInfo{"mbarrier", Shape::Free, kAnyNumber},
    OpcodeInfo{"bulk_copy", Shape::Effect, 4},
    OpcodeInfo{"warp_members", Shape::Effect, 1},
};
static_assert(kOpcodes.size() == static_cast<std::size_t>(Opcode::WarpMembers) + 1);

constexpr std::array<std::string_view, 22> kSpecialNames{
    "threadIdx.x", "threadIdx.y", "threadIdx.z",       "blockIdx.x",     "blockIdx.y",  "blockIdx.z",
    "blockDim.x",  "blockDim.y",  "blockDim.z",        "gridDim.x",      "gridDim.y",   "gridDim.z",
    "laneid",      "warpid",      "warpSize",          "lanemask_lt",    "lanemask_le", "lanemask_eq",
    "lanemask_ge", "lanemask_gt", "dynamic_smem_size", "total_smem_size"};
static_assert(kSpecialNames.size() == static_cast<std::size_t>(SpecialRegister::TotalSharedSize) + 1);

} // namespace

const OpcodeInfo *find_info(std::int64_t opcode) {
  return static_cast<std::uint64_t>(opcode) < kOpcodes.size() ? &kOpcodes[static_cast<std::size_t>(opcode)] : nullptr;
}

const OpcodeInfo &info(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }

bool is_floating(Opcode opcode) { return opcode >= Opcode::FAdd && opcode <= Opcode::FResize; }

std::string_view name_of_special(std::int64_t special) {
  return static_cast<std::uint64_t>(special) < kSpecialNames.size() ? kSpecialNames[static_cast<std::size_t>(special)]
                                                                    : std::string_view{};
}

} // namespace smem
