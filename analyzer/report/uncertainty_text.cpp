#include "report/uncertainty_text.h"

namespace smem {
namespace {

std::string_view consequence(const UncertaintyInfo &info) {
  switch (info.scope) {
  case UncertaintyScope::Source: return "The counts rest on it; `--as-compiled` settles it with nvcc's machine code.";
  case UncertaintyScope::Counts:
    return "How often the access is made, or on which line it is counted, rests on it, and what one request costs does not; "
           "`--as-compiled` settles it with nvcc's machine code.";
  case UncertaintyScope::MachineCode: break;
  }
  return "The counts rest on it, as compiled, too.";
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
  out.append(info.when).append("\n\n").append(consequence(info)).append("\n");
  return out;
}

std::string explain_markdown(const UncertaintyInfo &info) {
  std::string out("# ");
  out.append(info.id).append("\n\n*").append(info.sentence).append("*\n\n");
  out.append(info.when).append(" ").append(consequence(info)).append("\n");
  return out;
}

} // namespace smem
