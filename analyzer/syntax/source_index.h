// What the syntax tree knows and IR has lost: texts, names, declarations. Plain data; built by the front end, read by the
// lowering and the reports.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "smem/launch.h"
#include "smem/program.h"
#include "smem/source.h"

namespace smem {

/// An access expression (array subscript, dereference, atomic call, …) as written.
struct ExpressionText {
  std::string text;         ///< one line, white space folded: `tile[threadIdx.x][k]`
  std::string base;         ///< the array or pointer: `tile`
  std::string base_mangled; ///< of a variable with linkage or a static local: joins with the IR's globals; else empty
  bool written = false;     ///< the place is that of an assignment or increment
};

struct KernelSource {
  std::string display; ///< `transpose<float, 32>`
  SourceLocation location;
  std::vector<Parameter> parameters;
  std::optional<std::uint32_t> max_threads, min_blocks; ///< __launch_bounds__
  std::optional<Dim3> cluster;                          ///< __cluster_dims__, in blocks
  std::string
      assumed; ///< not empty: what has to hold for it to be the program's: a template that nothing instantiates, errors around it
  bool made_up = false; ///< of the former: what is known of its launches is what it was instantiated for
  std::vector<std::string> assumed_arguments; ///< of its template, that nothing in the source says: "SEQ=32"
};

/// A call of a function that no file of the user's defines.
struct HeaderCall {
  std::string function; ///< its name alone: `atomicAdd`
  std::string type;     ///< of its first argument, or of what that points to; empty: any
  SourceLocation line;  ///< that calls it; columns do not count
  auto operator<=>(const HeaderCall &) const = default;
};

struct VariableSource {
  std::string name;        ///< as written
  std::string declaration; ///< `__shared__ float tile[32][33]`
  SourceLocation location;
};

/// Of a statement of a compound statement, or of one that is a loop's whole body.
struct StatementLine {
  unsigned begin = 0; ///< the line that it begins on; 0: something else is before it there, so that there is no room
  bool needs_braces = false; ///< it is a loop's whole body
};

struct SourceIndex {
  /// By the place that debug locations of the access carry (file, line, column).
  std::map<SourceLocation, ExpressionText> expressions;
  /// Loads that share their place with a store of other memory (`v[i] = w[j]` of a struct copies at the `=`): looked up
  /// first for a load.
  std::map<SourceLocation, ExpressionText> copied_from;
  /// Accesses of statements that span lines: the place in nvcc's line table (and so in every profiler), by function, as the
  /// module names it, and the place that Clang's debug locations carry. One assignment of a template copies a structure in one
  /// instantiation and a number in another.
  std::map<std::pair<std::string, SourceLocation>, SourceLocation> attributed_to;
  /// The same of constructors: nvcc's place of the call is that of the last operand of its last argument.
  std::map<std::pair<std::string, SourceLocation>, SourceLocation> constructed_at;
  /// By line, of the innermost statement on it that another one can be inserted before. Columns are 0, here and below.
  std::map<SourceLocation, StatementLine> statement_lines;
  std::map<SourceLocation, bool>
      loop_heads; ///< lines of the heads of loops: whether their bodies are compound statements
  /// By the function that they stand in, as the module names it.
  std::map<std::string, std::set<HeaderCall>> header_calls;
  std::map<std::string, KernelSource> kernels;     ///< by mangled name
  std::map<std::string, VariableSource> variables; ///< __shared__/__device__/__constant__, by mangled name
  /// Names of __constant__/__device__ variables that host code may write (cudaMemcpyToSymbol, address taken).
  std::vector<std::string> written_by_host;
};

/// The text of the access at a place, or null. A place without a column (the compiler merged two accesses of a line) is
/// found if the line has only one candidate.
const ExpressionText *find_expression(const SourceIndex &index, const SourceLocation &place, bool load);

} // namespace smem
