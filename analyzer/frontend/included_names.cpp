#include "frontend/included_names.h"

#include <llvm/ADT/StringRef.h>

#include <array>

namespace smem {

std::vector<IncludedName> included_names(std::string_view whole, bool *by_macro) {
  std::vector<IncludedName> names;
  for (llvm::StringRef text(whole.data(), whole.size()); !text.empty();) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("include"))
      continue;
    line = line.ltrim();
    if (line.consume_front("\""))
      names.push_back({line.split('"').first, true});
    else if (line.consume_front("<"))
      names.push_back({line.split('>').first, false});
    else if (by_macro && !line.empty())
      *by_macro = true;
  }
  return names;
}

std::vector<std::string_view> include_folders(const std::vector<std::string> &flags) {
  constexpr std::array<std::string_view, 6> kOptions{"--include-path", "--system-include", "-isystem",
                                                     "-idirafter",     "-iquote",          "-I"};
  std::vector<std::string_view> folders;
  for (std::size_t i = 0; i < flags.size(); ++i)
    for (const std::string_view option : kOptions) {
      std::string_view value = flags[i];
      if (!value.starts_with(option))
        continue;
      value.remove_prefix(option.size());
      if (value.starts_with('='))
        value.remove_prefix(1);
      else if (value.empty() && i + 1 < flags.size())
        value = flags[++i];
      if (!value.empty())
        folders.push_back(value);
      break;
    }
  return folders;
}

} // namespace smem
