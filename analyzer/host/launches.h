// Launch configurations folded out of host code.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "host/unit_interface.h"
#include "smem/launch.h"
#include "support/diagnostic.h"

namespace clang {
class ASTContext;
}

namespace smem {

/// An argument (or part of one) whose value, or whose place in its allocation, is not known.
struct OpenArgument {
  std::uint32_t index = 0;  ///< parameter position
  std::uint64_t offset = 0; ///< bytes into the parameter
  std::string name, reason; ///< "v.data", "depends on argv"
};

/// A launch that host code makes when what it leaves free has the values `launch.chosen`.
struct ConsistentLaunch {
  Launch launch;
  std::vector<std::string> unknown; ///< what is not known even so, as in HostLaunch
  std::vector<OpenArgument> lost;   ///< scalars that the program determines and that could not be followed
  bool grid_known = false, block_known = false, dynamic_known = false;
  bool grid_chosen = false, block_chosen = false, dynamic_chosen = false; ///< they rest on what was chosen
  bool reached = true; ///< false: no values were found that lead host code there
  /// Of each chosen quantity: whether grid, block or dynamic shared memory rest on it, whether it is a number of things, and
  /// its name among all of its kind.
  std::vector<bool> decides_shape, is_size;
  std::vector<bool> decisive; ///< and whether a condition on the way rests on it
  std::vector<std::string> keys;
  /// Positions of arguments and of the quantities that they rest on.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> argument_quantities;
  std::string block_key,
      dynamic_key; ///< of the only quantity that the block, the dynamic shared memory rests on; empty: there are several
};

/// One `<<<>>>` (or cudaLaunchKernel) as far as it could be folded. Several launches of one kernel are several entries.
struct HostLaunch {
  Launch launch;            ///< provenance HostCode; unknown scalar arguments have no value
  bool shape_known = false; ///< grid and block both folded
  bool grid_known = false, block_known = false, dynamic_known = false;
  std::vector<std::string> unknown;         ///< what could not be folded and why: "grid.x: depends on argv (line 12)"
  std::vector<OpenArgument> lost;           ///< as in ConsistentLaunch
  std::vector<OpenArgument> open_pointers;  ///< their arguments have the alignment that is certain, and no value
  std::uint64_t times = 1;                  ///< how often it was met with these very values
  bool reached = true;                      ///< false: in a branch or a function that the default run does not enter
  std::vector<ConsistentLaunch> consistent; ///< where something is unknown: the likeliest first
};

/// What the user says of launches, which the values of free quantities have to agree with.
struct StatedLaunch {
  Provenance provenance = Provenance::Option; ///< the strongest is right
  std::function<bool(const std::string &mangled)> about;
  std::optional<Dim3> grid, block;
  std::optional<std::uint64_t> dynamic_shared_bytes;
  std::vector<std::pair<std::string, std::int64_t>> scalars; ///< by parameter name
};

struct SourceIndex;
/// All that is said of the kernels of a file.
using StatedLaunches = std::function<std::vector<StatedLaunch>(const SourceIndex &)>;

struct HostLaunches {
  std::vector<HostLaunch> launches;    ///< in the order of execution, as far as it is known
  std::vector<Diagnostic> diagnostics; ///< what was left out
  /// Dynamic shared memory that kernels may have after cudaFuncSetAttribute, by mangled name; UINT64_MAX: an amount that is not known;
  /// without a name: of a kernel that is not known.
  std::map<std::string, std::uint64_t> opted_in;
  UnitInterface unit; ///< for the analysis of other units
};

class IrNames;

/// Evaluates the host functions of a parsed translation unit of so many `source_bytes`, `main` first, then those that other units call. Asked for an
/// end it returns what it has.
HostLaunches infer_launches(clang::ASTContext &context, const IrNames &names, std::uint64_t source_bytes,
                            const std::vector<StatedLaunch> &stated, const ForeignCode &foreign = {},
                            std::stop_token stop = {});

} // namespace smem
