#include "lsp/view.h"

#include "support/paths.h"

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

namespace smem::lsp {
namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string string_of(const Object &object, llvm::StringRef key) { return object.getString(key).value_or("").str(); }

template <class Number> Number number_of(const Object &object, llvm::StringRef key) {
  return static_cast<Number>(object.getInteger(key).value_or(0));
}

/// Calls `add` for each object of an array.
template <class Add> void each(const Object &object, llvm::StringRef key, Add add) {
  if (const Array *all = object.getArray(key))
    for (const llvm::json::Value &one : *all)
      if (const Object *entry = one.getAsObject())
        add(*entry);
}

SourceLocation place_of(const Object &object) {
  SourceLocation location{string_of(object, "file"), number_of<unsigned>(object, "line"),
                          number_of<unsigned>(object, "column")};
  if (!location.file.empty())
    location.file = normalise_path(location.file);
  return location;
}

ViewFix fix_of(const Object &object) {
  ViewFix fix{string_of(object, "title"), {}};
  each(object, "edits", [&](const Object &edit) {
    fix.edits.push_back({normalise_path(string_of(edit, "file")), number_of<std::size_t>(edit, "offset"),
                         number_of<std::size_t>(edit, "length"), string_of(edit, "text")});
  });
  return fix;
}

ViewFinding finding_of(const Object &object) {
  ViewFinding finding{place_of(object),
                      string_of(object, "expression"),
                      string_of(object, "severity"),
                      string_of(object, "rule"),
                      string_of(object, "message"),
                      string_of(object, "url"),
                      {},
                      {},
                      {}};
  if (const Array *lines = object.getArray("lines"))
    for (const llvm::json::Value &line : *lines)
      finding.lines.push_back(line.getAsString().value_or("").str());
  each(object, "related",
       [&](const Object &one) { finding.related.push_back({place_of(one), string_of(one, "message")}); });
  each(object, "fixes", [&](const Object &one) { finding.fixes.push_back(fix_of(one)); });
  return finding;
}

} // namespace

std::optional<View> parse_view(std::string_view json) {
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(json);
  if (!document) {
    llvm::consumeError(document.takeError());
    return std::nullopt;
  }
  const Object *object = document->getAsObject();
  if (!object || !object->getArray("files"))
    return std::nullopt;
  View view;
  view.parsed = !object->getArray("files")->empty();
  each(*object, "files", [&](const Object &one) { view.parsed &= one.getBoolean("parsed").value_or(false); });
  each(*object, "problems", [&](const Object &one) {
    view.problems.push_back({place_of(one), string_of(one, "severity"), string_of(one, "message"),
                             one.getBoolean("incomplete").value_or(false)});
  });
  each(*object, "findings", [&](const Object &one) { view.findings.push_back(finding_of(one)); });
  each(*object, "accesses", [&](const Object &one) {
    view.accesses.push_back({place_of(one), string_of(one, "expression"), string_of(one, "label"),
                             string_of(one, "hover"), string_of(one, "expect"),
                             one.getBoolean("costly").value_or(false)});
  });
  each(*object, "kernels", [&](const Object &one) {
    view.kernels.push_back({place_of(one), string_of(one, "name"), string_of(one, "title"), string_of(one, "launch"),
                            one.getBoolean("stated").value_or(false), number_of<unsigned>(one, "above")});
  });
  if (const Array *read = object->getArray("read"))
    for (const llvm::json::Value &path : *read)
      view.read.insert(path.getAsString().value_or("").str());
  return view;
}

} // namespace smem::lsp
