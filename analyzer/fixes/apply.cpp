#include "fixes/apply.h"

#include <map>
#include <set>

namespace smem {
namespace {

/// An edit whatever its file is called.
bool same_edits(const std::vector<Edit> &a, const std::vector<Edit> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Edit &x, const Edit &y) {
    return x.offset == y.offset && x.length == y.length && x.replacement == y.replacement;
  });
}

} // namespace

std::size_t FixPlan::edits() const {
  std::size_t all = 0;
  for (const EditedFile &file : files)
    all += file.edits.size();
  return all;
}

FixPlan plan_fixes(std::span<const FileFixes> fixes, const std::function<WritableFile(const std::string &)> &writable) {
  FixPlan plan;
  plan.done.resize(fixes.size());
  std::map<std::string, EditedFile> edited; // by the file's path without links
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    std::map<std::string, std::vector<Edit>> by_path;
    for (const Edit &edit : fixes[i].combined)
      by_path[edit.file].push_back(edit);
    std::map<std::string, EditedFile> own;
    std::string obstacle;
    for (auto &[path, edits] : by_path) {
      const WritableFile file = writable(path);
      const auto text = fixes[i].texts.find(path);
      std::string now;
      const std::string real = file.tree ? file.tree->path() + "/" + file.name : std::string();
      if (!file.tree)
        obstacle = file.refusal;
      else if (const auto known = edited.find(real);
               (known != edited.end() && !same_edits(known->second.edits, edits)) || own.count(real) != 0)
        obstacle = "'" + path + "' is edited for another file at the same time; run again";
      else if (text == fixes[i].texts.end() || !file.tree->read(file.name, SIZE_MAX, now) || now != text->second)
        obstacle = "'" + path + "' has changed since it was analysed";
      if (!obstacle.empty())
        break;
      own.emplace(real, EditedFile{file.tree, file.name, path, std::move(edits), text->second});
    }
    if (!obstacle.empty()) {
      plan.skipped.push_back(obstacle);
      continue;
    }
    plan.done[i] = !own.empty();
    edited.merge(own);
  }
  for (auto &[real, file] : edited)
    plan.files.push_back(std::move(file));
  return plan;
}

std::string apply_fixes(const FixPlan &plan) {
  sinks::Replacement replacement;
  for (const EditedFile &file : plan.files)
    if (std::string error = replacement.stage(*file.tree, file.name, apply_edits(file.text, file.edits, file.path));
        !error.empty())
      return error;
  return replacement.commit();
}

} // namespace smem
