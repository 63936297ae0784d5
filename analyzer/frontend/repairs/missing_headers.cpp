#include "frontend/repairs/missing_headers.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/header_patterns.h"
#include "frontend/included_names.h"
#include "frontend/host_frameworks.h"
#include "frontend/known_headers.h"
#include "frontend/regular_files.h"
#include "sinks/files.h"

namespace smem {
namespace {

/// What these headers include, as far as the project has it: it is taken where no folder has one of that name, and so in the next attempt.
void add_included(std::vector<HeaderInProject> headers, OwnHeaders &own) {
  constexpr std::size_t kMostHeaders = 2000;
  while (!headers.empty() && own.found.size() < kMostHeaders) {
    const std::string file = std::move(headers.back().file);
    headers.pop_back();
    std::string wrong;
    const std::optional<std::string> text = sinks::read_file(file, wrong, kLargestSource);
    for (const IncludedName &included : text ? included_names(*text) : std::vector<IncludedName>()) {
      const std::string plain = plain_header_name(std::string(included.name));
      if (plain.empty() || own.found.contains(plain))
        continue;
      if (HeaderInProject found = own.project->find(plain, file); !found.file.empty() && found.file != file)
        headers.push_back(own.found.emplace(plain, std::move(found)).first->second);
    }
  }
}

} // namespace

Next MissingHeaders::after(Progress &progress) {
  const bool found = take_from_project(progress), stands_in = stand_in(progress), made = generate(progress);
  return found || stands_in || made || include_known(progress) ? Next::AgainForFree : Next::Step;
}

bool MissingHeaders::take_from_project(Progress &progress) {
  constexpr std::size_t kMostSearches = 16; // of names that macros have, among them
  if (searches_ == kMostSearches)
    return false;
  OwnHeaders &own = progress.repairs.own_headers;
  std::vector<HeaderInProject> fresh;
  for (auto &[name, header] : progress.attempt.inclusions.in_project)
    if (const auto [entry, is_new] = own.found.emplace(name, std::move(header)); is_new)
      fresh.push_back(entry->second);
  if (fresh.empty())
    return false;
  add_included(std::move(fresh), own);
  ++searches_;
  return true;
}

bool MissingHeaders::generate(Progress &progress) {
  bool more = false;
  for (const auto &[name, pattern] : progress.attempt.inclusions.patterns) {
    std::string wrong;
    if (progress.repairs.own_headers.generated.contains(name))
      continue;
    if (const std::optional<std::string> text = sinks::read_file(pattern, wrong, kLargestSource)) {
      progress.repairs.own_headers.generated.emplace(name, header_of_pattern(*text));
      more = true;
    }
  }
  return more;
}

bool MissingHeaders::include_known(Progress &progress) {
  constexpr std::size_t kMostRounds = 4; // an error may hide others
  const std::string &missing = progress.attempt.inclusions.first_missing;
  if (missing.empty() || rounds_ == kMostRounds)
    return false;
  ++rounds_;
  bool more = false;
  for (const SourceError &error : progress.attempt.errors)
    if (const std::string_view header = header_missed_by(error); !header.empty() && header != missing)
      more |= progress.repairs.own_headers.implied[missing].emplace(header).second;
  return more;
}

bool MissingHeaders::stand_in(Progress &progress) {
  if (progress.attempt.inclusions.has_pytorch)
    std::erase_if(progress.attempt.inclusions.replaceable,
                  [](const std::string &header) { return stand_in_for(header) == StandIn::PyTorch; });
  auto &stand_ins = progress.repairs.stand_ins;
  const std::size_t known = stand_ins.size();
  stand_ins.merge(progress.attempt.inclusions.replaceable);
  return stand_ins.size() != known && !progress.headers.empty();
}

} // namespace smem
