// Hopper's own instructions in inline PTX: bulk copies, asynchronous stores to other blocks, matrix products of a warpgroup. What the
// counters show of them: validate/RULES.md.
#include "ir/ptx_lowering.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "ptx/ptx_names.h"
#include "nvcc/ptxas/repeated_products.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

constexpr unsigned kWarpsOfGroup = 4;

/// Bits of an element of wgmma's matrices.
constexpr std::array<std::pair<std::string_view, unsigned>, 10> kElements{{
    {"f16", 16},
    {"bf16", 16},
    {"tf32", 32},
    {"e4m3", 8},
    {"e5m2", 8},
    {"s8", 8},
    {"u8", 8},
    {"b1", 1},
    {"f32", 32},
    {"s32", 32},
}};

/// The number behind `letter` in `m64n128k16`; 0 if there is none.
unsigned extent(std::string_view shape, char letter) {
  const std::size_t at = shape.find(letter);
  unsigned number = 0;
  if (at != std::string_view::npos)
    std::from_chars(shape.data() + at + 1, shape.data() + shape.size(), number);
  return number;
}

/// Bytes of the operands that are in shared memory: B, and A where it is not in registers.
std::optional<std::uint32_t> operand_bytes(const ptx::Instruction &product) {
  const auto shape = std::find_if(product.opcode.begin(), product.opcode.end(),
                                  [](const std::string &part) { return part.starts_with("m64n"); });
  if (shape == product.opcode.end() || product.operands.size() < 3)
    return std::nullopt;
  const unsigned columns = extent(*shape, 'n'), depth = extent(*shape, 'k');
  std::vector<unsigned> bits; // of D, A, B
  for (auto part = shape; part != product.opcode.end(); ++part)
    if (const unsigned *each = ptx::find(kElements, *part))
      bits.push_back(*each);
  if (bits.size() != 3 || columns == 0 || depth == 0)
    return std::nullopt;
  // Of a sparse A only half the elements are there.
  const unsigned a = product.operands[1].kind == Kind::Vector ? 0
                                                              : 64 * depth * bits[1] / 8 / (product.has("sp") ? 2 : 1),
                 b = columns * depth * bits[2] / 8;
  return a + b;
}

} // namespace

bool PtxLowering::lower_bulk_copy(const ptx::Instruction &instruction) {
  Access access;
  access.operation = Operation::BulkCopy;
  access.width_bits = 0;
  without_addresses(instruction, access);
  time_bulk_copy(instruction);
  return true;
}

bool PtxLowering::lower_async_store(const ptx::Instruction &instruction) {
  const auto types = ptx::types_of(instruction);
  if (types.empty() || !instruction.has("shared::cluster"))
    return false;
  Access access;
  access.operation = Operation::Store;
  access.width_bits =
      static_cast<std::uint16_t>(std::min(128u, ptx::type_width(types.back()) * (instruction.has("v4")   ? 4u
                                                                                 : instruction.has("v2") ? 2u
                                                                                                         : 1u)));
  access.uncounted = true;
  without_addresses(instruction, access);
  untimed(instruction.name());
  return true;
}

bool PtxLowering::lower_matrix_multiply(const ptx::Instruction &instruction) {
  const auto bytes = instruction.has("mma_async") ? operand_bytes(instruction) : std::nullopt;
  if (!bytes)
    return false;
  if (may_be_left_out(call_)) {
    not_lowered("a wgmma with the operands of another one, of which ptxas may leave one out", Operation::MatrixMultiply,
                true);
  } else {
    Access access;
    access.operation = Operation::MatrixMultiply;
    access.width_bits = 0;
    access.operand_bytes = *bytes;
    // One product for the four warps: the first stands for them.
    const RegisterId in_group = builder_.bit_and(builder_.special(SpecialRegister::WarpInBlock), kWarpsOfGroup - 1);
    without_addresses(instruction, access, builder_.compare(Opcode::Eq, in_group, builder_.constant(32, 0)));
  }
  unknown_result(instruction, {builder_.special(SpecialRegister::Lane)}, true);
  return true;
}

void PtxLowering::without_addresses(const ptx::Instruction &instruction, const Access &access, RegisterId condition) {
  KernelLowering::Pointer nowhere;
  nowhere.space = AddressSpace::Shared;
  nowhere.address = builder_.constant(64, 0);
  const RegisterId own = guard(instruction);
  const RegisterId predicate = own == kNone         ? condition
                               : condition == kNone ? own
                                                    : builder_.emit(Opcode::And, 1, {own, condition});
  lowering_.memory(call_, nowhere, access).predicate = predicate;
}

} // namespace smem::lower
