// Completions of the command line for shells, made of the options themselves so that none is missing.
#pragma once

#include <string>

namespace smem {

/// Scripts as the shells load them: `smem-lint`, `_smem-lint` and `smem-lint.fish` in their folders of completions.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace smem
