// What the formats for machines have in common.
#pragma once

#include "report/finding.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// Texts of JSON are UTF-8; source text need not be.
std::string utf8(std::string_view text);

/// UTF-16 code units of a text in UTF-8; a byte that is none counts as one.
std::size_t utf16_units(std::string_view text);

/// A path as a URI reference: what may not stand in one is percent-encoded. Absolute paths become file: URIs.
std::string uri_of(std::string_view path);

/// The message, and in how many launches or instantiations: "32-way bank conflict: … (worst of 3 launches)".
std::string headline(const Finding &finding);

/// The headline, cost, cause and hint (or the fixes in its place), a line each.
std::string paragraphs(const Finding &finding);

/// A note that the launch of a kernel is not known, or that it was not followed to its end: about the analysis, not the code.
bool is_about_the_analysis(const Finding &finding);

/// What a fix promises: "pad ...: 32 wavefronts become 1, +128 bytes of shared memory".
std::string fix_text(const Fix &fix);

/// What is wrong whatever it costs: races, accesses outside of an array, launches that fail.
bool is_about_correctness(const Finding &finding);

/// Indices of `findings`, the worst first: notes last; before them what is wrong, then by severity, by what the floor loses without it, by what part of
/// the kernel's traffic is avoidable, then by place.
std::vector<std::size_t> worst_first(std::span<const Finding> findings);

/// "new", "worse", "unchanged", "better"; empty for none.
std::string_view to_string(BaselineState state);

} // namespace smem
