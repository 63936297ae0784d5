// What authors say their code may cost: `// smem-lint: expect degree<=2` beside an access, `expect race-free` above a kernel, budgets of
// kernels in the configuration. Both are checked against every launch that was analysed.
#pragma once

#include "config/config.h"
#include "report/findings.h"
#include "syntax/comments.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

struct Expectation {
  enum class Metric : std::uint8_t { Degree, WavefrontsPerRequest, SectorsPerRequest, RaceFree };
  SourceLocation location; ///< of the comment
  unsigned line =
      0; ///< of the access, or where the kernel begins: the comment's own, or the next line of code below a comment that stands alone
  Metric metric = Metric::Degree;
  bool equal = false; ///< `==`, otherwise `<=`
  double limit = 0;
  std::string text; ///< as written: `degree<=2`
};

struct Expectations {
  std::vector<Expectation> expectations;
  std::vector<Diagnostic> diagnostics; ///< errors: comments that cannot be read
};
Expectations find_expectations(const std::string &file, std::string_view source, std::span<const CommentLine> comments);

/// A finding for every expectation that is broken, or stale: there is nothing that it could be about.
std::vector<Finding> check_expectations(std::span<const FileAnalysis> files, std::span<const Expectation> expectations);

/// The same for budgets. `budgets_of(i)` gives those that hold for files[i].
std::vector<Finding> check_budgets(std::span<const FileAnalysis> files,
                                   const std::vector<const std::vector<KernelBudget> *> &budgets_of);

} // namespace smem
