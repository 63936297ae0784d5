#include "nvcc/cicc/vector_copies.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include "nvcc/cicc/forwarded_copies.h"
#include "nvcc/facts/copied_type.h"
#include "nvcc/facts/noted_fields.h"
#include "nvcc/facts/place.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

struct Field {
  std::uint64_t size = 0; ///< bytes; 0 where fields differ or hold a pointer
  bool floating = false;
  bool integer = false; ///< of 32 or 64 bits; neither: characters, half-words, unions
};

/// What all fields are.
Field field_of(const std::vector<NotedField> &fields) {
  std::uint64_t common = 0;
  bool floating = true, integer = true;
  for (const NotedField &field : fields) {
    if (field.type.contains("pointer") || (common && common != field.size))
      return {};
    common = field.size;
    floating &= field.type == "float" || field.type == "double";
    integer &= field.type == "int" || field.type == "long" || field.type == "long long";
  }
  return {common, floating, integer};
}

bool is_cast_to_fraction(const llvm::User *user) {
  return llvm::isa<llvm::BitCastInst>(user) && user->getType()->isFPOrFPVectorTy();
}

/// Is any of what `load` loads a floating-point number, cast as a whole or by itself?
bool loads_fractions(const llvm::LoadInst &load, bool as_a_whole) {
  return load.getType()->isFPOrFPVectorTy() || llvm::any_of(load.users(), [&](const llvm::User *user) {
           return llvm::isa<llvm::ExtractElementInst>(user) ? llvm::any_of(user->users(), is_cast_to_fraction)
                                                            : as_a_whole && is_cast_to_fraction(user);
         });
}

/// Memory whose alignment may be its declaration's, not its type's.
bool is_named(const llvm::Value &pointer) {
  return llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
}

llvm::Type *vector_for(const llvm::MemCpyInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const auto fields = noted_fields(copy);
  if (!length || !fields || copy.isVolatile() || (is_local(*copy.getDest()) && is_local(*copy.getSource())))
    return nullptr;
  const std::uint64_t size = length->getZExtValue(), field = field_of(*fields).size;
  const bool padded = !fields->empty() && fields->back().offset + fields->back().size < size;
  if (padded && (is_local(*copy.getDest()) ||
                 is_local(*copy.getSource()))) // a variable is copied field by field, and padding is one
    return nullptr;
  // Of a local variable that is named as something else (`(uint4 &)v = *p`) Clang knows the variable's own alignment; nvcc goes by the type.
  const bool to = copy.getDestAlign().valueOrOne().value() >= size,
             from = copy.getSourceAlign().valueOrOne().value() >= size;
  const bool aligned = (to && from) || (to && is_local(*copy.getSource()) && !is_named(*copy.getDest())) ||
                       (from && is_local(*copy.getDest()) && !is_named(*copy.getSource()));
  if (!field || (size != 2 && size != 4 && size != 8 && size != 16) || !aligned || (field == 8 && size == 8))
    return nullptr;
  // Narrow elements are four at most; beyond that, and in arrays, they are copied by the word.
  const std::uint64_t element =
      field <= 8 && size / field <= 4 && size % field == 0 && size != field ? field : std::min<std::uint64_t>(4, size);
  llvm::Type *type = llvm::Type::getIntNTy(copy.getContext(), static_cast<unsigned>(8 * element));
  return size == element ? type : llvm::FixedVectorType::get(type, static_cast<unsigned>(size / element));
}

constexpr llvm::StringRef kVectorCopies = "smem_lint.vector_copies"; // by location, as a copy's load changes its type

llvm::Metadata *number(llvm::LLVMContext &context, std::uint64_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
}

/// The type of the elements of a local variable, of structures by their first field.
const llvm::Type *innermost(const llvm::Type *type) {
  while (type->isArrayTy() || (type->isStructTy() && type->getStructNumElements()))
    type = type->isArrayTy() ? type->getArrayElementType() : type->getStructElementType(0);
  return type;
}

/// The local variable that `pointer` points to, through variables of Clang's that hold what a reference is bound to.
const llvm::AllocaInst *variable_behind(const llvm::Value *pointer) {
  constexpr int deepest = 4;
  for (int depth = 0; depth < deepest; ++depth) {
    pointer = llvm::getUnderlyingObject(pointer);
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer);
    if (!load)
      break;
    const llvm::Value *stored = nullptr;
    for (const llvm::User *user : load->getPointerOperand()->users())
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
          store && store->getPointerOperand() == load->getPointerOperand()) {
        if (stored)
          return nullptr;
        stored = store->getValueOperand();
      }
    if (!stored)
      return nullptr;
    pointer = stored;
  }
  return llvm::dyn_cast<llvm::AllocaInst>(pointer);
}

/// Does a copy go to a local variable whose elements are not integers of the size of its fields or half of it? Those become integers where they
/// are stored, others where they are used.
bool becomes_others_where_used(const llvm::MemCpyInst &copy, const Field &field) {
  const llvm::AllocaInst *variable = variable_behind(copy.getDest());
  if (!variable || (field.size != 4 && field.size != 8))
    return false;
  const llvm::Type *element = innermost(variable->getAllocatedType());
  return !(element->isIntegerTy() &&
           (element->getIntegerBitWidth() == 8 * field.size || element->getIntegerBitWidth() == 4 * field.size) &&
           field.floating);
}

/// Does a copy of floats go to a variable of floats? Integers that are read from there are loaded where they are copied.
bool keeps_fractions(const llvm::MemCpyInst &copy, const Field &field) {
  const llvm::AllocaInst *variable = variable_behind(copy.getDest());
  const llvm::Type *element = variable ? innermost(variable->getAllocatedType()) : nullptr;
  return element && field.floating && element->isFloatingPointTy() &&
         element->getPrimitiveSizeInBits() == 8 * field.size;
}

struct Copy {
  Field field;
  bool cast_where_used = false;
  bool only_copied = false; ///< what it goes to, one for one
  bool keeps_fractions = false;
  bool is_hidden = false; ///< the variable that it goes to, behind a pointer that a function gets (`this`)
};

/// Does a copy go to what is copied on: such a variable, or what a function returns?
bool is_handed_on(const llvm::MemCpyInst &copy) {
  const auto *argument = llvm::dyn_cast<llvm::Argument>(copy.getDest()->stripPointerCasts());
  return argument ? argument->hasStructRetAttr() : is_only_copied(*copy.getDest(), CopyUses::OneForOne);
}

void note(llvm::MemCpyInst &copy) {
  const llvm::DILocation *location = copy.getDebugLoc().get();
  const Field field = field_of(*noted_fields(copy));
  const bool cast_where_used = becomes_others_where_used(copy, field),
             only_copied = is_aligned_beyond_members(copy) && is_handed_on(copy);
  if (!location || (!cast_where_used && !field.integer && !only_copied))
    return;
  llvm::LLVMContext &context = copy.getContext();
  copy.getModule()
      ->getOrInsertNamedMetadata(kVectorCopies)
      ->addOperand(llvm::MDNode::get(
          context, {place_of(*location), number(context, field.size), number(context, field.floating),
                    number(context, field.integer), number(context, cast_where_used), number(context, only_copied),
                    number(context, keeps_fractions(copy, field)), number(context, !variable_behind(copy.getDest()))}));
}

/// What note() has noted, by location.
std::map<const llvm::Metadata *, Copy> copies_of(const llvm::NamedMDNode &table) {
  std::map<const llvm::Metadata *, Copy> copies;
  for (const llvm::MDNode *node : table.operands()) {
    const auto noted = [node](unsigned index) {
      return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(index))->getZExtValue();
    };
    copies[node->getOperand(0)] = {
        {noted(1), noted(2) != 0, noted(3) != 0}, noted(4) != 0, noted(5) != 0, noted(6) != 0, noted(7) != 0};
  }
  return copies;
}

/// What `load` is taken apart into, where that are elements of one type; its first use in `at`.
const llvm::Type *elements_of(const llvm::Instruction &load, const llvm::Instruction *&at, unsigned &words) {
  const llvm::Type *type = nullptr;
  std::set<std::uint64_t> used;
  const auto visit = [&](const llvm::Instruction &value, auto &&self) -> bool {
    return llvm::all_of(value.users(), [&](const llvm::User *user) {
      const auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (llvm::isa<llvm::BitCastInst>(instruction))
        return instruction->getType()->isVectorTy() && self(*instruction, self);
      const auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(instruction);
      const auto *index = element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()) : nullptr;
      if (!index || (type && type != element->getType()))
        return false;
      type = element->getType();
      used.insert(index->getZExtValue() * type->getPrimitiveSizeInBits() / 32);
      if (element->getParent() == load.getParent() && (!at || element->comesBefore(at)))
        at = element;
      return true;
    });
  };
  const bool alike = visit(load, visit);
  words = static_cast<unsigned>(used.size());
  return alike ? type : nullptr;
}

/// Does nvcc cast fields to these elements where it uses them, and the load with them?
bool casts(const Copy &copy, const llvm::Type &element) {
  const Field &field = copy.field;
  const std::uint64_t bits = element.getPrimitiveSizeInBits().getFixedValue();
  if (bits == 8 * field.size)
    return field.floating != element.isFloatingPointTy() && !copy.keeps_fractions;
  return field.floating && bits < 8 * field.size && !(element.isIntegerTy() && bits == 4 * field.size);
}

/// Are there stores through a restricted pointer of an inlined function that `load` goes through, or to what the load is from?
bool is_written_in(const llvm::Function &function, const llvm::LoadInst &load) {
  const llvm::MDNode *scopes = load.getMetadata(llvm::LLVMContext::MD_alias_scope);
  const llvm::Value *object = llvm::getUnderlyingObject(load.getPointerOperand());
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
    if (!instruction.mayWriteToMemory() || llvm::isa<llvm::LoadInst>(instruction))
      return false;
    const auto *others = instruction.getMetadata(llvm::LLVMContext::MD_alias_scope);
    // Stores, atomics, copies and calls alike: whatever has a pointer to it.
    const bool has_pointer = llvm::any_of(instruction.operands(), [&](const llvm::Value *operand) {
      return operand->getType()->isPointerTy() && llvm::getUnderlyingObject(operand) == object;
    });
    return has_pointer || (others && llvm::any_of(scopes->operands(), [&](const llvm::MDOperand &scope) {
                             return llvm::is_contained(others->operands(), scope);
                           }));
  });
}

/// Does nvcc make it an `ld.global.nc`? That is of the type of what is copied, whatever that is cast to (validate/RULES.md, "How structures are copied"): what `__restrict__` pointers lead to, those
/// of inlined functions as well, if nothing is written there.
bool is_noncoherent(const llvm::LoadInst &load) {
  if (load.hasMetadata(llvm::LLVMContext::MD_alias_scope) && !is_written_in(*load.getFunction(), load))
    return true;
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(load.getPointerOperand(), objects);
  return llvm::all_of(objects, [](const llvm::Value *object) {
    const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
  });
}

/// Where nvcc casts what a copy loads, if it does.
const llvm::DILocation *location_of_cast(const llvm::LoadInst &load, const Copy &copy) {
  const llvm::Instruction *use = nullptr;
  unsigned words = 0;
  const llvm::Type *element =
      copy.cast_where_used && load.getType()->isVectorTy() ? elements_of(load, use, words) : nullptr;
  return element && use && words > copy.field.size / 4 && casts(copy, *element) ? use->getDebugLoc().get() : nullptr;
}

} // namespace

void retype_vector_copies_as_nvcc(llvm::Module &module) {
  llvm::NamedMDNode *table = module.getNamedMetadata(kVectorCopies);
  if (!table)
    return;
  const std::map<const llvm::Metadata *, Copy> copies = copies_of(*table);
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const llvm::DILocation *at = load ? load->getDebugLoc().get() : nullptr;
      const auto known = at ? copies.find(place_of(*at)) : copies.end();
      if (known == copies.end())
        continue;
      if (const llvm::StoreInst *store = known->second.only_copied ? forwarded_to(*load) : nullptr;
          store && store->getDebugLoc()) {
        load->setDebugLoc(store->getDebugLoc());
        continue;
      }
      if (is_noncoherent(*load))
        continue;
      const llvm::DILocation *cast_at = location_of_cast(*load, known->second);
      // Integers that are read as fractions count where they are read or where they are copied; all of them at once where they are read, if it is seen what they are copied to.
      if (known->second.field.integer && loads_fractions(*load, known->second.is_hidden))
        for (const llvm::DILocation *location : {at, cast_at})
          raise_uncertainty(Uncertainty::SourceLine, function, {AccessLocation::Kind::Load, location});
      if (cast_at)
        load->setDebugLoc(cast_at);
    }
  module.eraseNamedMetadata(table);
}

void copy_vectors_as_nvcc(llvm::Module &module) {
  std::vector<llvm::MemCpyInst *> copies;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction); copy && vector_for(*copy))
        copies.push_back(copy);
  for (llvm::MemCpyInst *copy : copies)
    note(*copy);
  for (llvm::MemCpyInst *copy : copies) {
    llvm::IRBuilder<> builder(copy); // with the location of the copy
    llvm::LoadInst *value = builder.CreateAlignedLoad(vector_for(*copy), copy->getSource(), copy->getSourceAlign());
    builder.CreateAlignedStore(value, copy->getDest(), copy->getDestAlign());
    copy->eraseFromParent();
  }
}

} // namespace smem
