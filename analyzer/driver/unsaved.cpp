#include "driver/unsaved.h"

#include "support/paths.h"

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

namespace smem {

std::optional<std::map<std::string, std::string>> parse_unsaved(std::string_view json, std::string &error) {
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(json);
  if (!document) {
    error = llvm::toString(document.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *texts = document->getAsObject();
  std::map<std::string, std::string> unsaved;
  if (!texts) {
    error = "an object with a text for each path is needed";
    return std::nullopt;
  }
  for (const auto &[path, text] : *texts) {
    const std::optional<llvm::StringRef> contents = text.getAsString();
    if (!contents) {
      error = "the text of '" + path.str() + "' is no string";
      return std::nullopt;
    }
    unsaved[normalise_path(path.str())] = contents->str();
  }
  return unsaved;
}

} // namespace smem
