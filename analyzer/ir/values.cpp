// IR values -> registers: constants, variables, opaque results.
#include "ir/kernel_lowering.h"
#include "nvcc/facts/machine.h"

#include <algorithm>
#include <optional>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace smem::lower {
namespace {

/// Bytes of a constant table that are worth keeping.
constexpr std::uint64_t kLargestTable = std::uint64_t{1} << 20;

void append_bits(const llvm::APInt &bits, ProgramBuilder &builder, Registers &out) {
  for (unsigned done = 0; done < bits.getBitWidth(); done += 64) {
    const unsigned width = std::min(64u, bits.getBitWidth() - done);
    out.push_back(builder.constant(static_cast<std::uint8_t>(width),
                                   static_cast<std::int64_t>(bits.extractBitsAsZExtValue(width, done))));
  }
}

/// The variable's bytes, if all of them are plain data.
std::optional<std::vector<std::uint8_t>> bytes_of(const llvm::GlobalVariable &variable,
                                                  const llvm::DataLayout &layout) {
  if (!variable.hasInitializer())
    return std::nullopt;
  llvm::Constant *initializer = const_cast<llvm::Constant *>(variable.getInitializer());
  const std::uint64_t size = layout.getTypeAllocSize(initializer->getType());
  if (size > kLargestTable)
    return std::nullopt;
  std::vector<std::uint8_t> bytes(size);
  if (initializer->isNullValue())
    return bytes;
  for (std::uint64_t at = 0; at < size; ++at) {
    const llvm::Constant *byte = llvm::ConstantFoldLoadFromConst(
        initializer, llvm::Type::getInt8Ty(initializer->getContext()), llvm::APInt(64, at), layout);
    if (const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(byte))
      bytes[at] = static_cast<std::uint8_t>(number->getZExtValue());
    else if (!byte || !llvm::isa<llvm::UndefValue>(byte))
      return std::nullopt;
  }
  return bytes;
}

} // namespace

std::vector<std::uint8_t> KernelLowering::widths(llvm::Type *type) const {
  std::vector<std::uint8_t> result;
  for (const Component &component : components_of(type, layout_))
    result.push_back(component.width);
  return result;
}

void KernelLowering::define(const llvm::Value &value, Registers registers) { values_[&value] = std::move(registers); }

Registers KernelLowering::value(const llvm::Value *value) {
  if (const auto it = values_.find(value); it != values_.end())
    return it->second;
  // The code of a constant expression goes where it is met; nothing of it may be remembered for other blocks.
  if (const auto *constant_value = llvm::dyn_cast<llvm::Constant>(value))
    return constant(*constant_value);
  return opaque(value->getType(), "value of code that is never reached", {});
}

RegisterId KernelLowering::scalar(const llvm::Value *value) {
  const Registers registers = this->value(value);
  return registers.size() == 1 ? registers.front() : builder_.opaque(64, "value of an unusual type", registers);
}

Registers KernelLowering::constant(const llvm::Constant &constant) {
  Registers out;
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant); number && number->getType()->isIntegerTy()) {
    append_bits(number->getValue(), builder_, out);
  } else if (const auto *real = llvm::dyn_cast<llvm::ConstantFP>(&constant);
             real && real->getType()->isFloatingPointTy()) {
    append_bits(real->getValueAPF().bitcastToAPInt(), builder_, out);
  } else if (llvm::isa<llvm::UndefValue>(constant)) {
    for (std::uint8_t width : widths(constant.getType()))
      out.push_back(builder_.undefined(width));
  } else if (constant.isNullValue()) {
    for (std::uint8_t width : widths(constant.getType()))
      out.push_back(builder_.constant(width, 0));
  } else if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    out.push_back(global_address(*variable));
  } else if (const auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant)) {
    out = this->constant(*alias->getAliasee());
  } else if (llvm::isa<llvm::GlobalValue>(constant)) {
    out.push_back(builder_.opaque(64, "address of function '" + constant.getName().str() + "'", {}));
  } else if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    out = lower_operation(*expression, expression->getOpcode());
  } else if (constant.getType()->isVectorTy() || constant.getType()->isArrayTy() || constant.getType()->isStructTy()) {
    const std::size_t elements = constant.getType()->isVectorTy()
                                     ? llvm::cast<llvm::FixedVectorType>(constant.getType())->getNumElements()
                                 : constant.getType()->isArrayTy() ? constant.getType()->getArrayNumElements()
                                                                   : constant.getType()->getStructNumElements();
    for (unsigned i = 0; i < elements; ++i)
      if (const llvm::Constant *element = constant.getAggregateElement(i)) {
        const Registers registers = this->constant(*element);
        out.insert(out.end(), registers.begin(), registers.end());
      }
  }
  if (out.size() != component_count(constant.getType()))
    out = opaque(constant.getType(), "constant of an unusual kind", {});
  return out;
}

RegisterId KernelLowering::global_address(const llvm::GlobalVariable &variable) {
  if (variable.getAddressSpace() != kShared)
    return builder_.leaf(Opcode::GlobalAddress, 64, global_object(variable));
  const auto it = shared_.find(&variable);
  return it == shared_.end() ? builder_.opaque(64, "address of a shared array of another kernel", {})
                             : builder_.leaf(Opcode::SharedAddress, 64, it->second);
}

std::uint32_t KernelLowering::global_object(const llvm::GlobalVariable &variable) {
  const auto [it, inserted] =
      globals_.try_emplace(&variable, static_cast<std::uint32_t>(program_.global_objects.size()));
  if (!inserted)
    return it->second;
  GlobalObject &object = program_.global_objects.emplace_back();
  const auto source = index_.variables.find(variable.getName().str());
  object.name = source == index_.variables.end() ? variable.getName().str() : source->second.name;
  object.size = layout_.getTypeAllocSize(variable.getValueType());
  object.alignment =
      variable.getAlign() ? variable.getAlign()->value() : layout_.getABITypeAlign(variable.getValueType()).value();
  object.constant_space = variable.getAddressSpace() == kConstant;
  // A variable that is no constant can be written by the kernel, by other kernels or by the host; a __constant__ one only by
  // the host, through its symbol.
  const auto &written = index_.written_by_host;
  const bool by_host = std::find(written.begin(), written.end(), variable.getName().str()) != written.end();
  if ((variable.isConstant() || object.constant_space) && !by_host)
    object.initializer = bytes_of(variable, layout_);
  return it->second;
}

Registers KernelLowering::opaque(llvm::Type *type, const std::string &reason, const Registers &operands) {
  Registers out;
  const std::vector<std::uint8_t> bits = widths(type);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    Registers all = operands;
    // Components of one result differ from each other.
    if (bits.size() > 1)
      all.push_back(builder_.constant(32, static_cast<std::int64_t>(i)));
    out.push_back(builder_.opaque(bits[i], reason, std::move(all)));
  }
  return out;
}

void KernelLowering::define_opaque(const llvm::Instruction &instruction, const std::string &reason) {
  Registers operands;
  for (const llvm::Value *operand : instruction.operand_values())
    if (component_count(operand->getType()) != 0 && !llvm::isa<llvm::Function>(operand) &&
        !llvm::isa<llvm::InlineAsm>(operand)) {
      const Registers registers = value(operand);
      operands.insert(operands.end(), registers.begin(), registers.end());
    }
  define(instruction, opaque(instruction.getType(), reason, operands));
}

void KernelLowering::define_event(const llvm::Instruction &instruction, const std::string &reason) {
  if (instruction.getType()->isVoidTy())
    return;
  Registers out;
  for (const std::uint8_t bits : widths(instruction.getType()))
    out.push_back(builder_.opaque_event(bits, reason, {builder_.special(SpecialRegister::Lane)}));
  define(instruction, std::move(out));
}

std::uint32_t KernelLowering::place(const llvm::Instruction &instruction) {
  const SourceLocation location = locations_.attributed(instruction).location;
  if (!location.known())
    return kNone;
  const auto [it, inserted] = places_.try_emplace(location, static_cast<std::uint32_t>(program_.places.size()));
  if (inserted)
    program_.places.push_back(location);
  return it->second;
}

std::string KernelLowering::at_line(const llvm::Instruction &instruction) {
  const AttributedLocation place = locations_.attributed(instruction);
  return place.location.known() ? " (line " + std::to_string(place.location.line) + ")" : std::string();
}

} // namespace smem::lower
