// What an analysis says of files, as `smem-lint --for-editor` prints it (report/editor_report.cpp). Places are lines and columns in bytes, from 1.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "smem/source.h"

namespace smem::lsp {

/// Of what the front end, comments or the configuration say.
struct Problem {
  SourceLocation location;
  std::string severity, message; ///< "note", "warning", "error"
  bool incomplete = false;       ///< something was not analysed
};

struct ViewEdit {
  std::string file;
  std::size_t offset = 0, length = 0; ///< bytes
  std::string text;
};

struct ViewFix {
  std::string title;
  std::vector<ViewEdit> edits;
};

struct Related {
  SourceLocation location;
  std::string message;
};

struct ViewFinding {
  SourceLocation location;
  std::string expression; ///< of the access; may be empty
  std::string severity, rule, message, url;
  std::vector<std::string> lines; ///< cost, cause, hint, floor
  std::vector<Related> related;
  std::vector<ViewFix> fixes;
};

struct ViewAccess {
  SourceLocation location;
  std::string expression, label, hover, expect; ///< hover: Markdown
  bool costly = false;
};

struct ViewKernel {
  SourceLocation location;
  std::string name, title, launch; ///< launch: as a comment states it
  bool stated = false;             ///< a comment states it already
  unsigned above = 0;              ///< the line that a comment goes before
};

struct View {
  bool parsed = false;
  std::vector<Problem> problems;
  std::vector<ViewFinding> findings;
  std::vector<ViewAccess> accesses;
  std::vector<ViewKernel> kernels;
  std::set<std::string> read; ///< files that it was made of
};

/// Nothing if the text is none. Files become absolute, relative ones being in the working directory.
std::optional<View> parse_view(std::string_view json);

} // namespace smem::lsp
