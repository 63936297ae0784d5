#include "driver/doctor.h"

#include "driver/output.h"
#include "sass/tools.h"
#include "frontend/headers.h"
#include "report/format.h"
#include "report/report.h"
#include "sinks/escape.h"
#include "driver/version.h"
#include "nvcc/rules/rules.h"

#include <algorithm>
#include <unistd.h>

namespace smem {
namespace {

constexpr const char *kTrialFile = "<trial>";
constexpr const char *kTrial = R"(// smem-lint: launch block=(32,32) grid=(4,4) n=128
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}
)";

std::string_view words(Evidence evidence) {
  switch (evidence) {
  case Evidence::Measured: return "measured";
  case Evidence::Documented: return "documented";
  case Evidence::Inferred: return "inferred";
  }
  return "?";
}

/// Empty if the trial kernel's figures are what they must be.
std::string trial(const Architecture *architecture, const Toolkit &toolkit) {
  AnalysisOptions options;
  options.frontend.file = kTrialFile;
  options.frontend.contents = kTrial;
  options.frontend.architecture = architecture;
  options.frontend.toolkit = toolkit;
  const FileAnalysis analysis = analyze_file(options);
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return diagnostic.message;
  if (analysis.launches.size() != 1)
    return "the trial kernel was not found";
  const LaunchAnalysis &launch = analysis.launches[0];
  const Verdict best =
      analysis.architecture->wavefront_evidence == Evidence::Inferred ? Verdict::Assumed : Verdict::Exact;
  Counts sum;
  for (const SiteRow &row : site_rows(analysis.programs[launch.program], launch.result)) {
    sum += row.counts;
    if (row.verdict > best)
      return "a memory instruction of the trial kernel is " + std::string(to_string(row.verdict)) + ": " + row.reason;
  }
  // 16 blocks of 32 warps: stores of 1 wavefront, loads of 32; global rows of 4 sectors, twice.
  if (sum.wavefronts != 16 * 32 * 33 || sum.sectors != 16 * 32 * 8)
    return "expected 16896 wavefronts and 4096 sectors, got " + std::to_string(sum.wavefronts) + " and " +
           std::to_string(sum.sectors);
  return {};
}

} // namespace

std::string version_text() {
  return std::string("smem-lint ") + SMEM_LINT_VERSION + " (Clang " + SMEM_LINT_CLANG_VERSION + ")";
}

int doctor(const DriverOptions &options) {
  const bool color = wants_color(options.color, STDOUT_FILENO);
  const Toolkit toolkit = find_toolkit(options.cuda_path);
  const std::string headers = find_shipped_headers();
  std::string out = styled(version_text(), Style::Bold, color) + "\n\n";

  out += styled("headers", Style::Bold, color) + "\n";
  if (toolkit.shipped)
    out +=
        "  in use:   smem-lint's own, " + (headers.empty() ? std::string("MISSING") : sinks::line(headers)) + "\n" +
        (options.cuda_path == "none"
             ? "  toolkit:  not looked for (--cuda-path=none)\n"
             : "  toolkit:  none found in $CUDA_PATH, $CUDA_HOME, beside nvcc or in /usr/local/cuda; none is needed\n");
  else if (!has_headers(toolkit.root))
    out += "  in use:   none: no CUDA toolkit in '" + sinks::line(toolkit.root) +
           "' (include/cuda_runtime.h is missing)\n";
  else
    out += "  in use:   CUDA " +
           (toolkit.version.empty() ? std::string("(version unknown)") : sinks::line(toolkit.version)) + ", " +
           sinks::line(toolkit.root) +
           "\n  shipped:  " + (headers.empty() ? std::string("MISSING") : sinks::line(headers)) +
           " (--cuda-path=none uses them)\n";

  out += "\n" + styled("machine code", Style::Bold, color) +
         " (--as-compiled, cubins, PTX; a listing made elsewhere needs none)\n";
  for (const char *program : {"nvcc", "nvdisasm", "cuobjdump", "ptxas"}) {
    const std::string path = compiled::find_cuda_program(program, toolkit.shipped ? std::string() : toolkit.root);
    out += "  " + std::string(program) + (path.empty() ? ": not found" : ": " + sinks::line(path)) + "\n";
  }

  const CompilerRules &rules = rules_for(toolkit.version);
  out += "\n" + styled("compiler model", Style::Bold, color) + "\n  nvcc " + std::string(rules.release) + ", " +
         std::to_string(rule_descriptions().size()) + " rules; ";
  if (toolkit.shipped || toolkit.version.empty())
    out +=
        "the release of your toolkit is not known: with another one, predictions of unrolling, if-conversion and vectorisation are inferred\n";
  else if (has_rules_of(toolkit.version))
    out += "as the toolkit found\n";
  else
    out += "toolkit found " + sinks::line(toolkit.version) +
           ": predictions of unrolling, if-conversion and vectorisation are inferred\n";

  out += "\n" + styled("architectures", Style::Bold, color) + "\n";
  Table table({Table::Align::Left, Table::Align::Right, Table::Align::Right, Table::Align::Left});
  table.row(
      {{"name", Style::Dim}, {"shared/SM", Style::Dim}, {"shared/block", Style::Dim}, {"wavefront rules", Style::Dim}});
  for (const Architecture &architecture : architectures())
    table.row({{std::string(architecture.name)},
               {std::to_string(architecture.capacity.shared_per_sm / 1024) + " KB"},
               {std::to_string(architecture.capacity.shared_per_block / 1024) + " KB"},
               {std::string(words(architecture.wavefront_evidence))}});
  out += table.print("  ", color);

  out += "\n" + styled("GPUs for floors under times (--gpu)", Style::Bold, color) + "\n";
  Table products({Table::Align::Left, Table::Align::Left, Table::Align::Right, Table::Align::Right, Table::Align::Right,
                  Table::Align::Right, Table::Align::Left});
  products.row({{"name", Style::Dim},
                {"arch", Style::Dim},
                {"SMs", Style::Dim},
                {"clock", Style::Dim},
                {"DRAM", Style::Dim},
                {"L2", Style::Dim},
                {"highest clock", Style::Dim}});
  const auto whole = [](const GpuFigure &figure) { return thousands(static_cast<std::uint64_t>(figure.value)); };
  for (const Gpu &gpu : gpus())
    products.row({{gpu.name},
                  {gpu.architecture},
                  {whole(gpu.sms)},
                  {whole(gpu.clock_mhz) + " MHz"},
                  {whole(gpu.dram_gbs) + " GB/s"},
                  {whole(gpu.l2_mib) + " MiB"},
                  {std::string(words(gpu.clock_mhz.evidence))}});
  out += products.print("  ", color);

  const Architecture *architecture = find_architecture(options.architecture.empty() ? "sm_90" : options.architecture);
  out += "\n" + styled("trial run", Style::Bold, color) + "\n";
  const std::string wrong = trial(architecture, toolkit);
  out += wrong.empty() ? "  " + styled("works", Style::Green, color) + ": a transpose with a 32-way conflict, on " +
                             std::string(architecture->name) + "\n"
                       : "  " + styled("FAILS", Style::BoldRed, color) + ": " + sinks::line(wrong) + "\n";
  if (!wrong.empty()) {
    if (!toolkit.shipped && trial(architecture, {}).empty())
      out +=
          "  It works with smem-lint's own headers: use --cuda-path=none, or name another toolkit with --cuda-path=DIR.\n";
    else
      out += "  Install Clang's resource headers (Debian: libclang-common-19-dev) and install smem-lint again.\n";
  }
  return show(out, color) && wrong.empty() ? 0 : 2;
}

} // namespace smem
