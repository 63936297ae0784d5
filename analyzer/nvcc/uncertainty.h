// Where nvcc may do otherwise than the model: lines whose accesses are as predicted only if it does as the model has it.
//
// A modelling uncertainty is of a function, a line and a kind of access, for that is what machine code's counters are attributed to; and an access that one
// compiler has combined with another, or has dropped, is not there to carry a note of its own. What is inlined brings the uncertainties of
// the function along that it was written in: debug locations say which those are, through clones and calls of calls. The line is the user's: what headers of a
// toolkit do is of the line that calls them, for one set of headers has a line for each function and another has the compiler's own.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainties.h"

namespace llvm {
class DILocation;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace smem {

/// The innermost call on the way to a location that is not in a header; the location itself where all are.
const llvm::DILocation *users_location(const llvm::Module &module, const llvm::DILocation *location);

/// All accesses of this kind on this line of `function` are uncertain. Without a location: nothing.
void raise_uncertainty(Uncertainty kind, llvm::Function &function, AccessLocation location);
/// The same of many kinds and accesses at once, which takes no longer for what is there already.
void raise_uncertainties(std::span<const Uncertainty> kinds, llvm::Function &function,
                         std::span<const AccessLocation> locations);

/// Of a file as debug information names it, with its folder: it is no user's.
using IsHeader = std::function<bool(std::string_view file, std::string_view folder)>;

/// Before optimisation: debug information names each function as the module does, which passes that clone or rewrite functions keep.
void name_functions(llvm::Module &module, const IsHeader &is_header = {});

/// `function` has the uncertainties of all that was inlined into it. To be called after inlining, before anything else changes the function.
void inherit_uncertainties(llvm::Function &function);

/// The first uncertainty that there is of the line of `access`.
std::optional<Uncertainty> uncertainty_of(const llvm::Instruction &access);

/// Is there that one?
bool has_uncertainty(const llvm::Instruction &access, Uncertainty kind);

} // namespace smem
