// One pass of Clang over a CUDA file: device IR, optimised as a release build would, and what the syntax tree knows.
//
// CUDA's device pass parses host code too, so a single parse yields the kernels' IR and the `<<<>>>` launches.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "host/launches.h"
#include "smem/architecture.h"
#include "syntax/array_uses.h"
#include "support/diagnostic.h"
#include "syntax/source_index.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace smem {

class PrefixStore;

/// Where device headers come from.
struct Toolkit {
  bool shipped = true; ///< the project's own headers, no CUDA toolkit
  std::string root;    ///< of the toolkit, when !shipped
  std::string version; ///< "13.0"
};

/// Whether there is a toolkit at `root`: its headers, that is; nothing else of it is needed.
bool has_headers(const std::string &root);

/// Looks at `wish` (--cuda-path, may be empty), $CUDA_PATH, $CUDA_HOME, nvcc on $PATH, /usr/local/cuda.
/// `wish == "none"` selects the shipped headers.
Toolkit find_toolkit(const std::string &wish);

struct FrontendOptions {
  std::string file;                            ///< path as given; "-" with `contents`
  std::optional<std::string> contents;         ///< instead of reading the file
  std::map<std::string, std::string> overlays; ///< texts to read instead of other files (headers), by normalised path
  const Architecture *architecture = nullptr;
  std::string target; ///< of that architecture, what is compiled for: "sm_90a"; empty: without a suffix
  Toolkit toolkit;
  std::vector<std::string> compiler_flags; ///< the user's, clang or nvcc spelling (-I, -D, -O, -std, -use_fast_math, …)
  std::uint64_t max_instantiations = 10'000'000; ///< of templates, before the file is given up
  std::uint64_t max_device_code =
      500'000; ///< instructions of kernels before optimisation, with what they call; further instantiations are left out
  std::vector<std::string>
      wanted_kernels; ///< instantiations of kernel templates, "scale<float, 32>", that there shall be
  std::stop_token
      stop;            ///< asked for an end, the front end returns as soon as it can; what it returns is not to be used
  ForeignCode foreign; ///< what other translation units launch and call
  bool search_project = false;     ///< headers that no include folder has may be elsewhere in the file's project
  bool for_others = false;         ///< only what other translation units want is wanted: nothing is optimised
  bool keep_source = false;        ///< the module before optimisation is wanted, too
  StatedLaunches stated;           ///< what is chosen where host code leaves something free agrees with these
  PrefixStore *prefixes = nullptr; ///< of headers that were parsed before; changes nothing but time. May be null
  bool precompile_leading = false; ///< at once what the file begins with, too: it will be parsed again
};

/// What these options compile for: "sm_90", or "sm_90a".
std::string target_of(const FrontendOptions &options);

/// The files that an analysis depends on: their contents decide it, and so does the absence of files that would be found first.
struct SourceDependencies {
  std::set<std::string> read, absent; ///< absolute
  bool complete = true;               ///< false: a result may depend on other files, too
};

struct FrontendResult {
  std::unique_ptr<llvm::LLVMContext> context; ///< before the modules that live in it
  std::unique_ptr<llvm::Module> module;       ///< null if there were errors
  std::unique_ptr<llvm::Module> source;       ///< before optimisation: keep_source
  SourceIndex index;
  ArrayUses arrays;
  HostLaunches launches;
  std::vector<Diagnostic> diagnostics;
  SourceDependencies dependencies;
  std::uint64_t source_bytes =
      0; ///< that Clang has read, headers and what macros stand for included: its own time goes by that
  /// Not empty: what has to hold for the source to be that of a build: "'a.h' is lib/a.h", and its user does not name lib.
  std::string assumed_headers;
  bool lacks_headers = false; ///< the source is analysed without them; assumed_headers is about one of them
  bool chose_headers = false; ///< the project has others of their names, so that no cost is claimed either
  bool ok = false;

  FrontendResult();
  ~FrontendResult();
  FrontendResult(FrontendResult &&) noexcept;
  FrontendResult &operator=(FrontendResult &&) noexcept;
};

FrontendResult run_frontend(const FrontendOptions &options);

} // namespace smem
