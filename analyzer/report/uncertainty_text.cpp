#include "report/uncertainty_text.h"

#include "nvcc/rules/calibration.h"
#include "report/format.h"

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

/// What machine code has shown of accesses that rest on this and nothing else.
std::string measured(const UncertaintyInfo &info) {
  const CalibratedClass *known = calibration_of(info.id);
  if (!known || info.scope == UncertaintyScope::MachineCode)
    return {};
  return "Against machine code of public kernels " + thousands(known->right) + " of " + plural(known->rows(), "row") +
         " that rest on it were right; of at least " + std::to_string(kClaimedRows) +
         " rows, 99.9% would make it a claim.";
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
  if (const std::string share = measured(info); !share.empty())
    out.append("\n").append(share).append("\n");
  return out;
}

std::string explain_markdown(const UncertaintyInfo &info) {
  std::string out("# ");
  out.append(info.id).append("\n\n*").append(info.sentence).append("*\n\n");
  out.append(info.when).append(" ").append(consequence(info)).append("\n");
  if (const std::string share = measured(info); !share.empty())
    out.append("\n").append(share).append("\n");
  return out;
}

} // namespace smem
