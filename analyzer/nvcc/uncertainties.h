// What nvcc may do otherwise than its model has it: the names under which users meet it, and what there is to say of each.
#pragma once

#include "smem/assumption.h"
#include "smem/program.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace smem {

/// Each is named as its id is: SourceLine is assumed-source-line. Sentences and explanations: uncertainties.cpp.
enum class Uncertainty {
  TailMerging,     ///< the then and else blocks of a branch end with such an access
  SourceLine,      ///< an access whose debug location is dropped may be attributed to this line, or this one elsewhere
  RedundantAccess, ///< accesses of one address that are one, or several
  DeadStore,       ///< a store that nothing reads, and what is loaded for it
  Unroll,          ///< of a loop that lanes leave at different iterations, or by a pragma
  LoopPeeling,     ///< of a loop that does something only from some iteration on
  LoadSinking,     ///< into the then or else block that needs what is loaded
  IfConversion,    ///< of a branch, or of an address that depends on a condition
  Unswitching,     ///< of a loop with a condition that stays the same in it
  Vectorisation,   ///< of adjacent accesses
  LocalPointer,    ///< through a pointer that is kept in a variable that the model has in local memory
  StructureCopy,   ///< of a structure, and what is read of its fields beside that
  StructureFields, ///< of one with padding, or with vectors among its fields, through a variable
  SwitchReconvergence, ///< cases of a switch that several others fall through to
  RepeatedCondition,   ///< of a branch on what one nested before it has decided
  AddressSpace,        ///< of an atomic through a pointer of a function that is not inlined
  AdjacentAccess,      ///< of accesses that have to be proved adjacent
  MergedLine,          ///< the line of an access that was made of several lines' accesses
  LostLocation,        ///< an access without a debug location of its own
  HeaderLine,          ///< a function of a header that several calls share
  Wait,                ///< what is done while a library's loop waits
  Reconvergence,       ///< of lanes that part where the model does not follow them
  AtomicAggregation,   ///< one lane that does the atomic of all
  LoopInvariantAccess, ///< an access of one address in all iterations of a loop
  UnevenUnroll,        ///< how far a loop is unrolled that lanes leave at different iterations
  LateReconvergence,   ///< lanes that leave an inner loop at different iterations
  LaneGroups,          ///< accesses beside a vote of groups of lanes
  CopyBranch,          ///< an asynchronous copy that some lanes leave the kernel before
  MissingLanes,        ///< after an exchange of lanes that not all that it names come to
  MissingBody,         ///< a call of a function whose body is not there
  BlockOrder,          ///< of an atomic that hands out numbers (the simulator's)
  ChangedValue,        ///< by each compare-and-swap of a loop (the simulator's)
  Calibration,         ///< of what rests on nothing else, where machine code has shown the model to be wrong too often
};

enum class UncertaintyScope {
  Source, ///< of what nvcc makes of the access; its machine code settles it
  Counts, ///< the same of how often the access is made, or on which line it is counted: what one request costs is not touched
  MachineCode, ///< of how machine code is executed: --as-compiled does not settle it
};

struct UncertaintyInfo {
  Uncertainty kind;
  std::string_view id; ///< "assumed-unroll"; stays the same
  UncertaintyScope scope;
  std::string_view sentence; ///< what is assumed, after "assumed: "
  std::string_view when;     ///< what it is about, for documentation
  bool of_the_line = false;  ///< machine code may count the access on another line
};

std::span<const UncertaintyInfo> all_uncertainties();
const UncertaintyInfo &info_of(Uncertainty kind);
/// Null if there is none of that id.
const UncertaintyInfo *find_uncertainty(std::string_view id);

/// As sites have it; `text` in place of the sentence, where that has to name something.
Assumption assumption(Uncertainty kind, std::string text = {});

using OpenChoices = std::array<Assumption, kOpenChoices>;
/// What is open of a program that is made of source, and of one that is made of machine code.
OpenChoices open_choices_of_source();
OpenChoices open_choices_of_machine_code();

} // namespace smem
