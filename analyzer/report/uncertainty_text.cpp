#include "report/uncertainty_text.h"

namespace smem {
namespace {

constexpr std::string_view kOtherRemedy = "`--as-compiled` asks nvcc.";

/// The compiler has no say in the last two.
bool is_of_compiler(const UncertaintyInfo &info) {
  return info.kind != Uncertainty::BlockOrder && info.kind != Uncertainty::ChangedValue;
}

std::string remedy(const UncertaintyInfo &info) {
  return std::string(info.remedy) + (is_of_compiler(info) ? " " + std::string(kOtherRemedy) : std::string());
}

std::string_view scope(const UncertaintyInfo &info) {
  return info.counts_only
             ? "How often the access is made, or on which line it is counted, rests on it. What one request costs does not."
             : "The counts rest on it.";
}

} // namespace

std::vector<std::string> uncertainty_ids() {
  std::vector<std::string> ids;
  for (const UncertaintyInfo &info : all_uncertainties())
    ids.emplace_back(info.id);
  return ids;
}

std::string explain_text(const UncertaintyInfo &info) {
  std::string out(info.id);
  out.append(": ").append(info.sentence).append("\n\n");
  out.append("When:\n  ").append(info.when).append("\n\n");
  out.append("Then:\n  ").append(scope(info)).append("\n\n");
  out.append("What settles it:\n  ").append(remedy(info)).append("\n");
  return out;
}

std::string explain_markdown(const UncertaintyInfo &info) {
  std::string out("# ");
  out.append(info.id).append("\n\n*").append(info.sentence).append("*\n\n");
  out.append(info.when).append(" ").append(scope(info)).append("\n\n");
  out.append("What settles it: ").append(remedy(info)).append("\n");
  return out;
}

} // namespace smem
