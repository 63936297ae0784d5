// Floating-point arithmetic of a kernel: which roundings it may have, by the compiler's options and by what the compiler may fuse.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/program_builder.h"

namespace llvm {
class Function;
class PHINode;
} // namespace llvm

namespace smem::lower {

/// A product and the sum behind it become one instruction that rounds once: nvcc's first half does so for most products of one use, ptxas for
/// some of the rest. A sum has all the values that this leaves, and is known where they agree; what is computed from it is, where
/// it is the same for all of them.
class FloatLowering {
public:
  FloatLowering(ProgramBuilder &builder, const llvm::Function &kernel);

  bool flushes() const { return flushes_; }
  /// An operation that neither fuses nor is approximated.
  RegisterId emit(Opcode opcode, std::uint8_t width, const std::vector<RegisterId> &operands,
                  Rounding rounding = Rounding::NearestEven);
  RegisterId compare(Opcode opcode, RegisterId a, RegisterId b) { return emit(opcode, 1, {a, b}); }
  /// `contracts`: the compiler may fuse it with the sum behind it.
  RegisterId multiply(RegisterId a, RegisterId b, bool contracts);
  RegisterId add(RegisterId a, RegisterId b, bool contracts, const std::string &where);
  RegisterId subtract(RegisterId a, RegisterId b, bool contracts, const std::string &where);
  RegisterId divide(RegisterId a, RegisterId b);
  RegisterId square_root(RegisterId a);
  RegisterId remainder(RegisterId a, RegisterId b);
  RegisterId negate(RegisterId a);
  RegisterId absolute(RegisterId a);
  RegisterId select(RegisterId condition, RegisterId yes, RegisterId no);

  /// The register of a value that comes in on several ways: a product among them may be fused on its way.
  void note(const llvm::PHINode &phi, RegisterId value);

private:
  /// What is known of a register as a summand.
  struct Note {
    enum class Kind { Product, Choice, Blurred } kind = Kind::Product;
    RegisterId a = kNone, b = kNone, condition = kNone;
  };
  using Registers = std::vector<RegisterId>;
  struct Alternatives {
    Registers values;
    std::string where; ///< of the sum, for reasons
  };

  RegisterId plain(Opcode opcode, std::uint8_t width, const Registers &operands,
                   Rounding rounding = Rounding::NearestEven);
  RegisterId flipped(RegisterId a);
  Registers alternatives(RegisterId value) const;
  const Note *note_of(RegisterId value) const;
  /// value + summand, rounded once, where value is a product.
  std::optional<RegisterId> fused(RegisterId value, RegisterId summand);
  /// make(operands) for every way in which the operands may have come about. What counts is discrete where they are compared or made whole.
  template <typename F>
  RegisterId of_alternatives(const Registers &operands, bool discrete, F &&make, std::string where = {});
  RegisterId agreed(Registers values, bool discrete, const std::string &where);

  ProgramBuilder &builder_;
  bool flushes_, approximates_division_, approximates_root_;
  std::map<RegisterId, Alternatives> alternatives_;
  std::map<RegisterId, Note> notes_;
};

} // namespace smem::lower
