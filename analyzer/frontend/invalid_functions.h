// Functions whose declarations have errors, and what names them.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace clang {
class FunctionDecl;
}

namespace smem {

/// A statement that calls such a function is left out by Clang without a word, but for overloads that differ in who they are for: what is left are its words in the source.
class InvalidFunctions {
public:
  void add(const clang::FunctionDecl &function, std::string why);

  /// The first of them, and its error, that the body of `function` has the name of where it names nothing else; null: none.
  const std::pair<const std::string, std::string> *named_by(const clang::FunctionDecl &function) const;

private:
  std::map<std::string, std::string> errors_; ///< by name
};

} // namespace smem
