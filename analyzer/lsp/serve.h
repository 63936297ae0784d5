// `smem-lint lsp`: a language server on standard input and output.
#pragma once

#include <string>
#include <vector>

namespace smem::lsp {

/// Speaks the Language Server Protocol until the client says `exit` or is gone; the exit code. `arguments`: options for every analysis, and after `--` flags of
/// the compiler. Nothing else may write to standard output meanwhile.
int serve(const std::vector<std::string> &arguments);

} // namespace smem::lsp
