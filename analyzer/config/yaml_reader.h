// One document of YAML, whose mistakes are collected with their places.
#pragma once

#include "smem/source.h"
#include "support/diagnostic.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

namespace smem {

/// Reading goes on behind a mistake, so that all of them are seen.
class YamlReader {
public:
  YamlReader(std::string name, std::vector<Diagnostic> &diagnostics);

protected:
  using Node = llvm::yaml::Node;
  using Handler = std::function<void(Node *)>;
  using Keys = std::vector<std::pair<std::string, Handler>>;

  /// Hands the document's root on. False: there is none, as in an empty file, or it cannot be parsed, which has been said then.
  bool document(std::string_view text, const Handler &root);

  /// Without a line where the parser has none: a node that it makes once it has failed begins nowhere.
  SourceLocation place(const Node *node) const;
  void complain(const Node *node, std::string message) { fail(place(node), std::move(message)); }
  void fail(const SourceLocation &at, std::string message);

  using Entry = std::function<void(const std::string &key, const SourceLocation &, Node *value)>;
  /// All entries, as they stand there; `value` may be null where the parser has complained.
  void entries(llvm::yaml::MappingNode &map, const Entry &each);
  /// The keys of a mapping; an unknown one, or one that stands there twice, is an error.
  void mapping(Node *node, const std::string &what, const Keys &keys);
  /// The entries of a mapping whose keys are names of the user's, each once; one that is empty says nothing.
  void named(Node *node, const std::string &what, const Entry &each);
  void sequence(Node *node, const std::string &key, const Handler &each);
  std::optional<std::string> scalar(Node *node, const std::string &key);

private:
  std::string name_;
  std::vector<Diagnostic> &diagnostics_;
  llvm::SourceMgr sources_;
};

} // namespace smem
