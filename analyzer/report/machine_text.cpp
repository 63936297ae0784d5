#include "report/machine_text.h"

#include "report/format.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>

namespace smem {

std::string utf8(std::string_view text) {
  const llvm::StringRef view(text.data(), text.size());
  return llvm::json::isUTF8(view) ? std::string(text) : llvm::json::fixUTF8(view);
}

std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80)
      units += byte >= 0xf0 ? 2 : 1; // beyond the basic plane: a surrogate pair
  }
  return units;
}

std::string uri_of(std::string_view path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (llvm::isAlnum(c) || std::string_view("-._~/+@!$&'()*,;=").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += llvm::hexdigit(static_cast<unsigned char>(c) >> 4);
      out += llvm::hexdigit(static_cast<unsigned char>(c) & 15);
    }
  }
  return out;
}

std::string fix_text(const Fix &fix) {
  std::string out = fix.title;
  const auto change = [&](std::uint64_t before, std::uint64_t after, const char *noun) {
    if (before != after)
      out += (out.size() == fix.title.size() ? ": " : ", ") + thousands(before) + " " + noun + " become " +
             thousands(after);
  };
  change(fix.before.wavefronts, fix.after.wavefronts, "wavefronts");
  change(fix.before.sectors, fix.after.sectors, "sectors");
  if (fix.shared_bytes_after > fix.shared_bytes_before)
    out += ", +" + plural(fix.shared_bytes_after - fix.shared_bytes_before, "byte") + " of shared memory a block";
  if (fix.blocks_per_sm_before && fix.blocks_per_sm_after && *fix.blocks_per_sm_before != *fix.blocks_per_sm_after)
    out += ", " + plural(*fix.blocks_per_sm_after, "block") + " an SM instead of " +
           std::to_string(*fix.blocks_per_sm_before);
  if (fix.rests_on_merging)
    out += ", if nvcc merges the edited accesses as modelled";
  if (!fix.not_written.empty())
    out += " (not written as an edit: " + fix.not_written + ")";
  return out;
}

std::string headline(const Finding &finding) {
  return finding.message + (finding.extent.empty() ? "" : " (" + finding.extent + ")");
}

bool is_about_the_analysis(const Finding &finding) {
  return finding.severity == Diagnostic::Severity::Note &&
         (finding.rule->id == rule::launch_unknown || finding.rule->id == rule::analysis_budget);
}

std::string paragraphs(const Finding &finding) {
  std::string out = headline(finding);
  for (const std::string &text : {finding.cost, finding.cause})
    if (!text.empty())
      out += "\n" + text;
  if (!finding.fixes.empty())
    out += "\n" + fix_text(finding.fixes.front());
  else if (!finding.hint.empty())
    out += "\n" + finding.hint;
  return out;
}

bool is_about_correctness(const Finding &finding) { return tags_of(*finding.rule).front() == "correctness"; }

std::vector<std::size_t> worst_first(std::span<const Finding> findings) {
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Finding &x = findings[a], &y = findings[b];
    const auto key = [](const Finding &finding) {
      const double gain = finding.worth ? finding.worth->gain() : 1;
      return std::tuple(finding.severity == Diagnostic::Severity::Note, !is_about_correctness(finding),
                        -static_cast<int>(finding.severity), -gain, -finding.avoidable(),
                        -static_cast<double>(finding.excess()));
    };
    return key(x) < key(y);
  });
  return order;
}

std::string_view to_string(BaselineState state) {
  switch (state) {
  case BaselineState::New: return "new";
  case BaselineState::Worse: return "worse";
  case BaselineState::Unchanged: return "unchanged";
  case BaselineState::Better: return "better";
  case BaselineState::None: break;
  }
  return "";
}

} // namespace smem
