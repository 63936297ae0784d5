// Which of Clang's options reach it: those that say what the code means. Whoever names an option (a configuration that was found, a
// compilation database, the command line), none that writes, loads, executes, prints or redirects gets as far as Clang's driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// A word of Clang's command line, and the flag of the user's that it comes from.
struct FlagWord {
  std::string text;
  std::size_t from = 0; ///< index into whatever the caller counts
};

/// An option that is not used.
struct UnusedOption {
  enum class Reason {
    NotAllowed, ///< it is none of those that may reach Clang
    Unknown,    ///< Clang has no such option
    NoValue,    ///< it ends before its value
  };
  Reason reason = Reason::NotAllowed;
  std::string text;     ///< "-Xclang -dependency-file /tmp/x"; shortened() if need be
  std::size_t from = 0; ///< FlagWord::from of its first word
};

struct AllowedOptions {
  std::vector<std::string> words; ///< for Clang's driver: they mean there what they were judged by
  std::vector<UnusedOption>
      unused; ///< in the order of the words. Outputs and the like, which every build has, are dropped without a word
};
AllowedOptions allowed_options(const std::vector<FlagWord> &words);

/// How many words the option at the beginning of `words` takes, as Clang's driver reads it; 1 if it knows no such option.
std::size_t words_of_option(const std::vector<std::string> &words, std::size_t at);

/// At most some 200 characters of it.
std::string shortened(std::string text);

/// For messages: what options may be about.
std::string_view what_is_allowed();

/// The names in the tables that this Clang does not have.
std::vector<std::string> stale_names();

} // namespace smem
