// What an expression of host code evaluates to, as far as it is known.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "host/elements.h"
#include "host/terms.h"

namespace clang {
class ASTContext;
class APValue;
class CXXRecordDecl;
class FunctionDecl;
class QualType;
} // namespace clang

namespace smem {

/// The simulator has a Value of its own, for lanes; the linker must not take one for the other.
inline namespace host {
struct Value;
}

using ObjectId = std::uint32_t;
using Objects = std::vector<ObjectId>; ///< sorted, each once

/// Not known, and why: "depends on argv", "depends on the result of 'rand' (line 12)".
struct Unknown {
  std::shared_ptr<const std::string> reason;
  /// Of an integer, or of a pointer in bytes: a power of two that it is a multiple of all the same.
  std::uint64_t multiple = 1;
  /// Of the objects that the interpreter keeps those that it may point to; null: none.
  std::shared_ptr<const Objects> targets;
  /// The program determines it, and the interpreter has lost it: it is not free to be chosen.
  bool lost = false;
};

/// A part of an object: the element numbers on the way from the object's root.
struct Place {
  ObjectId object = 0;
  llvm::SmallVector<std::uint32_t, 4> path;

  bool operator==(const Place &) const = default;
};

/// Pointer or reference to something that the interpreter keeps.
struct Address {
  Place place;

  bool operator==(const Address &) const = default;
};

/// What cudaMalloc promises, in bytes.
inline constexpr std::uint64_t kDeviceAlignment = 256;

/// Pointer into memory whose contents are not kept (heap, device), or that pointer as an integer. Allocation 0 is the null
/// pointer.
struct Allocation {
  std::uint32_t number = 0;
  std::optional<std::int64_t> offset; ///< bytes
  std::uint64_t alignment =
      kDeviceAlignment;  ///< of the allocation's start; of the pointer itself where the offset is not known
  bool separate = false; ///< no byte of it is in an allocation of another number that is separate, too
  std::optional<std::uint64_t> bytes = {};

  bool operator==(const Allocation &) const = default;
};

/// A pointer into it that is a multiple of `alignment`, wherever it leads.
Allocation somewhere_in(Allocation allocation, std::uint64_t alignment);

/// A class (bases first, then fields; closures too) or an array.
struct Aggregate {
  const clang::CXXRecordDecl *record = nullptr;
  Elements elements;
};

/// A standard container: its size and, if it is small and known, its elements.
struct Container {
  std::vector<Value> parts; ///< parts[0] is the size; either that is all, or every element follows
};

/// What a value can depend on besides the source, as bits.
using Assumptions = std::uint64_t;
inline constexpr Assumptions kNothingAssumed = 0;
inline constexpr Assumptions kNoArguments = 1;   ///< the program is run without arguments
inline constexpr Assumptions kDeviceAssumed = 2; ///< the GPU is a typical one of its architecture
inline constexpr Assumptions kOccupancyAssumed =
    4; ///< neither registers nor static shared memory limit how many blocks fit

/// The bits from this one on stand for quantities that host code leaves free and that a scenario chose; the last is that of all
/// that have no bit of their own.
inline constexpr unsigned kFirstFreeBit = 8, kFreeBits = 56;
inline constexpr Assumptions kFreeQuantities = ~Assumptions{0} << kFirstFreeBit;
constexpr Assumptions free_quantity(std::size_t number) {
  return Assumptions{1} << (kFirstFreeBit + (number < kFreeBits ? number : kFreeBits - 1));
}

inline namespace host {
struct Value {
  std::variant<Unknown, llvm::APSInt, llvm::APFloat, Address, Allocation, const clang::FunctionDecl *, Aggregate,
               Container>
      is;
  Assumptions assumed = kNothingAssumed; ///< it holds only under these
  TermId term = 0;                       ///< of a scenario: the integer as an expression over what was chosen

  Value() = default;
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Value>)
  Value(T &&what, Assumptions assumptions = kNothingAssumed) : is(std::forward<T>(what)), assumed(assumptions) {}

  template <class T> const T *as() const { return std::get_if<T>(&is); }
  template <class T> T *as() { return std::get_if<T>(&is); }
  bool known() const { return !as<Unknown>(); }
};
} // namespace host

Value unknown(std::string reason, std::uint64_t multiple = 1, Objects targets = {});

/// An unknown as one that is lost; what is known stays as it is.
Value as_lost(Value value);
bool is_lost(const Value &value);

/// What the value may point to, or a part of it.
Objects objects_of(const Value &value);
/// The same without making one of them: sets of objects, which many values may share, or single ones where `set` is null.
void for_each_target(const Value &value, llvm::function_ref<void(const Objects *set, ObjectId single)> visit);
void add_objects(Objects &objects, const Objects &more);
/// Whether all of `few` are in `set`.
bool includes(const Objects &set, const Objects &few);
/// An unknown that may point to these, too; what is known stays as it is.
Value with_targets(Value value, const Objects &targets);
/// The same with what `other` may point to; its set is shared where that is all.
Value with_targets_of(Value value, const Value &other);

/// The largest power of two, within reason, that an integer or a pointer is surely a multiple of.
std::uint64_t multiple_of(const Value &value);

/// The same unknown with another divisibility; what is known stays as it is.
Value with_multiple(Value value, std::uint64_t multiple);

/// The reason of an unknown value or of an unknown part of it; empty if all is known.
std::string reason_of(const Value &value);

bool same(const Value &a, const Value &b);

/// What holds on both of two paths; `reason` is for what differs. A reason that is already there is kept.
Value join(const Value &a, const Value &b, const std::string &reason);

/// Marks every part.
void mark_assumed(Value &value, Assumptions assumptions);
/// Of all parts.
Assumptions assumptions_of(const Value &value);

/// Applies `change` to the parts of a class, an array or a container; equal rows stay one.
void change_parts(Value &value, const std::function<void(Value &)> &change);

/// What it takes in memory.
std::uint64_t bytes_of(const Value &value);

/// The truth of a condition.
std::optional<bool> truth(const Value &value);

/// Leaves only targets before `end`.
void limit_targets(Value &value, ObjectId end);

/// An integer that went through a bit-field of so many bits; its type stays.
Value narrowed(const Value &value, unsigned bits);

Value integer(std::int64_t number, clang::QualType type, const clang::ASTContext &context);

/// A variable of `type` before anything was assigned: parts of it can be assigned one by one.
Value uninitialised(clang::QualType type, const clang::ASTContext &context, const std::string &reason);
Value zero(clang::QualType type, const clang::ASTContext &context);

/// Whether a complete object that is declared with this type may not change after its initialisation ([dcl.type.cv]).
bool is_constant(clang::QualType type, const clang::ASTContext &context);

/// From Clang's own constant evaluation; unknown for what has no counterpart here.
Value from_constant(const clang::APValue &constant);

/// Arithmetic conversion to `type`: integers, floating point, booleans, enumerations.
Value convert(const Value &value, clang::QualType type, const clang::ASTContext &context);

} // namespace smem
