#include "report/claim.h"

namespace smem {

std::string if_assumed(const Claim &claim) {
  std::string values;
  for (const std::string &value : claim.rests_on)
    values += (values.empty() ? "" : ", ") + value;
  if (!claim.assumed_headers.empty())
    return " if " + claim.assumed_headers + (values.empty() ? "" : ", and " + values + ", as assumed");
  return values.empty() ? ", in a launch that is assumed"
                        : " if " + values + ", which " + (claim.rests_on.size() == 1 ? "is" : "are") + " assumed";
}

std::string how_to_state(const Claim &claim, const std::string &kernel) {
  std::string words;
  for (const std::string &name : claim.to_state)
    words += (words.empty() ? "" : " ") + name + "=<value>";
  if (claim.of_template)
    return "name its template arguments: --launch '" + kernel.substr(0, kernel.find('<')) + "<...>:" + words + "'";
  return words.empty() ? "" : "state it: --launch '" + kernel + ":" + words + "'";
}

} // namespace smem
