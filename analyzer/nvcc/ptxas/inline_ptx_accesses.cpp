#include "nvcc/ptxas/inline_ptx_accesses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/machine.h"
#include "ptx/ptx_names.h"
#include "ptx/ptx_parser.h"

namespace smem::lower {
namespace {

using Kind = ptx::Operand::Kind;

/// What may stand in the name of a plain access beside its type: hints, and the default of everything.
constexpr std::array<std::string_view, 16> kPlain{
    "ld", "st", "shared", "shared::cta", "shared::cluster", "global", "weak", "nc", "ca", "cg", "cs", "lu",
    "wb", "wt", "v2",     "v4"};

bool is_plain(const ptx::Instruction &instruction) {
  if (instruction.guard || (instruction.opcode[0] != "ld" && instruction.opcode[0] != "st"))
    return false;
  return std::all_of(instruction.opcode.begin(), instruction.opcode.end(), [](const std::string &part) {
    return std::find(kPlain.begin(), kPlain.end(), part) != kPlain.end() || ptx::type_width(part) ||
           part.starts_with("L1::") || (part.starts_with("L2::") && part != "L2::cache_hint");
  });
}

/// What says how the instruction goes through the caches.
std::string cache_operators_of(const ptx::Instruction &instruction) {
  constexpr std::array kOperators{"nc", "ca", "cg", "cs", "lu"};
  std::string all;
  for (const std::string &part : instruction.opcode)
    if (std::find(kOperators.begin(), kOperators.end(), part) != kOperators.end() || part.starts_with("L1::"))
      all += (all.empty() ? "" : ".") + part;
  return all;
}

class Expander {
public:
  Expander(llvm::CallInst &call, const llvm::InlineAsm &assembly) : call_(call), builder_(&call) {
    for (const llvm::InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber)
        continue;
      const bool output = constraint.Type == llvm::InlineAsm::isOutput;
      simple_ &= !constraint.isIndirect && !constraint.hasMatchingInput();
      slots_.push_back(output ? nullptr : call.getArgOperand(arguments_++));
      outputs_ += output ? 1 : 0;
    }
  }

  bool run(const ptx::Instruction &instruction) {
    const bool load = instruction.opcode[0] == "ld";
    if (!simple_ || instruction.operands.size() != 2)
      return false;
    const ptx::Operand &address = instruction.operands[load ? 1 : 0], &moved = instruction.operands[load ? 0 : 1];
    const std::string &type = instruction.opcode.back();
    const unsigned width = ptx::type_width(type), count = instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
    const std::vector<ptx::Operand> elements =
        moved.kind == Kind::Vector ? moved.parts : std::vector<ptx::Operand>{moved};
    if (width < 8 || width > 64 || width * count > 128 || elements.size() != count || address.kind != Kind::Address ||
        (load && outputs_ != count))
      return false;
    for (const ptx::Operand &element : elements)
      if (element.kind != Kind::Placeholder || element.number >= slots_.size() ||
          load != (slots_[element.number] == nullptr))
        return false;
    const unsigned space = instruction.has("global")                            ? kGlobal
                           : ptx::space_of(instruction) == AddressSpace::Shared ? kShared
                                                                                : kGeneric;
    llvm::Value *at = pointer(address, space);
    if (!at)
      return false;
    llvm::Type *element_type = builder_.getIntNTy(width);
    llvm::Type *whole = count > 1 ? llvm::FixedVectorType::get(element_type, count) : element_type;
    const llvm::Align alignment(width * count / 8);
    // Accesses to blocks of a cluster are optimised like others, but not merged.
    const llvm::AtomicOrdering order = instruction.has("shared::cluster") && count == 1
                                           ? llvm::AtomicOrdering::Unordered
                                           : llvm::AtomicOrdering::NotAtomic;
    if (load) {
      llvm::LoadInst *loaded = builder_.CreateAlignedLoad(whole, at, alignment);
      loaded->setAtomic(order);
      set_record(*loaded, {.inline_ptx = AccessRecord::InlinePtx::Statement,
                           .past_l1 = ptx::bypasses_l1(instruction),
                           .cache = cache_operators_of(instruction)});
      expand_load(loaded, elements, count, type[0] == 's');
    } else {
      llvm::StoreInst *stored = expand_store(at, elements, whole, element_type, alignment);
      stored->setAtomic(order);
      set_record(*stored, {.inline_ptx = AccessRecord::InlinePtx::Statement});
    }
    call_.eraseFromParent();
    return true;
  }

private:
  llvm::Value *as(llvm::Value *value, llvm::Type *wanted, bool sign) {
    llvm::Type *bits = builder_.getIntNTy(static_cast<unsigned>(wanted->getPrimitiveSizeInBits().getFixedValue()));
    return builder_.CreateBitCast(builder_.CreateIntCast(value, bits, sign), wanted);
  }

  void expand_load(llvm::Value *loaded, const std::vector<ptx::Operand> &elements, unsigned count, bool sign) {
    auto *structure = llvm::dyn_cast<llvm::StructType>(call_.getType());
    const auto taken_out = [](const llvm::User *user) {
      const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      return part && part->getNumIndices() == 1;
    };
    if (structure && llvm::all_of(call_.users(), taken_out)) { // what is not taken out is not used
      while (!call_.use_empty()) {
        auto *part = llvm::cast<llvm::ExtractValueInst>(call_.user_back());
        unsigned element = 0;
        while (elements[element].number != part->getIndices()[0])
          ++element;
        part->replaceAllUsesWith(
            as(count > 1 ? builder_.CreateExtractElement(loaded, element) : loaded, part->getType(), sign));
        part->eraseFromParent();
      }
      return;
    }
    llvm::Value *result = structure ? llvm::PoisonValue::get(structure) : nullptr;
    for (unsigned i = 0; i < count; ++i) {
      llvm::Type *wanted = structure ? structure->getElementType(elements[i].number) : call_.getType();
      llvm::Value *value = count > 1 ? builder_.CreateExtractElement(loaded, i) : loaded;
      value = as(value, wanted, sign);
      result = structure ? builder_.CreateInsertValue(result, value, elements[i].number) : value;
    }
    call_.replaceAllUsesWith(result);
  }

  llvm::StoreInst *expand_store(llvm::Value *at, const std::vector<ptx::Operand> &elements, llvm::Type *whole,
                                llvm::Type *element_type, llvm::Align alignment) {
    llvm::Value *stored = elements.size() > 1 ? llvm::PoisonValue::get(whole) : nullptr;
    for (unsigned i = 0; i < elements.size(); ++i) {
      llvm::Value *value = slots_[elements[i].number];
      if (value->getType()->isPointerTy())
        value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
      value = builder_.CreateBitCast(
          value, builder_.getIntNTy(static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits().getFixedValue())));
      value = builder_.CreateIntCast(value, element_type, false);
      stored = stored ? builder_.CreateInsertElement(stored, value, i) : value;
    }
    return builder_.CreateAlignedStore(stored, at, alignment);
  }

  llvm::Value *pointer(const ptx::Operand &address, unsigned space) {
    const ptx::Operand &first = address.parts.front();
    if (first.kind != Kind::Placeholder || first.number >= slots_.size() || !slots_[first.number])
      return nullptr;
    constant_ = 0;
    for (std::size_t i = 1; i < address.parts.size(); ++i) {
      const ptx::Operand &part = address.parts[i];
      std::int64_t offset = part.immediate;
      if (part.kind == Kind::Placeholder && part.number < slots_.size()) {
        const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(slots_[part.number]);
        if (!number)
          return nullptr;
        offset = number->getSExtValue();
      } else if (part.kind != Kind::Immediate) {
        return nullptr;
      }
      constant_ += part.negated ? -offset : offset;
    }
    llvm::Value *value = slots_[first.number];
    llvm::Type *wanted = llvm::PointerType::get(call_.getContext(), space);
    const std::int64_t written = constant_; // in the statement
    if (value->getType()->isPointerTy())
      base_ = value;
    else if (space == kShared)
      collect(value, 1, 0); // 32 bits, and nothing wraps in a window of that size
    else if (auto *cast = llvm::dyn_cast<llvm::PtrToIntOperator>(value))
      base_ = cast->getPointerOperand();
    if (!base_) {
      value = builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
      terms_.clear(), constant_ = written; // `value` has the others
      base_ = builder_.CreateIntToPtr(value, wanted);
    }
    llvm::Value *at = builder_.CreateAddrSpaceCast(base_, wanted);
    for (const auto &[term, factor] : terms_) {
      llvm::Value *offset = builder_.CreateSExtOrTrunc(term, builder_.getInt64Ty());
      at = builder_.CreateGEP(
          builder_.getInt8Ty(), at,
          builder_.CreateMul(offset, builder_.getInt64(static_cast<std::uint64_t>(factor)), "", false, true));
    }
    return constant_
               ? builder_.CreateGEP(builder_.getInt8Ty(), at, builder_.getInt64(static_cast<std::uint64_t>(constant_)))
               : at;
  }

  /// The address as a pointer, terms and a constant, where it was made from one pointer.
  void collect(llvm::Value *value, std::int64_t factor, unsigned depth) {
    constexpr unsigned kDeepest = 16;
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      constant_ += factor * number->getSExtValue();
      return;
    }
    if (auto *operation = llvm::dyn_cast<llvm::Operator>(value); operation && depth < kDeepest) {
      llvm::Value *left = operation->getOperand(0);
      const auto *right =
          operation->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1)) : nullptr;
      switch (operation->getOpcode()) {
      case llvm::Instruction::PtrToInt:
        if (factor != 1 || base_)
          break;
        base_ = left;
        return;
      case llvm::Instruction::Trunc: return collect(left, factor, depth + 1);
      case llvm::Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint())
          break;
        [[fallthrough]];
      case llvm::Instruction::Add:
        collect(left, factor, depth + 1);
        return collect(operation->getOperand(1), factor, depth + 1);
      case llvm::Instruction::Sub:
        collect(left, factor, depth + 1);
        return collect(operation->getOperand(1), -factor, depth + 1);
      case llvm::Instruction::Mul:
        if (right)
          return collect(left, factor * right->getSExtValue(), depth + 1);
        break;
      case llvm::Instruction::Shl:
        if (right && right->getZExtValue() < 31)
          return collect(left, factor << right->getZExtValue(), depth + 1);
        break;
      default: break;
      }
    }
    terms_.emplace_back(value, factor);
  }

  llvm::CallInst &call_;
  llvm::IRBuilder<> builder_;
  std::vector<llvm::Value *> slots_; ///< null for outputs
  unsigned outputs_ = 0, arguments_ = 0;
  bool simple_ = true;
  llvm::Value *base_ = nullptr;
  std::vector<std::pair<llvm::Value *, std::int64_t>> terms_;
  std::int64_t constant_ = 0;
};

/// __ldg() is inline PTX to nvcc, an intrinsic to Clang.
void expand_read_only_load(llvm::IntrinsicInst &call) {
  const auto *alignment = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1)); // an immediate by its definition
  llvm::IRBuilder<> builder(&call);
  llvm::Value *at =
      builder.CreateAddrSpaceCast(call.getArgOperand(0), llvm::PointerType::get(call.getContext(), kGlobal));
  llvm::LoadInst *loaded = builder.CreateAlignedLoad(call.getType(), at, llvm::Align(alignment->getZExtValue()));
  set_record(*loaded, {.inline_ptx = AccessRecord::InlinePtx::ReadOnlyLoad, .cache = "nc"});
  call.replaceAllUsesWith(loaded);
  call.eraseFromParent();
}

bool is_read_only_load(llvm::Intrinsic::ID id) {
  return id == llvm::Intrinsic::nvvm_ldg_global_i || id == llvm::Intrinsic::nvvm_ldg_global_f ||
         id == llvm::Intrinsic::nvvm_ldg_global_p;
}

} // namespace

bool was_inline_ptx(const llvm::Instruction &access) {
  return record_of(access).inline_ptx != AccessRecord::InlinePtx::No;
}

bool was_read_only_load(const llvm::Instruction &access) {
  return record_of(access).inline_ptx == AccessRecord::InlinePtx::ReadOnlyLoad;
}

bool bypasses_l1(const llvm::Instruction &access) { return access.isVolatile() || record_of(access).past_l1; }

void expand_inline_ptx(llvm::Function &kernel) {
  std::vector<llvm::IntrinsicInst *> read_only;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && is_read_only_load(call->getIntrinsicID()))
      read_only.push_back(call);
  for (llvm::IntrinsicInst *call : read_only)
    expand_read_only_load(*call);
  std::vector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && llvm::isa<llvm::InlineAsm>(call->getCalledOperand()))
      calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    const auto &assembly = *llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    const ptx::Statement statement = ptx::parse(assembly.getAsmString());
    if (!statement.branches && statement.not_understood.empty() && statement.instructions.size() == 1 &&
        is_plain(statement.instructions[0]))
      Expander(*call, assembly).run(statement.instructions[0]);
  }
}

} // namespace smem::lower
