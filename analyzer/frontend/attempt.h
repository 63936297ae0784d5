// One attempt at a source: a call into Clang, with what earlier attempts have found out.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/Basic/CodeGenOptions.h>

#include "frontend/device_action.h"
#include "frontend/diagnostics.h"
#include "frontend/frontend.h"

namespace smem {

/// What earlier attempts at a source found out about it.
struct Repairs {
  PatchedSources patched;
  std::set<std::string>
      stand_ins; ///< headers that are not there and that a stand-in for their framework takes the place of
  OwnHeaders own_headers;
  std::set<std::string> wanted; ///< FrontendOptions::wanted_kernels that the source does not instantiate
  TemplateTrials trials;
  std::vector<MacroDefinition> definitions; ///< without which there is no kernel
  std::string assumed_definition;           ///< what has to hold where one was chosen of several
  bool tolerant = false;
  UserFileMacros user_file_macros;
  bool with_prefix = true;
};

/// What an attempt found out.
struct Attempt {
  std::vector<SourceError> errors;
  Inclusions inclusions;
  bool again = false;
  std::vector<std::string> kernel_templates;
  std::vector<MacroDefinition> asked_for; ///< as in DeviceActionResult
  unsigned asking_line = 0;
  std::vector<SkippedDeclarations> skipped; ///< as in DeviceActionResult
  std::size_t lost = 0;
  std::vector<UnbalancedBody> unbalanced;
  bool has_prefix = false;
  bool needs_headers = false; ///< the prefix would change what comes of it
  bool asks_for_nvcc = false; ///< as in DeviceActionResult
  clang::CodeGenOptions codegen;
};

/// The text of a file as it is before any repair.
std::string text_of(const FrontendOptions &options, const std::string &path);

/// To a module that is not optimised. Everything it allocates is on the heap or of its frame, so that a crash inside only leaks. `headers`: those that smem-lint ships.
void attempt_compilation(const FrontendOptions &options, const std::vector<std::string> &arguments,
                         const std::string &headers, Repairs &repairs, FrontendResult &result, Attempt &attempt);

/// As nvcc does, the module of a result that is not to be repaired any more: it takes as long as Clang does.
void optimise(const FrontendOptions &options, const clang::CodeGenOptions &codegen, const std::string &headers,
              FrontendResult &result);

} // namespace smem
