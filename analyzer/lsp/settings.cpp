#include "lsp/settings.h"

#include <algorithm>

namespace smem::lsp {

void read_settings(const llvm::json::Object &options, ClientSettings &settings, std::vector<std::string> &complaints) {
  const auto complain = [&](llvm::StringRef key, const char *wanted) {
    complaints.push_back("'" + key.str() + "' needs " + wanted);
  };
  const auto flag = [&](llvm::StringRef key, const llvm::json::Value &value, bool &into) {
    if (const std::optional<bool> given = value.getAsBoolean())
      into = *given;
    else
      complain(key, "true or false");
  };
  for (const auto &[name, value] : options) {
    const std::string key = name.str();
    if (value.getAsNull())
      continue;
    if (key == "inlayHints") {
      const std::string word = value.getAsString().value_or("").str();
      if (word == "all")
        settings.inlay_hints = ClientSettings::Hints::All;
      else if (word == "costly")
        settings.inlay_hints = ClientSettings::Hints::Costly;
      else if (word == "off")
        settings.inlay_hints = ClientSettings::Hints::Off;
      else
        complain(key, "all, costly or off");
    } else if (key == "codeLens") {
      flag(key, value, settings.code_lens);
    } else if (key == "compilerErrors") {
      flag(key, value, settings.compiler_errors);
    } else if (key == "fixes") {
      flag(key, value, settings.fixes);
    } else if (key == "whileTyping") {
      flag(key, value, settings.while_typing);
    } else if (key == "delay") {
      const std::optional<std::int64_t> delay = value.getAsInteger();
      if (delay && *delay >= 0 && *delay <= 60'000)
        settings.delay = std::chrono::milliseconds(*delay);
      else
        complain(key, "milliseconds from 0 to 60000");
    } else if (key == "arguments") {
      const llvm::json::Array *list = value.getAsArray();
      if (list &&
          std::ranges::all_of(*list, [](const llvm::json::Value &one) { return one.getAsString().has_value(); })) {
        settings.arguments.clear();
        for (const llvm::json::Value &one : *list)
          settings.arguments.push_back(one.getAsString()->str());
      } else {
        complain(key, "a list of options");
      }
    } // others are a client's own
  }
}

} // namespace smem::lsp
