// Compiler flags, one a line, as configurations and compilation databases have them: what is let through is let through again, unchanged.
#include "flags/translate_flags.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::vector<std::string> flags(1);
  for (const char c : std::string_view(reinterpret_cast<const char *>(data), size))
    if (c == '\n')
      flags.emplace_back();
    else if (c != '\0') // no argument has one
      flags.back() += c;
  const smem::TranslatedFlags once = smem::translate_flags(flags);
  (void)smem::diagnostics_of(once.unused);
  std::vector<smem::FlagWord> words;
  for (const std::string &word : once.clang)
    words.push_back({word, words.size()});
  const smem::AllowedOptions again = smem::allowed_options(words);
  if (again.words != once.clang || !again.unused.empty()) {
    for (const std::string &word : once.clang)
      std::fprintf(stderr, "%s\n", word.c_str());
    std::abort();
  }
  for (const std::string &word : once.nvcc)
    if (!smem::is_plain(word))
      std::abort();
  return 0;
}
