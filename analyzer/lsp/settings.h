// What a client sets, in `initializationOptions` or `workspace/didChangeConfiguration`.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <llvm/Support/JSON.h>

namespace smem::lsp {

struct ClientSettings {
  enum class Hints { All, Costly, Off };
  Hints inlay_hints = Hints::All;
  bool code_lens = true;
  bool compiler_errors = true; ///< off: one note that the file does not compile, for those who have clangd beside this
  bool fixes = true;           ///< look for repairs after each analysis
  bool while_typing = true;    ///< off: on open and on save only
  std::chrono::milliseconds delay{50}; ///< from the last change to the analysis
  std::vector<std::string> arguments;  ///< options for every analysis
};

/// Sets what `options` has and leaves the rest. What it has and cannot be read is named in `complaints`.
void read_settings(const llvm::json::Object &options, ClientSettings &settings, std::vector<std::string> &complaints);

} // namespace smem::lsp
