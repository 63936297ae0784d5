#include "report/launch_setup_findings.h"

#include <algorithm>
#include <string>

#include "report/format.h"
#include "report/identity.h"
#include "report/launch_finding.h"
#include "support/scalar_text.h"

namespace smem {
namespace {

/// `f` of `f<float, 32>`.
std::string without_arguments(const Program &program) { return program.kernel.substr(0, program.kernel.find('<')); }

/// Within the architecture's limit, but not without a word from the host.
Finding opt_in_finding(const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  const Program &program = file.programs[file.launches[launch].program];
  const Launch &configuration = file.launches[launch].launch;
  const Capacity &capacity = file.architecture->capacity;
  const std::uint64_t bytes = file.launches[launch].result.shared_bytes;
  Finding finding = launch_finding(rule::capacity, file, file_index, launch);
  finding.severity = Diagnostic::Severity::Note;
  finding.subject = without_arguments(program);
  finding.location = configuration.location.known() ? configuration.location : program.location;
  finding.message = thousands(bytes) + " bytes of shared memory a block of " + short_kernel(program.kernel, 60) +
                    ": more than " + thousands(capacity.shared_default) +
                    " fail to launch unless cudaFuncSetAttribute() allows them";
  finding.cost = "shared memory leaves room for " +
                 plural(capacity.shared_per_sm / (bytes + capacity.reserved_per_block), "block") + " an SM";
  finding.hint = "cudaFuncSetAttribute(" + short_kernel(program.kernel, 60) +
                 ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                 std::to_string(configuration.dynamic_shared_bytes) + ") before the launch";
  if (configuration.opted_in_bytes != 0)
    finding.hint += "; host code asks for " + thousands(configuration.opted_in_bytes);
  finding.verdict = configuration.assumptions.empty() ? Verdict::Exact : Verdict::Assumed;
  finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
  return finding;
}

/// What the user can say of a launch and nothing has said, to be filled in: "grid=<value> n=<value>".
std::string missing_words(const Launch &launch, const Program &program) {
  std::string words;
  const auto add = [&](const std::string &name) { words += (words.empty() ? "" : " ") + name + "=<value>"; };
  if (!launch.block_known)
    add("block");
  if (!launch.grid_known)
    add("grid");
  if (!launch.dynamic_known)
    add("dynamic");
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  for (const ArgumentValue &argument : launch.arguments) {
    const auto passed = std::ranges::find_if(scalars, [&](const PassedScalar &one) {
      return one.index == argument.index && one.scalar.offset == argument.offset;
    });
    if ((argument.provenance == Provenance::Assumed || !argument.value) && !argument.pointer &&
        passed != scalars.end() && !is_floating_type(passed->scalar.type) && // launches state integers
        argument.width_bits == 8 * passed->scalar.size)
      add(passed->scalar.name);
  }
  return words;
}

/// "assumed n=1024: no launch found; not known: k: depends on a loop whose iterations are not followed".
std::string what_is_missing(const Launch &launch) {
  std::string text = launch.assumptions.empty() ? std::string() : "assumed " + to_string(launch.assumptions);
  for (const std::string &part : launch.not_known)
    text += (text.empty() ? "" : "; ") + std::string("not known: ") + part;
  return text;
}

/// The first launch that was tried takes more shared memory than a block can have.
bool too_large(const FileAnalysis &file, std::size_t launch) {
  return !file.launches[launch].launch.dynamic_known &&
         file.launches[launch].result.shared_bytes > file.architecture->capacity.shared_per_block;
}

Finding launch_unknown_finding(const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  const Program &program = file.programs[file.launches[launch].program];
  const Launch &configuration = file.launches[launch].launch;
  Finding finding = launch_finding(rule::launch_unknown, file, file_index, launch);
  finding.location = configuration.location.known() ? configuration.location : program.location;
  finding.subject = without_arguments(program);
  finding.verdict = Verdict::Assumed;
  finding.occurrences = {{normalise_kernel(program.kernel), {}, 0, {}}};
  finding.message =
      "launch of " + short_kernel(program.kernel, 60) + " is not known entirely; " +
      (configuration.consistent ? what_is_missing(configuration)
       : too_large(file, launch)
           ? "the launch that was tried takes " + thousands(file.launches[launch].result.shared_bytes) +
                 " bytes of shared memory a block, more than " +
                 thousands(file.architecture->capacity.shared_per_block) + ", so it is not reported"
           : "every launch that was tried reads or writes outside of an array, so none of them is reported");
  const std::string missing = missing_words(configuration, program);
  if (!configuration.consistent && too_large(file, launch)) // with these values there is none
    finding.hint = "if it is launched with less, say so: --launch, or a comment above the kernel";
  else if (!missing.empty())
    finding.hint = "say what is not known: --launch '" + program.kernel + ":" + missing + "'" +
                   (file.machine_code.empty() ? ", or above the kernel `// smem-lint: launch " + missing + "`" : "");
  return finding;
}

} // namespace

std::vector<Finding> launch_setup_findings(const FileAnalysis &file, std::size_t file_index, std::size_t launch) {
  const LaunchAnalysis &analysis = file.launches[launch];
  std::vector<Finding> out;
  const Capacity &capacity = file.architecture->capacity;
  if (analysis.result.shared_bytes > capacity.shared_default &&
      analysis.result.shared_bytes <= capacity.shared_per_block && analysis.launch.dynamic_shared_bytes != 0 &&
      analysis.launch.dynamic_known && analysis.launch.dynamic_shared_bytes > analysis.launch.opted_in_bytes)
    out.push_back(opt_in_finding(file, file_index, launch));
  if (!analysis.launch.assumptions.empty() || !analysis.launch.not_known.empty())
    out.push_back(launch_unknown_finding(file, file_index, launch));
  return out;
}

} // namespace smem
