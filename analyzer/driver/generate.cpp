#include "driver/generate.h"

#include "driver/options.h"
#include "driver/version.h"
#include "report/rules.h"

namespace smem {
namespace {

/// roff takes a backslash, a '-' that is to stay one, and a dot or quote at the start of a line for its own.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

} // namespace

std::string man_page() {
  std::string out =
      ".TH SMEM\\-LINT 1 \"\" \"smem\\-lint " SMEM_LINT_VERSION "\" \"User Commands\"\n"
      ".SH NAME\nsmem\\-lint \\- predict bank conflicts and coalescing of CUDA kernels from source\n"
      ".SH SYNOPSIS\n"
      ".B smem\\-lint\n[\\fIoptions\\fR] \\fIFILE\\fR... [\\-\\- \\fIcompiler flags\\fR]\n.br\n"
      ".B smem\\-lint\n[\\fIoptions\\fR] \\fB\\-p\\fR \\fIDIR\\fR\n.br\n"
      ".B smem\\-lint diff\n[\\fIoptions\\fR] \\fIREVISION\\fR [\\fIFILE\\fR...] [\\-\\- \\fIcompiler flags\\fR]\n.br\n"
      ".B smem\\-lint merge\n[\\fIoptions\\fR] \\fIPART\\fR...\n.br\n"
      ".B smem\\-lint init\n[\\fIoptions\\fR] \\fIFILE\\fR... [\\-\\- \\fIcompiler flags\\fR]\n"
      ".SH DESCRIPTION\n"
      "Predicts from CUDA source, without a GPU, what every shared and global memory instruction of a kernel costs:\n"
      "bank conflicts (wavefronts) and coalescing (sectors) over a whole launch.\n"
      ".PP\nA \\fIFILE\\fR may be a folder: the CUDA files below it that hold kernels or launches, and headers with kernels that none of them includes.\n"
      "Hidden folders, build folders and symbolic links are passed by.\n"
      "With \\fB\\-p\\fR and without a \\fIFILE\\fR: all CUDA files of the compilation database.\n"
      ".PP\n\\fBdiff\\fR compares the predictions for the work tree with those for a git revision.\n"
      "\\fBmerge\\fR reports on the parts that \\fB\\-\\-shard\\fR wrote as if they had been one run.\n"
      "\\fBinit\\fR writes a configuration with what is known of the launches, and what is missing as comments.\n"
      ".SH OPTIONS\n";
  std::string group;
  for (const OptionText &option : option_texts()) {
    if (option.group != group)
      out += ".SS " + (group = option.group) + "\n";
    out += ".TP\n";
    if (!option.short_form.empty())
      out += "\\fB" + roff(option.short_form) + "\\fR, ";
    out += "\\fB" + roff(option.spelling) + "\\fR";
    if (!option.argument.empty())
      out += (option.spelling.starts_with("--") ? "=" : " ") + std::string("\\fI") + roff(option.argument) + "\\fR";
    out += "\n" + roff(option.description) + "\n";
  }
  out += ".SH RULES\n";
  for (const Rule &rule : rules())
    out += ".TP\n\\fB" + roff(rule.id) + "\\fR (" + std::string(to_string(rule.severity)) + ")\n" + roff(rule.title) +
           "\n";
  return out +
         ".SH EXIT STATUS\n"
         ".TP\n0\nnothing that gates\n.TP\n1\nfindings that gate (\\fB\\-\\-fail\\-on\\fR), or a regression\n.TP\n2\nusage, configuration, front\\-end or internal failure\n"
         ".SH FILES\n.TP\n.I .smem\\-lint.yaml\nthe configuration; the nearest one above a file holds\n"
         ".TP\n.I .smem\\-lint\\-baseline.json\nthe customary name of a baseline\n"
         ".SH ENVIRONMENT\n.TP\nSMEM_LINT_CACHE_DIR\nwhere results are kept, as \\fB\\-\\-cache\\-dir\\fR\n"
         ".TP\nXDG_CACHE_HOME\nwhere they are kept otherwise, in \\fIsmem\\-lint/results\\fR (default: \\fI~/.cache\\fR)\n"
         ".TP\nCUDA_PATH, CUDA_HOME\nwhere a CUDA toolkit is looked for\n.TP\nNO_COLOR, CLICOLOR_FORCE\nwhether text is coloured\n"
         ".SH SEE ALSO\n.BR clang\\-tidy (1),\n.BR nvcc (1)\n";
}

} // namespace smem
