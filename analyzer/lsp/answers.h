// A view in the words of the protocol. Nothing here knows of documents that are open, nor of requests.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <llvm/Support/JSON.h>

#include "lsp/settings.h"
#include "lsp/text.h"
#include "lsp/view.h"

namespace smem::lsp {

/// The text of a file as the view has it, and what clients call it.
struct FileTexts {
  std::function<const Text &(const std::string &path)> text;
  std::function<std::string(const std::string &path)> uri;
};

/// Where an access or a name is: its expression where the line has it, else the word or the character at the place.
protocol::Range range_of(const Text &text, const SourceLocation &location, const std::string &expression);

llvm::json::Object diagnostic_of(const ViewFinding &finding, const FileTexts &files);

/// By file. `main`: the document, which has what has no place.
std::map<std::string, llvm::json::Array> diagnostics_of(const View &view, const std::string &main,
                                                        const ClientSettings &settings, const FileTexts &files);

/// Of one file, null where there is nothing to say.
llvm::json::Value hover_at(const View &view, const std::string &path, const Text &text, protocol::Position position);
llvm::json::Array hints_in(const View &view, const std::string &path, const Text &text, protocol::Range range,
                           const ClientSettings &settings);
llvm::json::Array lenses_of(const View &view, const std::string &path, const Text &text);

} // namespace smem::lsp
