// Machine code -> Program: what nvcc and ptxas have made of a kernel, executed by the same simulator as what the source says.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sass/listing.h"
#include "smem/kernel_arithmetic.h"
#include "smem/program.h"

namespace smem::compiled {

struct MachineCodeOptions {
  /// The place that an instruction counts for, out of its chain of inlining.
  std::function<SourceLocation(const std::vector<ListedPlace> &)> place;
  /// Whether the listing leaves open which line an instruction counts for.
  std::function<bool(const ListedInstruction &)> has_uncertain_line;
  /// There is no source of it: what cannot be followed leaves its own accesses without counts, instead of the whole function to the source.
  bool alone = false;
  /// `alone`: pieces of 64 bits of parameters, by index and byte offset, beside whole parameters of that size.
  std::set<std::pair<std::uint32_t, std::int64_t>> wide_fields = {};
  /// `alone`: generic addresses can only be of global memory.
  bool generic_is_global = false;
  /// `alone`: bytes that precede the kernel's own in shared memory; its addresses are counted from behind them.
  std::uint32_t reserved_shared = 0;
};

/// The Program of a function. Sites are machine instructions: one for each that accesses shared or global memory. What the lowering
/// does not follow leaves values unknown, or sites with Site::not_lowered. `source` is the same kernel as the source has it: parameters and
/// variables are taken from there.
struct LoweredMachineCode {
  Program program;
  bool complete = true;             ///< it calls no function whose code is elsewhere
  std::set<SiteId> uncertain_lines; ///< sites that may count for another line than theirs
  std::set<SiteId> local;           ///< sites of local memory, of which only requests are counted
  std::string error;                ///< not empty: nothing of the function could be lowered, and why
  bool missing = false;             ///< the error is that the listing has it not, or of another version of the source
  ListedResources resources;        ///< of the function; also where it could not be lowered
  std::vector<std::uint64_t> addresses = {}; ///< of the instructions, by site
  KernelArithmetic arithmetic = {};          ///< all instructions, by pipe
};
LoweredMachineCode lower_machine_code(const Listing &listing, const ListedFunction &function, const Program &source,
                                      const MachineCodeOptions &options);

/// What a memory instruction does, as far as its opcode says.
struct MachineAccess {
  AddressSpace space = AddressSpace::Generic;
  Access access;
  bool counted = true; ///< local and constant memory are not
  bool sign_extended = false;
  std::string not_modelled; ///< not empty: why its counts are not a function of its addresses here
};
std::optional<MachineAccess> access_of(const ListedInstruction &instruction);

} // namespace smem::compiled
