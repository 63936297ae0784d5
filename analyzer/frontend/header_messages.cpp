#include "frontend/header_messages.h"

namespace smem {

/// `first` and how many more.
std::string HeaderMessages::text(Missing missing, const std::string &folder, const std::string &first,
                                 std::size_t more) const {
  const std::string others =
      more == 0 ? std::string() : " and " + std::to_string(more) + " more " + (more == 1 ? "header" : "headers");
  const bool framework = missing == Missing::StandIn || missing == Missing::Framework;
  const std::string of = more != 0 && framework ? " of " + folder : std::string();
  const std::string subject =
      (framework ? "<" + first + ">" + others + of : "'" + first + "'" + others) + (more == 0 ? " is " : " are ");
  const std::string them = more == 0 ? "it" : "them";
  switch (missing) {
  case Missing::StandIn: return subject + "not installed; host code is followed by a stand-in for " + them;
  case Missing::Framework: return subject + "not installed; kernels are analysed without " + them;
  case Missing::Taken:
    return subject + "taken from " + folder + ": this project has no other " +
           (more == 0 ? "file of that name" : "files of these names");
  case Missing::Chosen: return subject + "taken from " + folder + ", the nearest of several in this project";
  case Missing::InFolder: return subject + "in " + folder + ": `-- -I" + folder + "` would find " + them;
  case Missing::InFolders:
    return subject + "in " + folder + " and elsewhere: `-- -I" + folder + "` would find " +
           (more == 0 ? "that one" : "those");
  case Missing::Generated:
    return subject + "made by the build, from the pattern " + folder +
           ", of which only what is for CUDA is taken to be on: `-- -IFOLDER` names where, `-p DIR` the build's compile_commands.json";
  case Missing::Nowhere: break;
  }
  const std::vector<std::string> absent = project_ ? project_->absent_submodules() : std::vector<std::string>();
  const std::string of_git =
      absent.empty() ? std::string()
                     : ", whose submodule" + std::string(absent.size() == 1 ? " " : "s ") + absent.front() +
                           (absent.size() == 1 ? " is" : " and " + std::to_string(absent.size() - 1) + " more are") +
                           " not checked out (`git submodule update --init`)";
  return subject + "in no folder of this project" + of_git + ": `-- -IFOLDER` names " + (more == 0 ? "its" : "their") +
         " folder, `-p DIR` the build's compile_commands.json";
}

void HeaderMessages::add(Missing missing, const std::string &folder, const std::string &header,
                         const SourceLocation &place) {
  const auto [entry, fresh] = groups_.try_emplace({missing, folder});
  Group &group = entry->second;
  if (fresh) {
    group = {messages_.size(), header, {header}};
    messages_.push_back({missing == Missing::Framework ? Diagnostic::Severity::Warning : Diagnostic::Severity::Note,
                         place, text(missing, folder, header, 0)});
  } else if (group.headers.insert(header).second) {
    messages_[group.message].message = text(missing, folder, group.first, group.headers.size() - 1);
  }
}

} // namespace smem
