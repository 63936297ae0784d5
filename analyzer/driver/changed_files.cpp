#include "driver/changed_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "config/config.h"
#include "frontend/included_names.h"
#include "gate/git.h"
#include "sinks/files.h"
#include "frontend/project_headers.h"
#include "support/paths.h"
#include "support/repository.h"

namespace smem {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostIncluded = 4096; ///< files of one unit; what has more is taken to include everything

/// Files that flags have included before anything else.
std::vector<std::string> forced_files(const std::vector<std::string> &flags) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < flags.size(); ++i)
    for (const std::string_view option : {"-include", "--pre-include", "-imacros"}) {
      std::string_view value = flags[i];
      if (!value.starts_with(option) || value.starts_with("-include-pch"))
        continue;
      value.remove_prefix(option.size());
      if (value.starts_with('='))
        value.remove_prefix(1);
      else if (value.empty() && i + 1 < flags.size())
        value = flags[i + 1];
      if (!value.empty())
        files.push_back(normalise_path(value));
      break;
    }
  return files;
}

} // namespace

std::optional<ChangedFiles> files_changed_since(const std::string &revision, std::string &error) {
  const std::string here = normalise_path("."), root = repository_root(here);
  if (root.empty()) {
    error = "'" + here + "' is in no git repository";
    return std::nullopt;
  }
  const std::string commit = resolve_revision(root, revision, error);
  if (!error.empty())
    return std::nullopt;
  std::set<std::string> files;
  const auto add = [&](const std::vector<std::string> &arguments) {
    if (error.empty())
      for (const std::string &file : split_list(run_git(root, arguments, error)))
        files.insert(normalise_path(file, root));
  };
  add({"diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", commit,
       "--"});
  add({"ls-files", "-z", "--others", "--exclude-standard", "--full-name"});
  if (!error.empty())
    return std::nullopt;
  return ChangedFiles{root, std::move(files)};
}

/// A directive's name may mean a file in any folder that only the build knows.
bool Includers::is_meant(std::string_view included) const {
  while (included.starts_with("../") || included.starts_with("./"))
    included.remove_prefix(included.find('/') + 1);
  const std::string end = "/" + std::string(included);
  return std::ranges::any_of(changed_.files, [&](const std::string &file) { return file.ends_with(end); });
}

bool Includers::concerns(const std::string &file, const std::vector<std::string> &flags) const {
  const std::vector<std::string_view> folders = include_folders(flags);
  std::vector<std::string> files = forced_files(flags);
  files.push_back(normalise_path(file));
  std::set<std::string> known(files.begin(), files.end());
  ProjectFiles project(file);
  for (fs::path folder = fs::path(files.back()).parent_path();; folder = folder.parent_path()) {
    if (changed_.files.contains((folder / kConfigName).string()))
      return true;
    if (!folder.has_relative_path())
      break;
  }
  while (!files.empty()) {
    const std::string next = std::move(files.back());
    files.pop_back();
    if (changed_.files.contains(next) || known.size() > kMostIncluded)
      return true;
    std::string wrong;
    const std::optional<std::string> text = sinks::read_file(next, wrong);
    if (!text)
      continue;
    bool by_macro = false;
    for (const IncludedName &included : included_names(*text, &by_macro)) {
      const std::string name(included.name);
      if (is_meant(name))
        return true;
      std::vector<std::string> places{fs::path(next).parent_path().string()};
      for (const std::string_view folder : folders)
        places.push_back(normalise_path(folder));
      bool found = !included.quoted; // the toolkit's are in folders that no flag names
      const auto follow = [&](std::string candidate) {
        std::error_code none;
        if (candidate.empty() || !fs::is_regular_file(candidate, none))
          return;
        found = true;
        if (lies_in(candidate, changed_.root) && known.insert(candidate).second)
          files.push_back(std::move(candidate));
      };
      for (const std::string &folder : places)
        follow(normalise_path(name, folder));
      if (!found)
        follow(project.find(plain_header_name(name), next).file);
    }
    if (by_macro)
      return true;
  }
  return false;
}

bool names_any(std::string_view text, const std::set<std::string> &names) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    if (!in_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && in_word(text[at]))
      ++at;
    if (names.contains(std::string(text.substr(begin, at - begin))))
      return true;
  }
  return false;
}

} // namespace smem
