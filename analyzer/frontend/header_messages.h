// What is said of headers that are included and not installed, one message for all that are alike.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/project_headers.h"
#include "support/diagnostic.h"

namespace smem {

/// How a header is missing.
enum class Missing {
  StandIn,   ///< one is shipped for it
  Framework, ///< of host code
  Taken,     ///< from the only place in the project
  Chosen,    ///< from the nearest of several
  InFolder,  ///< of the project
  InFolders,
  Generated, ///< by the build
  Nowhere,
};

class HeaderMessages {
public:
  /// `messages` are those of a compilation; `project` may be null.
  HeaderMessages(std::vector<Diagnostic> &messages, ProjectFiles *project) : messages_(messages), project_(project) {}

  /// Of `folder`, or of a framework by its name; of a header that the build makes, the file that it is made of. `place` is that of its first header.
  void add(Missing missing, const std::string &folder, const std::string &header, const SourceLocation &place);

private:
  struct Group {
    std::size_t message = 0; ///< of messages_
    std::string first;
    std::set<std::string> headers;
  };

  std::string text(Missing missing, const std::string &folder, const std::string &first, std::size_t more) const;

  std::vector<Diagnostic> &messages_;
  ProjectFiles *project_;
  std::map<std::pair<Missing, std::string>, Group> groups_;
};

} // namespace smem
