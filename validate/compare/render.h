// One comparison, several forms.
#pragma once

#include "model.h"

#include <filesystem>

namespace smem::compare {

/// What a report says about its two inputs.
struct Provenance {
  std::string predicted_name, measured_name, arch, gpu, date;
};

struct TextOptions {
  bool verbose = false; ///< the rows that agree, too
  bool color = false;
};

std::string render_text(const Comparison &comparison, const Provenance &provenance, const TextOptions &options = {});
std::string render_json(const Comparison &comparison, const Provenance &provenance);
/// For a pull-request comment: headline, then the rows that disagree, folded when there are many.
std::string render_markdown(const Comparison &comparison, const Provenance &provenance);
/// One self-contained page. Sources are read from where the prediction says they are, relative to `source_root`.
std::string render_html(const Comparison &comparison, const Provenance &provenance,
                        const std::filesystem::path &source_root);

// --- Parts that several forms share ---------------------------------------------------------------------------------------

/// `98.7%`; 100% only if all of them.
std::string percent(std::size_t part, std::size_t whole);
/// `rows 412 · exact 410 (99.5%) · unknown 1 · mismatch 1 · false claims 0`.
std::string headline(const Summary &summary);
/// `file:line`, or what stands for it.
std::string show(const Place &place);
/// `shared load`, `async copy`.
std::string show_access(const Row &row);
/// `kernel<4>(float *)`, its configuration, and how many launches alike.
std::string show_launch(const LaunchComparison &launch);
/// Expressions of the row's sites, without repeats.
std::string expressions(const Row &row);
/// What a person should know beside the rows: warnings, launches of one side only, what was left out.
std::vector<std::string> remarks(const Comparison &comparison);

} // namespace smem::compare
