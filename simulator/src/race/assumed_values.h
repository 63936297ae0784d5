// Values that are made up where no launch tells them: what memory holds that the kernel only reads, and scalars among its arguments. What an
// execution with them shows, a launch with these values does; of others it says nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "machine.h"
#include "race/read_only_arrays.h"
#include "smem/race.h"

namespace smem::race {

class AssumedValues {
public:
  AssumedValues(Machine &machine, const AssumedInput &input);

  /// What a part of a load's value is; nullopt: nothing is assumed of it. All loads of one place get the same.
  std::optional<Value> loaded(std::uint32_t operation, const ValuePart &part, const Value &address,
                              LaneMask mask) const;
  /// Whether anything that is assumed of memory may decide a branch, or whether an access is made.
  bool may_decide() const;
  /// A scalar argument that the launch has no value of.
  std::optional<std::int64_t> argument(const Instruction &instruction) const;

  /// Warps go on as a condition says.
  void decide(const Terminator &branch);
  /// Whether an access is where what was loaded or assumed has it, or barriers are of as many threads: such a number may have been chosen so
  /// that threads do not meet. Not of atomics in shared memory.
  bool in_address(std::uint32_t operation) const;
  /// A witness rests on where the operation's access is.
  void decide_place(std::uint32_t operation);

  /// What has decided something, for the reader; empty: nothing has.
  std::vector<Assumption> assumptions() const;

private:
  using Names = std::set<std::uint32_t>; ///< of names_; kLoaded: of any memory
  static constexpr std::uint32_t kLoaded = kNone;

  /// What is assumed of all memory that a pointer points to, or of a scalar.
  struct Assumed {
    std::uint32_t name = 0;
    std::int64_t bits = 0;
    std::uint32_t width = 0; ///< 0: any, as all bits are 0
    std::int64_t slope = 0;  ///< more for each element
    DimensionId pointer = 0; ///< that elements are counted from
  };
  void assume_scalars(std::int64_t wanted);
  void assume_memory(const AssumedInput &input);
  /// Takes out those that may lead to the array of the first one.
  static std::vector<ReadOnlyArray> take_array(std::vector<ReadOnlyArray> &all);
  /// False: it cannot hold that.
  bool assume_array(const std::vector<ReadOnlyArray> &array, std::int64_t number);
  bool assume_slope(const std::vector<ReadOnlyArray> &array, std::int64_t first, std::int64_t slope);
  void follow();

  Machine &machine_;
  std::vector<std::string> names_;                                    ///< "`n` is 64"
  std::map<std::pair<std::uint32_t, std::int64_t>, Assumed> scalars_; ///< by the place of an argument
  std::map<std::uint32_t, Assumed> loads_;                            ///< by operation
  std::vector<Names> made_of_;                                        ///< by register
  Names decided_;
  bool in_orders_ = false; ///< of barriers: which one, or how many threads
  std::set<SourceLocation> branches_;
};

} // namespace smem::race
