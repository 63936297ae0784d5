// Warp matrix fragments (wmma): which words each lane moves. Read off the machine code of all shapes, types and layouts
// (CUDA 13.0, sm_90): fragments are made of blocks of 8 lines of 16 bytes, the operands' shape in mma.sync.
#include "ir/kernel_lowering.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>

namespace smem::lower {
namespace {

constexpr std::uint8_t kRowBytes = 16; ///< rows are multiples of it, by the PTX manual

struct Element {
  unsigned bytes = 0;
  bool by_ldmatrix = false; ///< operands of the type come from shared memory by ldmatrix
};

Element element_of(llvm::StringRef type) {
  return llvm::StringSwitch<Element>(type)
      .Case("f16", {2, true})
      .Case("bf16", {2, false})
      .Cases("s8", "u8", {1, true})
      .Cases("f32", "s32", "tf32", {4, false})
      .Case("f64", {8, false})
      .Default({});
}

/// A fragment as it lies in memory: `lines` lines of `length` neighbouring elements.
struct Fragment {
  unsigned lines = 0, length = 0;
  Element element;
  bool operand = false; ///< of a or b, not of an accumulator
  bool along = false;   ///< a lane's elements are neighbours in memory; else they lie in lines of their own
};

/// `m16n16k16.load.a.row.stride.f16.p0` behind `llvm.nvvm.wmma.`.
std::optional<Fragment> fragment_of(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  if (words.size() < 6 || words[4] != "stride")
    return std::nullopt;
  unsigned m = 0, n = 0, k = 0;
  llvm::StringRef shape = words[0];
  if (!shape.consume_front("m") || shape.consumeInteger(10, m) || !shape.consume_front("n") ||
      shape.consumeInteger(10, n) || !shape.consume_front("k") || shape.consumeInteger(10, k))
    return std::nullopt;
  const char use = words[2][0];
  const bool row_major = words[3] == "row";
  Fragment result;
  result.element = element_of(words[5]);
  result.operand = use == 'a' || use == 'b';
  const unsigned rows = use == 'b' ? k : m, columns = use == 'a' ? k : n;
  result.lines = row_major ? rows : columns;
  result.length = row_major ? columns : rows;
  // Lanes hold neighbours along k, and along the rows of C; of m8n32 the transposed product is computed.
  const bool natural = use == 'a' ? row_major : use == 'b' ? !row_major : row_major == (m != 8 || n != 32);
  // Words of two 16-bit elements are moved as they lie and transposed in registers.
  result.along = natural || result.element.bytes == 2;
  const bool known = result.element.bytes && result.lines % 4 == 0 && result.length % 4 == 0;
  return known ? std::optional(result) : std::nullopt;
}

} // namespace

bool KernelLowering::lower_matrix_intrinsic(const llvm::IntrinsicInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm.wmma.") || (!name.contains(".load.") && !name.contains(".store.")))
    return false;
  const std::optional<Fragment> fragment = fragment_of(name);
  if (!fragment)
    return false;
  const bool store = name.contains(".store.");
  const Pointer to = pointer(call.getArgOperand(0));
  const unsigned size = fragment->element.bytes;
  const RegisterId stride = builder_.resize(scalar(call.getArgOperand(call.arg_size() - 1)), 64, true); // in elements
  const RegisterId line_bytes = builder_.mul(stride, size);
  const RegisterId lane = builder_.resize(builder_.special(SpecialRegister::Lane), 64, false);
  const auto constant = [&](std::uint64_t number) { return builder_.constant(64, static_cast<std::int64_t>(number)); };
  const auto at = [&](RegisterId line, RegisterId byte) {
    Pointer result = to;
    result.address = builder_.add(builder_.add(to.address, byte), builder_.emit(Opcode::Mul, 64, {line, line_bytes}));
    return result;
  };
  const auto plus = [&](RegisterId value, std::uint64_t more) {
    return builder_.add(value, static_cast<std::int64_t>(more));
  };
  const auto scaled = [&](RegisterId value, std::uint64_t factor) {
    return builder_.mul(value, static_cast<std::int64_t>(factor));
  };
  const unsigned line_of_bytes = fragment->length * size;

  if (!store && fragment->operand && fragment->element.by_ldmatrix && fragment->along &&
      to.space == AddressSpace::Shared) {
    const unsigned down = std::min(fragment->lines / 8, 2u), across = std::min(line_of_bytes / 16, 2u);
    const RegisterId row = builder_.bit_and(lane, 7), matrix = builder_.emit(Opcode::LShr, 64, {lane, constant(3)});
    const RegisterId below = builder_.bit_and(matrix, down - 1);
    const RegisterId beside =
        builder_.bit_and(down == 2 ? builder_.emit(Opcode::LShr, 64, {matrix, constant(1)}) : matrix, across - 1);
    for (unsigned line = 0; line < fragment->lines; line += 8 * down)
      for (unsigned byte = 0; byte < line_of_bytes; byte += 16 * across) {
        Access access;
        access.operation = Operation::MatrixLoad;
        access.width_bits = 128;
        access.matrices = static_cast<std::uint8_t>(down * across);
        access.transposed = name.contains(".load.a.col.") || name.contains(".load.b.row.");
        memory(call, at(plus(builder_.add(row, scaled(below, 8)), line), plus(scaled(beside, 16), byte)), access)
            .row_bytes = kRowBytes;
      }
  } else {
    // Eight groups of four lanes: a group is a line, its lanes neighbours in it; or the other way about.
    const RegisterId group = builder_.emit(Opcode::LShr, 64, {lane, constant(2)}), member = builder_.bit_and(lane, 3);
    // Bytes that a lane holds of a block. Words of 32 bits, but for the pairs of wider accumulators.
    const unsigned held = fragment->operand ? std::max(4u, size) : std::max(4u, 2 * size);
    const unsigned elements = held / size;
    const unsigned width = fragment->along ? held : size;
    const unsigned lines_of_block = fragment->along ? 8 : 4 * elements,
                   bytes_of_block = fragment->along ? 4 * held : 8 * size;
    for (unsigned line = 0; line < fragment->lines; line += lines_of_block)
      for (unsigned byte = 0; byte < line_of_bytes; byte += bytes_of_block)
        for (unsigned part = 0; part < (fragment->along ? 1 : elements); ++part) {
          Access access;
          access.operation = store ? Operation::Store : Operation::Load;
          access.width_bits = static_cast<std::uint16_t>(8 * width);
          const Pointer here = fragment->along
                                   ? at(plus(group, line), plus(scaled(member, held), byte))
                                   : at(plus(scaled(member, elements), line + part), plus(scaled(group, size), byte));
          MemoryOperation &operation = memory(call, here, access);
          operation.row_bytes = kRowBytes;
          if (store)
            for (unsigned done = 0; done < width; done += 8)
              operation.parts.push_back(
                  {static_cast<std::uint16_t>(done), static_cast<std::uint8_t>(8 * std::min(width, 8u)), kNone});
        }
  }
  if (!call.getType()->isVoidTy()) {
    Registers result;
    for (std::uint8_t bits : widths(call.getType()))
      result.push_back(builder_.opaque_event(bits, "element of a matrix from memory" + at_line(call),
                                             {builder_.special(SpecialRegister::Lane)}));
    define(call, std::move(result));
  }
  return true;
}

} // namespace smem::lower
