#include "ir/address_text.h"

#include <cstdint>
#include <vector>

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

namespace smem::lower {
namespace {

constexpr unsigned kDeepest = 24;    ///< of a chain of additions
constexpr unsigned kDeepestTerm = 4; ///< of an operation inside a term
constexpr std::size_t kMostTerms = 8;
constexpr const char *kUnnamed = "…";

const char *special_name(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x: return "threadIdx.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y: return "threadIdx.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z: return "threadIdx.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x: return "blockIdx.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y: return "blockIdx.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z: return "blockIdx.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x: return "blockDim.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y: return "blockDim.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z: return "blockDim.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x: return "gridDim.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y: return "gridDim.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z: return "gridDim.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid: return "laneid";
  default: return nullptr;
  }
}

const char *operator_sign(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::Add: return "+";
  case llvm::Instruction::Sub: return "-";
  case llvm::Instruction::Mul: return "*";
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv: return "/";
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem: return "%";
  case llvm::Instruction::Shl: return "<<";
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr: return ">>";
  case llvm::Instruction::And: return "&";
  case llvm::Instruction::Or: return "|";
  case llvm::Instruction::Xor: return "^";
  default: return nullptr;
  }
}

/// `k` of the IR names `k.0`, `k.012`, `k.addr.0`: Clang numbers what it renames.
std::string source_name(llvm::StringRef name) {
  const llvm::StringRef stem = name.split('.').first;
  for (char c : stem)
    if (!llvm::isAlnum(c) && c != '_')
      return kUnnamed;
  return stem.empty() ? kUnnamed : stem.str();
}

class Text {
public:
  Text(const llvm::DataLayout &layout, const AddressNames &names) : layout_(layout), names_(names) {}

  std::string run(const llvm::Value &address, std::int64_t offset) {
    constant_ = offset;
    if (address.getType()->isPointerTy())
      add_pointer(&address, 0);
    else
      add_integer(&address, 1, 0);
    std::string text = base_;
    std::size_t printed = 0;
    bool cut = false;
    for (const auto &[name, factor] : terms_) {
      if (factor == 0)
        continue;
      if (name == kUnnamed || printed++ == kMostTerms) {
        cut = true;
        continue;
      }
      const std::int64_t size = factor < 0 ? -factor : factor;
      text += factor < 0 ? " - " : text.empty() ? "" : " + ";
      text += size == 1 ? name : std::to_string(size) + "*" + name;
    }
    if (cut)
      text += std::string(text.empty() ? "" : " + ") + kUnnamed;
    if (constant_ != 0 || text.empty())
      text += (constant_ < 0  ? " - "
               : text.empty() ? ""
                              : " + ") +
              std::to_string(constant_ < 0 ? -constant_ : constant_);
    return text;
  }

private:
  void add_term(const std::string &name, std::int64_t factor) {
    for (auto &[known, sum] : terms_)
      if (known == name) {
        if (name != kUnnamed)
          sum += factor;
        return;
      }
    terms_.emplace_back(name, factor);
  }

  void add_pointer(const llvm::Value *value, unsigned depth) {
    for (; depth < kDeepest; ++depth) {
      if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(value)) {
        for (auto it = llvm::gep_type_begin(*gep); it != llvm::gep_type_end(*gep); ++it) {
          if (llvm::StructType *structure = it.getStructTypeOrNull()) {
            const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue());
            constant_ +=
                static_cast<std::int64_t>(layout_.getStructLayout(structure)->getElementOffset(field).getFixedValue());
          } else {
            add_integer(it.getOperand(),
                        static_cast<std::int64_t>(it.getSequentialElementStride(layout_).getFixedValue()), depth);
          }
        }
        value = gep->getPointerOperand();
        continue;
      }
      const auto opcode = llvm::Operator::getOpcode(value);
      if (opcode == llvm::Instruction::AddrSpaceCast || opcode == llvm::Instruction::BitCast ||
          opcode == llvm::Instruction::Freeze) {
        value = llvm::cast<llvm::User>(value)->getOperand(0);
        continue;
      }
      if (opcode == llvm::Instruction::IntToPtr)
        return add_integer(llvm::cast<llvm::User>(value)->getOperand(0), 1, depth);
      break;
    }
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value))
      base_ = names_.variable(*variable);
    else if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      base_ = names_.parameter(*argument);
    else
      add_term(term(value, 0), 1);
  }

  void add_integer(const llvm::Value *value, std::int64_t factor, unsigned depth) {
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      if (number->getBitWidth() <= 64)
        constant_ += number->getSExtValue() * factor;
      return;
    }
    if (depth < kDeepest)
      if (const auto *operation = llvm::dyn_cast<llvm::Operator>(value)) {
        const auto *right =
            operation->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1)) : nullptr;
        switch (operation->getOpcode()) {
        case llvm::Instruction::ZExt:
        case llvm::Instruction::SExt:
        case llvm::Instruction::Trunc:
        case llvm::Instruction::Freeze: return add_integer(operation->getOperand(0), factor, depth + 1);
        case llvm::Instruction::PtrToInt:
          if (factor == 1)
            return add_pointer(operation->getOperand(0), depth + 1);
          break;
        case llvm::Instruction::Or:
          if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint())
            break;
          [[fallthrough]];
        case llvm::Instruction::Add:
          add_integer(operation->getOperand(0), factor, depth + 1);
          return add_integer(operation->getOperand(1), factor, depth + 1);
        case llvm::Instruction::Sub:
          add_integer(operation->getOperand(0), factor, depth + 1);
          return add_integer(operation->getOperand(1), -factor, depth + 1);
        case llvm::Instruction::Mul:
          if (right)
            return add_integer(operation->getOperand(0), factor * right->getSExtValue(), depth + 1);
          break;
        case llvm::Instruction::Shl:
          if (right && right->getZExtValue() < 32)
            return add_integer(operation->getOperand(0), factor << right->getZExtValue(), depth + 1);
          break;
        default: break;
        }
      }
    add_term(term(value, 0), factor);
  }

  std::string term(const llvm::Value *value, unsigned depth) {
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value))
      return number->getBitWidth() <= 64 ? std::to_string(number->getSExtValue()) : kUnnamed;
    if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value))
      if (const char *name = special_name(call->getIntrinsicID()))
        return name;
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      return names_.parameter(*argument);
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
      return source_name(phi->getName());
    const auto *operation = llvm::dyn_cast<llvm::Operator>(value);
    if (!operation || depth == kDeepestTerm)
      return kUnnamed;
    switch (operation->getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze: return term(operation->getOperand(0), depth);
    default: break;
    }
    const char *sign = operator_sign(operation->getOpcode());
    if (!sign)
      return kUnnamed;
    const std::string left = term(operation->getOperand(0), depth + 1),
                      right = term(operation->getOperand(1), depth + 1);
    if (left == kUnnamed || right == kUnnamed)
      return kUnnamed;
    return "(" + left + sign + right + ")";
  }

  const llvm::DataLayout &layout_;
  const AddressNames &names_;
  std::string base_;
  std::vector<std::pair<std::string, std::int64_t>> terms_;
  std::int64_t constant_ = 0;
};

} // namespace

std::string address_text(const llvm::Value &address, std::int64_t offset, const llvm::DataLayout &layout,
                         const AddressNames &names) {
  return Text(layout, names).run(address, offset);
}

} // namespace smem::lower
