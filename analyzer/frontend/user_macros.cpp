#include "frontend/user_macros.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/MemoryBuffer.h>

namespace smem {
namespace {

constexpr std::array<std::string_view, 3> kOwnHeaders{"__clang_cuda_runtime_wrapper.h", "smem_lint_cuda_prelude.h",
                                                      "smem_lint_toolkit_compat.h"};

bool is_own(const std::string &include) {
  return std::any_of(kOwnHeaders.begin(), kOwnHeaders.end(),
                     [&](std::string_view own) { return std::string_view(include).ends_with(own); });
}

constexpr std::string_view kRenamed = "_of_source";

/// Such macros do not concern Clang's headers, and assert() heeds what holds where <cassert> is first included.
bool may_wait(const std::string &name) { return name.find('_') == std::string::npos && name != "NDEBUG"; }

} // namespace

std::vector<std::string>::const_iterator after_own_headers(const std::vector<std::string> &includes) {
  return std::find_if(includes.rbegin(), includes.rend(), is_own).base();
}

void user_macros_behind_headers(clang::PreprocessorOptions &options, const std::set<std::string> &renamed) {
  const auto end = after_own_headers(options.Includes);
  if (end == options.Includes.begin())
    return;
  std::string text;
  std::erase_if(options.Macros, [&](const std::pair<std::string, bool> &macro) {
    const auto &[definition, undefines] = macro;
    const std::size_t equals = definition.find('=');
    const std::string name = definition.substr(0, equals);
    if (!may_wait(name.substr(0, name.find('('))))
      return false;
    text += undefines
                ? "#undef " + name + "\n"
                : "#define " + name + " " + (equals == std::string::npos ? "1" : definition.substr(equals + 1)) + "\n";
    return true;
  });
  for (const std::string &name : renamed)
    text += "#define " + name + " " + name + std::string(kRenamed) + "\n";
  if (text.empty())
    return;
  options.Includes.insert(end, kUserMacros);
  options.addRemappedFile(kUserMacros, llvm::MemoryBuffer::getMemBufferCopy(text, kUserMacros).release());
}

std::string with_source_names(std::string message, const std::set<std::string> &renamed) {
  for (const std::string &name : renamed)
    for (std::size_t at = 0; (at = message.find(name + std::string(kRenamed), at)) != std::string::npos;)
      message.erase(at += name.size(), kRenamed.size());
  return message;
}

} // namespace smem
