#include "gate/suppressions.h"

#include "support/nearest.h"
#include "support/glob.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace smem {
namespace {

constexpr std::string_view kWord = "NOLINT";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  const auto last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string() : std::string(text.substr(first, last - first + 1));
}

bool matches_a_rule(std::string_view glob) {
  const auto all = rules();
  return std::any_of(all.begin(), all.end(), [&](const Rule &rule) { return glob_matches(glob, rule.id); });
}

/// A comment as written, before begins and ends are paired.
struct Written {
  enum class Kind { Line, NextLine, Begin, End } kind = Kind::Line;
  std::string list;     ///< the names as they stand there; an end must repeat those of its begin
  bool foreign = false; ///< has names, none of them ours
  NoLint comment;
};

class Reader {
public:
  Reader(const std::string &file, NoLints &out) : file(file), out(out) {}

  void read(const CommentLine &line) {
    for (std::size_t at = line.text.find(kWord); at != std::string::npos; at = line.text.find(kWord, at)) {
      const bool starts = at == 0 || !std::isalnum(static_cast<unsigned char>(line.text[at - 1]));
      Written written;
      written.comment.location = {file, line.line, line.column + static_cast<unsigned>(at)};
      at += kWord.size();
      for (const auto &[suffix, kind] :
           {std::pair<std::string_view, Written::Kind>{"NEXTLINE", Written::Kind::NextLine},
            {"BEGIN", Written::Kind::Begin},
            {"END", Written::Kind::End}})
        if (std::string_view(line.text).substr(at).starts_with(suffix)) {
          written.kind = kind;
          at += suffix.size();
          break;
        }
      if (!starts ||
          (at < line.text.size() && (std::isalnum(static_cast<unsigned char>(line.text[at])) || line.text[at] == '_')))
        continue; // part of another word
      at = names(line.text, at, written);
      place(std::move(written));
    }
  }

  void finish() {
    for (const Written &begin : open)
      if (!begin.foreign)
        complain(begin.comment.location,
                 "NOLINTBEGIN" + shown(begin.list) + " without a NOLINTEND" + shown(begin.list));
  }

private:
  void complain(const SourceLocation &location, std::string message) {
    out.diagnostics.push_back({Diagnostic::Severity::Error, location, std::move(message)});
  }
  static std::string shown(const std::string &list) { return list.empty() ? std::string() : "(" + list + ")"; }

  std::size_t names(const std::string &text, std::size_t at, Written &written) {
    written.comment.all = true;
    const std::size_t close = at < text.size() && text[at] == '(' ? text.find(')', at) : std::string::npos;
    if (close != std::string::npos) {
      written.comment.all = false;
      bool any = false;
      for (std::size_t from = at + 1; from <= close;) {
        const std::size_t comma = std::min(text.find(',', from), close);
        const std::string name = trimmed(std::string_view(text).substr(from, comma - from));
        from = comma + 1;
        if (name.empty())
          continue;
        any = true;
        written.list += (written.list.empty() ? "" : ",") + name;
        if (name == "*")
          written.comment.all = true;
        else if (matches_a_rule(name))
          written.comment.rules.push_back(name);
        else if (const std::string nearest = did_you_mean(name, rule_ids());
                 !nearest.empty() || name.starts_with("smem-") || name.starts_with("gmem-") ||
                 name.starts_with("launch-"))
          complain(written.comment.location, "NOLINT names an unknown rule '" + name + "'" + nearest);
      }
      written.foreign = any && !written.comment.all && written.comment.rules.empty();
      at = close + 1;
    }
    if (at < text.size() && text[at] == ':') {
      const std::size_t next = text.find(kWord, at);
      written.comment.reason =
          trimmed(std::string_view(text).substr(at + 1, next == std::string::npos ? next : next - at - 1));
    }
    return at;
  }

  void place(Written written) {
    NoLint &comment = written.comment;
    const unsigned line = comment.location.line;
    switch (written.kind) {
    case Written::Kind::Line: comment.first = comment.last = line; break;
    case Written::Kind::NextLine: comment.first = comment.last = line + 1; break;
    case Written::Kind::Begin: open.push_back(std::move(written)); return;
    case Written::Kind::End: {
      const auto begin =
          std::find_if(open.rbegin(), open.rend(), [&](const Written &other) { return other.list == written.list; });
      if (begin == open.rend()) {
        if (!written.foreign)
          complain(comment.location,
                   "NOLINTEND" + shown(written.list) + " without a NOLINTBEGIN" + shown(written.list));
        return;
      }
      written = std::move(*begin);
      open.erase(std::next(begin).base());
      written.comment.first = written.comment.location.line;
      written.comment.last = line;
      break;
    }
    }
    if (!written.foreign)
      out.comments.push_back(std::move(written.comment));
  }

  const std::string &file;
  NoLints &out;
  std::vector<Written> open;
};

/// Lines with an instruction whose cost is not known: what a comment there suppresses is not known either.
std::set<std::pair<std::string, unsigned>> unknown_lines(std::span<const FileAnalysis> files) {
  std::set<std::pair<std::string, unsigned>> lines;
  for (const FileAnalysis &file : files)
    for (const LaunchAnalysis &launch : file.launches)
      for (std::size_t id = 0; id < launch.result.sites.size(); ++id)
        if (launch.result.sites[id].verdict == Verdict::Unknown) {
          const SourceLocation &place = file.programs[launch.program].sites[id].location;
          lines.emplace(place.file, place.line);
        }
  return lines;
}

} // namespace

NoLints find_nolints(const std::string &file, std::span<const CommentLine> comments) {
  NoLints found;
  Reader reader(file, found);
  for (const CommentLine &line : comments)
    reader.read(line);
  reader.finish();
  return found;
}

void apply_nolints(std::span<const FileAnalysis> files, const std::vector<NoLint> &comments,
                   std::vector<Finding> &findings,
                   const std::function<const FindingOptions &(const std::string &)> &options_of) {
  std::set<std::pair<const NoLint *, std::string>> used;
  for (Finding &finding : findings)
    for (const NoLint &comment : comments) {
      if (comment.location.file != finding.location.file || finding.location.line < comment.first ||
          finding.location.line > comment.last)
        continue;
      bool suppressed = comment.all;
      for (const std::string &glob : comment.rules)
        if (glob_matches(glob, finding.rule->id)) {
          suppressed = true;
          used.emplace(&comment, glob);
        }
      if (suppressed && !finding.suppression)
        finding.suppression = Suppression{comment.location, comment.reason};
    }

  const auto unknown = unknown_lines(files);
  const Rule &rule = *find_rule(rule::unused_nolint);
  for (const NoLint &comment : comments) {
    const FindingOptions &options = options_of(comment.location.file);
    const auto first_unknown = unknown.lower_bound({comment.location.file, comment.first});
    if (!options.checks.enabled(rule.id, comment.location.file) ||
        (first_unknown != unknown.end() && first_unknown->first == comment.location.file &&
         first_unknown->second <= comment.last))
      continue;
    for (const std::string &glob : comment.rules) {
      const auto all = rules();
      const bool could_fire = std::any_of(all.begin(), all.end(), [&](const Rule &other) {
        return glob_matches(glob, other.id) && options.checks.enabled(other.id, comment.location.file) &&
               other.id != rule.id;
      });
      // What a run finds of floors depends on what it is compared with.
      if (glob == rule::floor_raised)
        continue;
      if (!could_fire || used.count({&comment, glob}))
        continue;
      Finding finding;
      finding.rule = &rule;
      finding.severity = rule.severity;
      finding.location = comment.location;
      finding.message = "NOLINT(" + glob + ") suppresses nothing";
      finding.hint = "remove it: if the finding comes back, it shall be seen";
      apply_severity(finding, options);
      findings.push_back(std::move(finding));
    }
  }
}

} // namespace smem
