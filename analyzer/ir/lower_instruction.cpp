// Computations: IR instructions and constant expressions -> register operations.
#include "ir/kernel_lowering.h"
#include "nvcc/facts/machine.h"

#include <array>
#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

namespace smem::lower {
namespace {

/// A vector is searched for an element at a variable index by comparisons; larger ones are given up.
constexpr unsigned kLargestDynamicVector = 16;

std::optional<Opcode> binary_opcode(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::Add: return Opcode::Add;
  case llvm::Instruction::Sub: return Opcode::Sub;
  case llvm::Instruction::Mul: return Opcode::Mul;
  case llvm::Instruction::UDiv: return Opcode::UDiv;
  case llvm::Instruction::SDiv: return Opcode::SDiv;
  case llvm::Instruction::URem: return Opcode::URem;
  case llvm::Instruction::SRem: return Opcode::SRem;
  case llvm::Instruction::Shl: return Opcode::Shl;
  case llvm::Instruction::LShr: return Opcode::LShr;
  case llvm::Instruction::AShr: return Opcode::AShr;
  case llvm::Instruction::And: return Opcode::And;
  case llvm::Instruction::Or: return Opcode::Or;
  case llvm::Instruction::Xor: return Opcode::Xor;
  default: return std::nullopt;
  }
}

/// The floating-point operations exist for 32 and 64 bits.
bool has_float_width(std::uint8_t width) { return width == 32 || width == 64; }

bool is_wide(const llvm::Type *type) { return type->isIntegerTy() && type->getIntegerBitWidth() > 64; }

/// Where element `index` of an aggregate starts among its components.
std::size_t first_component(llvm::Type *&type, llvm::ArrayRef<unsigned> indices) {
  std::size_t at = 0;
  for (unsigned index : indices) {
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i)
        at += component_count(structure->getElementType(i));
      type = structure->getElementType(index);
    } else {
      type = llvm::cast<llvm::ArrayType>(type)->getElementType();
      at += index * component_count(type);
    }
  }
  return at;
}

} // namespace

void KernelLowering::lower_instruction(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return lower_load(*load);
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return lower_store(*store);
  if (const auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return lower_atomic(*atomic);
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return lower_compare_exchange(*exchange);
  if (const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return lower_alloca(*alloca);
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return lower_call(*call);
  if (llvm::isa<llvm::FenceInst>(instruction))
    return;
  if (const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return define(instruction, lower_extract_value(*extract));
  if (const auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return define(instruction, lower_insert_value(*insert));
  if (const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    return define(instruction, lower_shuffle_vector(instruction, shuffle->getShuffleMask()));
  define(instruction, lower_operation(instruction, instruction.getOpcode()));
}

Registers KernelLowering::lower_operation(const llvm::User &user, unsigned opcode) {
  if (llvm::Instruction::isBinaryOp(opcode))
    return lower_binary(user, opcode);
  if (llvm::Instruction::isCast(opcode))
    return lower_cast(user, opcode);
  switch (opcode) {
  case llvm::Instruction::GetElementPtr: return lower_gep(llvm::cast<llvm::GEPOperator>(user));
  case llvm::Instruction::ICmp:
  case llvm::Instruction::FCmp: return lower_compare(user, llvm::cast<llvm::CmpInst>(user).getPredicate());
  case llvm::Instruction::Select: return lower_select(user);
  case llvm::Instruction::Freeze: return value(user.getOperand(0));
  case llvm::Instruction::ExtractElement: return lower_extract_element(user);
  case llvm::Instruction::InsertElement: return lower_insert_element(user);
  case llvm::Instruction::ShuffleVector:
    return lower_shuffle_vector(user, llvm::cast<llvm::ConstantExpr>(user).getShuffleMask());
  case llvm::Instruction::FNeg: {
    Registers out = value(user.getOperand(0));
    for (RegisterId &each : out)
      each = floats_.negate(each);
    return out;
  }
  default: {
    Registers operands;
    for (const llvm::Value *operand : user.operand_values()) {
      const Registers registers = value(operand);
      operands.insert(operands.end(), registers.begin(), registers.end());
    }
    return opaque(user.getType(), std::string("result of the operation ") + llvm::Instruction::getOpcodeName(opcode),
                  operands);
  }
  }
}

Registers KernelLowering::lower_binary(const llvm::User &user, unsigned llvm_opcode) {
  if (is_wide(user.getType()))
    return lower_wide_binary(user, llvm_opcode);
  if (user.getType()->isFPOrFPVectorTy())
    return lower_float_binary(user, llvm_opcode);
  const Registers a = value(user.getOperand(0)), b = value(user.getOperand(1));
  std::optional<Opcode> opcode = binary_opcode(llvm_opcode);
  // Bits that never meet add up: sums keep an address affine.
  if (const auto *either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&user); either && either->isDisjoint())
    opcode = Opcode::Add;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&user);
  const std::uint32_t source = instruction && instruction->isIntDivRem() ? place(*instruction) : kNone;
  const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&user);
  const std::int64_t wraps = sum && sum->hasNoSignedWrap() ? kNoSignedWrap : 0;
  Registers out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint8_t width = builder_.width(a[i]);
    out.push_back(opcode ? builder_.emit(*opcode, width, {a[i], b[i]}, source, wraps)
                         : not_computed(llvm_opcode, a[i], b[i]));
  }
  return out;
}

RegisterId KernelLowering::not_computed(unsigned opcode, RegisterId a, RegisterId b) {
  const std::uint8_t width = builder_.width(a);
  return builder_.opaque(
      width, std::string("result of ") + std::to_string(width) + "-bit " + llvm::Instruction::getOpcodeName(opcode),
      {a, b});
}

Registers KernelLowering::lower_float_binary(const llvm::User &user, unsigned opcode) {
  const Registers a = value(user.getOperand(0)), b = value(user.getOperand(1));
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&user);
  const bool contracts = instruction && instruction->hasAllowContract();
  const auto make = [&](RegisterId x, RegisterId y) {
    switch (has_float_width(builder_.width(x)) ? opcode : 0u) {
    case llvm::Instruction::FAdd: return floats_.add(x, y, contracts, at_line(*instruction));
    case llvm::Instruction::FSub: return floats_.subtract(x, y, contracts, at_line(*instruction));
    case llvm::Instruction::FMul: return floats_.multiply(x, y, contracts);
    case llvm::Instruction::FDiv: return floats_.divide(x, y);
    case llvm::Instruction::FRem: return floats_.remainder(x, y);
    default: return not_computed(opcode, x, y);
    }
  };
  Registers out;
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back(make(a[i], b[i]));
  return out;
}

/// Integers of more than 64 bits: least significant register first.
Registers KernelLowering::lower_wide_binary(const llvm::User &user, unsigned opcode) {
  const Registers a = value(user.getOperand(0)), b = value(user.getOperand(1));
  const auto *amount = llvm::dyn_cast<llvm::ConstantInt>(user.getOperand(1));
  const std::vector<std::uint8_t> bits = widths(user.getType());
  Registers out;
  switch (opcode) {
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    for (std::size_t i = 0; i < a.size(); ++i)
      out.push_back(builder_.emit(*binary_opcode(opcode), bits[i], {a[i], b[i]}));
    return out;
  case llvm::Instruction::Add: {
    RegisterId carry = kNone;
    for (std::size_t i = 0; i < a.size(); ++i) {
      RegisterId sum = builder_.add(a[i], b[i]);
      RegisterId overflow = builder_.compare(Opcode::ULt, sum, a[i]);
      if (carry != kNone) {
        const RegisterId wide = builder_.resize(carry, bits[i], false);
        const RegisterId with_carry = builder_.add(sum, wide);
        overflow = builder_.emit(Opcode::Or, 1, {overflow, builder_.compare(Opcode::ULt, with_carry, sum)});
        sum = with_carry;
      }
      out.push_back(sum);
      carry = overflow;
    }
    return out;
  }
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr: {
    const unsigned total = user.getType()->getIntegerBitWidth();
    if (!amount || amount->getValue().uge(total))
      break;
    const auto shift = static_cast<unsigned>(amount->getZExtValue());
    if (shift == 0)
      return a;
    // A row of bits with zeros at the end that the shift opens, cut anew.
    Registers row;
    Registers zeros;
    for (unsigned done = 0; done < shift; done += 64)
      zeros.push_back(builder_.constant(static_cast<std::uint8_t>(std::min(64u, shift - done)), 0));
    if (opcode == llvm::Instruction::Shl) {
      row = zeros;
      row.insert(row.end(), a.begin(), a.end());
      return builder_.recut(row, bits);
    }
    row = a;
    row.insert(row.end(), zeros.begin(), zeros.end());
    std::vector<std::uint8_t> cuts;
    for (unsigned done = 0; done < shift; done += 64)
      cuts.push_back(static_cast<std::uint8_t>(std::min(64u, shift - done)));
    const std::size_t skipped = cuts.size();
    cuts.insert(cuts.end(), bits.begin(), bits.end());
    out = builder_.recut(row, cuts);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(skipped));
    return out;
  }
  default: break;
  }
  Registers operands = a;
  operands.insert(operands.end(), b.begin(), b.end());
  return opaque(user.getType(),
                std::string("result of ") + std::to_string(user.getType()->getIntegerBitWidth()) + "-bit " +
                    llvm::Instruction::getOpcodeName(opcode),
                operands);
}

RegisterId KernelLowering::compare(llvm::CmpInst::Predicate predicate, RegisterId a, RegisterId b) {
  using P = llvm::CmpInst::Predicate;
  const auto negate = [&](RegisterId id) { return builder_.logical_not(id); };
  const auto ordered = [&] {
    return builder_.emit(Opcode::And, 1, {floats_.compare(Opcode::FEq, a, a), floats_.compare(Opcode::FEq, b, b)});
  };
  switch (predicate) {
  case P::ICMP_EQ: return builder_.compare(Opcode::Eq, a, b);
  case P::ICMP_NE: return builder_.compare(Opcode::Ne, a, b);
  case P::ICMP_ULT: return builder_.compare(Opcode::ULt, a, b);
  case P::ICMP_ULE: return builder_.compare(Opcode::ULe, a, b);
  case P::ICMP_UGT: return builder_.compare(Opcode::ULt, b, a);
  case P::ICMP_UGE: return builder_.compare(Opcode::ULe, b, a);
  case P::ICMP_SLT: return builder_.compare(Opcode::SLt, a, b);
  case P::ICMP_SLE: return builder_.compare(Opcode::SLe, a, b);
  case P::ICMP_SGT: return builder_.compare(Opcode::SLt, b, a);
  case P::ICMP_SGE: return builder_.compare(Opcode::SLe, b, a);
  default: break;
  }
  if (predicate == P::FCMP_TRUE || predicate == P::FCMP_FALSE)
    return builder_.constant(1, predicate == P::FCMP_TRUE);
  if (!has_float_width(builder_.width(a)))
    return builder_.opaque(1, "comparison of " + std::to_string(builder_.width(a)) + "-bit floating-point numbers",
                           {a, b});
  // FEq, FLt and FLe are false, FNe is true if an operand is not a number.
  switch (predicate) {
  case P::FCMP_OEQ: return floats_.compare(Opcode::FEq, a, b);
  case P::FCMP_UNE: return floats_.compare(Opcode::FNe, a, b);
  case P::FCMP_OLT: return floats_.compare(Opcode::FLt, a, b);
  case P::FCMP_OLE: return floats_.compare(Opcode::FLe, a, b);
  case P::FCMP_OGT: return floats_.compare(Opcode::FLt, b, a);
  case P::FCMP_OGE: return floats_.compare(Opcode::FLe, b, a);
  case P::FCMP_UGT: return negate(floats_.compare(Opcode::FLe, a, b));
  case P::FCMP_UGE: return negate(floats_.compare(Opcode::FLt, a, b));
  case P::FCMP_ULT: return negate(floats_.compare(Opcode::FLe, b, a));
  case P::FCMP_ULE: return negate(floats_.compare(Opcode::FLt, b, a));
  case P::FCMP_ORD: return ordered();
  case P::FCMP_UNO: return negate(ordered());
  case P::FCMP_ONE: return builder_.emit(Opcode::And, 1, {floats_.compare(Opcode::FNe, a, b), ordered()});
  case P::FCMP_UEQ: return builder_.emit(Opcode::Or, 1, {floats_.compare(Opcode::FEq, a, b), negate(ordered())});
  default: return builder_.opaque(1, "comparison", {a, b});
  }
}

Registers KernelLowering::lower_compare(const llvm::User &user, llvm::CmpInst::Predicate predicate) {
  const Registers a = value(user.getOperand(0)), b = value(user.getOperand(1));
  Registers out;
  if (is_wide(user.getOperand(0)->getType())) {
    Registers all = a;
    all.insert(all.end(), b.begin(), b.end());
    if (predicate != llvm::CmpInst::ICMP_EQ && predicate != llvm::CmpInst::ICMP_NE)
      return {builder_.opaque(1, "comparison of wide integers", all)};
    RegisterId equal = builder_.constant(1, 1);
    for (std::size_t i = 0; i < a.size(); ++i)
      equal = builder_.emit(Opcode::And, 1, {builder_.compare(Opcode::Eq, a[i], b[i]), equal});
    return {predicate == llvm::CmpInst::ICMP_EQ ? equal : builder_.logical_not(equal)};
  }
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back(compare(predicate, a[i], b[i]));
  return out;
}

Registers KernelLowering::lower_cast(const llvm::User &user, unsigned opcode) {
  const llvm::Value *operand = user.getOperand(0);
  Registers in = value(operand);
  const std::vector<std::uint8_t> bits = widths(user.getType());
  Registers out;
  const auto each = [&](auto make) {
    if (in.size() != bits.size())
      return opaque(user.getType(),
                    std::string("result of ") + llvm::Instruction::getOpcodeName(opcode) + " of a wide integer", in);
    for (std::size_t i = 0; i < in.size(); ++i)
      out.push_back(make(in[i], bits[i]));
    return out;
  };
  const auto convert = [&](Opcode made, bool from_float, bool to_float) {
    return each([&](RegisterId id, std::uint8_t width) {
      const bool fine = (!from_float || has_float_width(builder_.width(id))) && (!to_float || has_float_width(width));
      return fine ? floats_.emit(made, width, {id})
                  : builder_.opaque(width, std::string("result of ") + llvm::Instruction::getOpcodeName(opcode), {id});
    });
  };
  switch (opcode) {
  case llvm::Instruction::Trunc:
    if (is_wide(operand->getType())) {
      return builder_.recut(in, bits);
    }
    [[fallthrough]];
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::ZExt:
    if (is_wide(user.getType()) && !user.getType()->isVectorTy()) {
      for (std::uint8_t width : bits) {
        const std::size_t i = out.size();
        out.push_back(i < in.size() ? builder_.resize(in[i], width, false) : builder_.constant(width, 0));
      }
      return out;
    }
    return each([&](RegisterId id, std::uint8_t width) { return builder_.resize(id, width, false); });
  case llvm::Instruction::SExt:
    if (is_wide(user.getType()) && in.size() == 1) {
      out.push_back(builder_.resize(in[0], bits[0], true));
      while (out.size() < bits.size())
        out.push_back(
            builder_.resize(builder_.emit(Opcode::AShr, bits[0], {out[0], builder_.constant(bits[0], bits[0] - 1)}),
                            bits[out.size()], true));
      return out;
    }
    return each([&](RegisterId id, std::uint8_t width) { return builder_.resize(id, width, true); });
  case llvm::Instruction::BitCast: return builder_.recut(in, bits);
  case llvm::Instruction::AddrSpaceCast: {
    const unsigned from = operand->getType()->getPointerAddressSpace(), to = user.getType()->getPointerAddressSpace();
    const bool from_shared = from == kShared, to_shared = to == kShared;
    if (from_shared == to_shared)
      return in;
    return {builder_.emit(from_shared ? Opcode::SharedToGeneric : Opcode::GenericToShared, 64, {in[0]})};
  }
  case llvm::Instruction::FPToSI: return convert(Opcode::FToS, true, false);
  case llvm::Instruction::FPToUI: return convert(Opcode::FToU, true, false);
  case llvm::Instruction::SIToFP: return convert(Opcode::SToF, false, true);
  case llvm::Instruction::UIToFP: return convert(Opcode::UToF, false, true);
  case llvm::Instruction::FPExt:
    if (operand->getType()->getScalarType()->isHalfTy())
      return each([&](RegisterId id, std::uint8_t width) { return floats_.emit(Opcode::FResize, width, {id}); });
    [[fallthrough]];
  case llvm::Instruction::FPTrunc: return convert(Opcode::FResize, true, true);
  default: return opaque(user.getType(), std::string("result of ") + llvm::Instruction::getOpcodeName(opcode), in);
  }
}

Registers KernelLowering::lower_gep(const llvm::GEPOperator &gep) {
  if (gep.getType()->isVectorTy()) {
    Registers operands;
    for (const llvm::Value *operand : gep.operand_values()) {
      const Registers registers = value(operand);
      operands.insert(operands.end(), registers.begin(), registers.end());
    }
    return opaque(gep.getType(), "vector of addresses", operands);
  }
  RegisterId address = scalar(gep.getPointerOperand());
  std::int64_t offset = 0;
  for (auto it = llvm::gep_type_begin(gep); it != llvm::gep_type_end(gep); ++it) {
    if (llvm::StructType *structure = it.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue());
      offset += static_cast<std::int64_t>(layout_.getStructLayout(structure)->getElementOffset(field).getFixedValue());
      continue;
    }
    const auto stride = static_cast<std::int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
    if (const auto *constant_index = llvm::dyn_cast<llvm::ConstantInt>(it.getOperand())) {
      offset += constant_index->getSExtValue() * stride;
      continue;
    }
    const RegisterId index = builder_.resize(scalar(it.getOperand()), 64, true);
    address = builder_.add(address, builder_.mul(index, stride));
  }
  return {offset ? builder_.add(address, offset) : address};
}

Registers KernelLowering::lower_select(const llvm::User &user) {
  const Registers condition = value(user.getOperand(0)), yes = value(user.getOperand(1)),
                  no = value(user.getOperand(2));
  Registers out;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    const RegisterId which = condition.size() == yes.size() ? condition[i] : condition[0];
    // `a && b` and `a || b` of IR: the operand that is not evaluated cannot do harm here.
    if (builder_.width(yes[i]) == 1 && builder_.constant_value(no[i]) == std::int64_t{0})
      out.push_back(builder_.emit(Opcode::And, 1, {which, yes[i]}));
    else if (builder_.width(yes[i]) == 1 && builder_.constant_value(yes[i]).value_or(0) != 0)
      out.push_back(builder_.emit(Opcode::Or, 1, {which, no[i]}));
    else
      out.push_back(user.getType()->isFPOrFPVectorTy() ? floats_.select(which, yes[i], no[i])
                                                       : builder_.select(which, yes[i], no[i]));
  }
  return out;
}

Registers KernelLowering::lower_extract_element(const llvm::User &user) {
  const Registers vector = value(user.getOperand(0));
  const std::size_t each = component_count(user.getType());
  const std::size_t count = each ? vector.size() / each : 0;
  const llvm::Value *index = user.getOperand(1);
  if (const auto *constant_index = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const std::uint64_t at = constant_index->getZExtValue();
    if (at >= count)
      return constant(*llvm::PoisonValue::get(user.getType()));
    return {vector.begin() + static_cast<std::ptrdiff_t>(at * each),
            vector.begin() + static_cast<std::ptrdiff_t>((at + 1) * each)};
  }
  const RegisterId which = scalar(index);
  Registers operands = vector;
  operands.push_back(which);
  if (count > kLargestDynamicVector || each != 1)
    return opaque(user.getType(), "element of a vector at a variable index", operands);
  RegisterId result = vector[0];
  for (std::size_t i = 1; i < count; ++i)
    result = builder_.select(
        builder_.compare(Opcode::Eq, which, builder_.constant(builder_.width(which), static_cast<std::int64_t>(i))),
        vector[i], result);
  return {result};
}

Registers KernelLowering::lower_insert_element(const llvm::User &user) {
  Registers vector = value(user.getOperand(0));
  const Registers element = value(user.getOperand(1));
  const std::size_t each = element.size(), count = each ? vector.size() / each : 0;
  const llvm::Value *index = user.getOperand(2);
  if (const auto *constant_index = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const std::uint64_t at = constant_index->getZExtValue();
    if (at < count)
      std::copy(element.begin(), element.end(), vector.begin() + static_cast<std::ptrdiff_t>(at * each));
    return vector;
  }
  const RegisterId which = scalar(index);
  for (std::size_t i = 0; i < count; ++i) {
    const RegisterId here =
        builder_.compare(Opcode::Eq, which, builder_.constant(builder_.width(which), static_cast<std::int64_t>(i)));
    for (std::size_t c = 0; c < each; ++c)
      vector[i * each + c] = builder_.select(here, element[c], vector[i * each + c]);
  }
  return vector;
}

Registers KernelLowering::lower_shuffle_vector(const llvm::User &user, llvm::ArrayRef<int> mask) {
  const Registers a = value(user.getOperand(0)), b = value(user.getOperand(1));
  const std::size_t each = component_count(user.getType()->getScalarType());
  Registers both = a;
  both.insert(both.end(), b.begin(), b.end());
  Registers out;
  for (int index : mask)
    for (std::size_t c = 0; c < each; ++c)
      out.push_back(index < 0 ? builder_.undefined(builder_.width(both[c]))
                              : both[static_cast<std::size_t>(index) * each + c]);
  return out;
}

Registers KernelLowering::lower_extract_value(const llvm::ExtractValueInst &extract) {
  const Registers all = value(extract.getAggregateOperand());
  llvm::Type *type = extract.getAggregateOperand()->getType();
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(first_component(type, extract.getIndices()));
  return {first, first + static_cast<std::ptrdiff_t>(component_count(type))};
}

Registers KernelLowering::lower_insert_value(const llvm::InsertValueInst &insert) {
  Registers all = value(insert.getAggregateOperand());
  const Registers part = value(insert.getInsertedValueOperand());
  llvm::Type *type = insert.getAggregateOperand()->getType();
  std::copy(part.begin(), part.end(),
            all.begin() + static_cast<std::ptrdiff_t>(first_component(type, insert.getIndices())));
  return all;
}

void KernelLowering::lower_alloca(const llvm::AllocaInst &alloca) {
  const std::optional<llvm::TypeSize> size = alloca.getAllocationSize(layout_);
  if (!size)
    return define(alloca, {builder_.opaque_per_lane(64, "alloca of variable size" + at_line(alloca))});
  const auto index = static_cast<std::uint32_t>(program_.local_objects.size());
  program_.local_objects.push_back({size->getFixedValue(), alloca.getAlign().value()});
  define(alloca, {builder_.leaf(Opcode::LocalAddress, 64, index)});
}

} // namespace smem::lower
