// What the two forms of the text report have in common, and the short one.
#pragma once

#include "report/format.h"
#include "report/report.h"

#include <string>

namespace smem {

Style severity_style(Diagnostic::Severity severity);

/// `path:line:col: warning: message`
std::string heading(const SourceLocation &location, Diagnostic::Severity severity, const std::string &message,
                    bool color);

/// An indented line that begins with a label; none for an empty text.
void details(std::string &out, const char *label, const std::string &text, bool color);

/// What findings of one launch are worth, where something is known of that; empty where they are notes.
std::string worth_of(const Report &report, std::span<const Finding *const> findings);

/// The message, and how it compares with the baseline.
std::string with_state(const Finding &finding);

/// The findings, the worst first, in at most four lines each: those that one array of a kernel has for one reason are one.
/// `all`: before those of one statement became one, for what they cost together.
std::string short_findings(const Report &report, std::span<const Finding> all, bool color);

/// The kernels with most that can be avoided; empty where it says no more than the findings.
/// `shown`: the findings that were printed, to be counted.
std::string worst_kernels(const Report &report, std::span<const Finding> shown, bool color);

/// In a line each: how many kernels have launches that are not known, of how many it is open whether threads race, and how many were not followed to their end.
std::string open_launches(const Report &report);

} // namespace smem
