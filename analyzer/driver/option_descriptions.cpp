#include "driver/option_descriptions.h"

#include <sstream>

#include "driver/options.h"

namespace smem {
namespace po = boost::program_options;
namespace {

using Texts = std::vector<std::string>;

} // namespace

OptionDescriptions::OptionDescriptions() {
  const auto text = [](const char *name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char *name) { return po::value<Texts>()->composing()->value_name(name); };
  input.add_options()(
      ",p", text("DIR"),
      "take the compiler flags from DIR/compile_commands.json (default: the nearest one above each file, or in a folder `build` there); without a FILE, analyse all its CUDA files")(
      "extra-arg", texts("FLAG"), "a compiler flag to append")("extra-arg-before", texts("FLAG"),
                                                               "a compiler flag to prepend")(
      "cuda-path", texts("DIR"),
      "the CUDA toolkit whose headers are used; `none` for smem-lint's own (default: $CUDA_PATH, $CUDA_HOME, nvcc, /usr/local/cuda, else its own)")(
      "as-compiled", text("WHAT"),
      "settle what the source leaves open with the machine code that nvcc makes; `auto`: where nvcc is found and compiles the file; or from FILE: a listing of `nvdisasm -gi`, a cubin, or a library, executable or object file; `off`: not, whatever the configuration says")(
      "triton", text("DIR"),
      "analyse the kernels of a cache of Triton's, the newest first (default: $TRITON_CACHE_DIR, else ~/.triton/cache); launches come from its metadata")(
      "trust",
      "let configurations and compilation databases that are found name programs for --as-compiled to run (CudaPath, -ccbin, ...) and places outside of the repository to write (CacheDir, Baseline)")(
      "stdin-filename", text("NAME"), "the name that standard input (`-`) goes by")(
      "exclude", texts("GLOBS"),
      "files and folders to leave out of what folders and compilation databases hold, e.g. 'third_party,src/**/test_*.cu'; `**` is any number of folders")(
      "force-exclude", "leave out what is excluded even where it is named")(
      "max-instantiations", text("N"), "template instantiations of a file before it is given up (default: 10000000)")(
      "max-device-code", text("N"),
      "instructions of a file's kernels, before optimisation, beyond which further instantiations of a template are left out and counted; each line is analysed in one (default: 500000)")(
      "max-memory", text("MIB"),
      "memory for one file (default: 4096; 0: no limit); a file that needs more is named, the others are analysed, and the exit code is 2")(
      "timeout", text("SECONDS"),
      "time for one file (default: 60; 0: no limit); what is not analysed by then is named, and the exit code is 2");
  launches.add_options()("arch", text("ARCH"),
                         "the architecture to model, e.g. sm_90 (default: as the compiler flags say, else sm_90)")(
      "gpu", text("GPU"),
      "the GPU whose throughputs bound times from below: h200, a100, ... or a YAML file with its figures (default: the usual one of the architecture)")(
      "kernel", texts("GLOB"),
      "analyse the kernels of this name only, with or without template arguments and namespaces")(
      "launch", texts("SPEC"),
      "analyse this launch, e.g. 'kernel:block=(32,8) grid=(128,128) dynamic=0 N=4096'; several make several launches")(
      "launches", text("FILE"), "take launches and arguments from a recording of `smem-validate measure`")(
      "set", texts("NAME=VALUE"),
      "the value of a kernel parameter, or a fact about it: 'N % 32 == 0', 'N >= 1024'; N=? if it is not known")(
      "what-if", texts("CHANGE"),
      "analyse variants and compare them: 'Bs pitch=33' (of a shared array), 'block=(32,8)' and what else --launch has, 'TILE=64' (a constant or macro of the source); a list or range (TILE=16,32,64) tries each, several options all combinations")(
      "max-steps", text("N"),
      "instructions to execute for one launch before what is left is declared unknown (default: 10000000; all launches of a file together get about as many)");
  output.add_options()(
      "format", text("FORMAT"),
      "the format of the report: text (default), oneline (a line for each finding, for problem matchers), json, sarif, github, gitlab, markdown or html; of `diff` text, markdown, json or sarif")(
      "statistics",
      "count the findings of each rule, in each file and in each kernel, after the findings (with --format=text, oneline or json)")(
      "output,o", text("FILE"), "write the report to FILE instead of standard output")(
      "quiet,q", "findings only: no tables, no summary, no notes on standard error")(
      "table",
      "findings with their source and cause, in the order of the source, and tables of all memory instructions of all launches")(
      "verbose,v",
      "beside what --table prints: with every finding its lanes, banks, address and inlining, and what requests cost in all launches")(
      "color", text("WHEN"), "auto (default), always or never; NO_COLOR and CLICOLOR_FORCE are heeded")(
      "jobs,j", text("N"), "files, and launches of a file, to analyse at the same time (default: one per core)");
  rules.add_options()("checks", texts("GLOBS"), "the rules to apply, e.g. '-*,smem-*'; the last match wins")(
      "warnings-as-errors", texts("GLOBS"), "the rules whose warnings are errors")(
      "header-filter", text("REGEX"),
      "findings in included files only where the path matches (default: all but headers of the toolkit and the system)")(
      "line-filter", text("LINES"),
      "findings on these lines only: [{\"name\": \"k.cu\", \"lines\": [[1, 9]]}], or `-` for that or a unified diff on standard input")(
      "fail-on", text("LEVEL"),
      "exit with 1 from this severity on: note, warning (default), error, regression (what a baseline has not, or has better) or never")(
      "min-gain", text("PERCENT"),
      "findings that make no launch faster by so much, such as 5%, when they are removed fail no run: by the floors under the times of the launches (default: 0%)")(
      "list-checks", "list the rules that are enabled")(
      "explain", text("RULE"),
      "explain a rule, or `all` of them: cause, picture, examples, limits; or what an `assumed` row rests on by its id, or all `uncertainties` (--format=markdown for documentation)");
  fixes.add_options()(
      "suggest-fixes",
      "look for layouts without conflict, prove them by analysing the edited source, and show them with the findings (implied by the other options here)")(
      "fix", "write the proved edits into the source; the report is then about the edited source")(
      "diff", "print what --fix would write as a unified diff, and write nothing; exit with 1 if there is something")(
      "export-fixes", text("FILE"), "write the edits to FILE in the YAML of clang-tidy's --export-fixes");
  config.add_options()("config", text("YAML"),
                       "this configuration for every file, instead of the nearest .smem-lint.yaml")(
      "config-file", text("FILE"), "the configuration in FILE for every file")(
      "dump-config", "print the configuration of the first file, or of this folder")(
      "verify-config", "check the configuration of every file named, or of this folder")(
      "force", "of init: replace the configuration that is there");
  gate.add_options()("baseline", text("FILE"), "findings of this file are tolerated as long as they do not get worse")(
      "update-baseline", "write the findings of this run to the baseline")(
      "prune-baseline", "take out of the baseline what is gone, and lower what has become better")(
      "cache-dir", text("DIR"),
      "keep results there and use them as long as sources, flags and smem-lint are the same (none: nowhere; default: $SMEM_LINT_CACHE_DIR, else smem-lint/results in $XDG_CACHE_HOME or ~/.cache, at most 256 MiB)")(
      "no-cache", "neither read nor write a cache, nor precompiled headers")(
      "watch", "analyse the files, then again those that have changed, or whose headers have, until Ctrl-C")(
      "changed-since", text("REVISION"),
      "of the files named, analyse those that have changed since a git revision, or that include a file that has")(
      "shard", text("I/N"),
      "analyse the I-th of N parts of the files and write to --output what `smem-lint merge` puts together");
  about.add_options()("doctor", "say what smem-lint found on this machine and whether it works")(
      "build-prefix",
      "precompile the headers that come before every source, for all who run this smem-lint (when it is installed)")(
      "version", "print the version")("help,h", "print this");
  hidden.add_options()("file", po::value<Texts>())("generate", po::value<std::string>())(
      "without-races", "look for no races: the first answer to an editor")(
      "for-editor",
      "what `smem-lint lsp` runs: standard input is a JSON object with a text for each file that is not saved");
  visible.add(input).add(launches).add(output).add(rules).add(fixes).add(config).add(gate).add(about);
  all.add(visible).add(hidden);
}

std::vector<std::string> OptionDescriptions::names() const {
  Texts out;
  for (const auto &option : visible.options())
    out.push_back(option->long_name().empty()
                      ? "-" + option->canonical_display_name(po::command_line_style::allow_dash_for_short).substr(1)
                      : "--" + option->long_name());
  return out;
}

std::vector<OptionText> option_texts() {
  const OptionDescriptions descriptions;
  std::vector<OptionText> texts;
  const std::pair<const char *, const po::options_description *> groups[] = {
      {"Input", &descriptions.input},
      {"Launches", &descriptions.launches},
      {"Output", &descriptions.output},
      {"Rules", &descriptions.rules},
      {"Repairs of bank conflicts", &descriptions.fixes},
      {"Configuration", &descriptions.config},
      {"Gate", &descriptions.gate},
      {"About", &descriptions.about}};
  for (const auto &[group, options] : groups)
    for (const auto &option : options->options()) {
      // Boost spells a short form as "-o [ --output ] FILE" and an option without a long one as "-p DIR".
      OptionText text{group, {}, {}, {}, option->description()};
      const std::string shown = option->format_name();
      const std::string short_form =
          shown.size() > 1 && shown[0] == '-' && shown[1] != '-' ? shown.substr(0, 2) : std::string();
      text.spelling = option->long_name().empty() ? short_form : "--" + option->long_name();
      text.short_form = option->long_name().empty() ? std::string() : short_form;
      text.argument = option->format_parameter();
      texts.push_back(std::move(text));
    }
  return texts;
}

std::string help_text() {
  std::ostringstream out;
  out << "usage: smem-lint [options] FILE... [-- compiler flags]    a FILE may be a folder: the CUDA files below it\n"
         "       smem-lint [options] -p DIR                         all CUDA files of a compilation database\n"
         "       smem-lint diff [options] REVISION [FILE...] [-- compiler flags]   the work tree against a git revision\n"
         "       smem-lint merge [options] PART...                                 the parts that --shard wrote, as one run\n"
         "       smem-lint init [options] FILE... [-- compiler flags]              a .smem-lint.yaml with the launches that are known\n"
         "       smem-lint lsp [options] [-- compiler flags]                       a language server on standard input and output\n\n"
         "Predicts from CUDA source, without a GPU, what every shared and global memory instruction of a kernel costs:\n"
         "bank conflicts (wavefronts) and coalescing (sectors) over a whole launch.\n"
      << OptionDescriptions().visible
      << "\nExit code: 0 clean, 1 findings that gate (--fail-on), 2 a usage, front-end or internal failure.\n";
  return out.str();
}

} // namespace smem
