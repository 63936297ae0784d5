#include "sass/compile.h"

#include <algorithm>
#include <array>

#include <llvm/ADT/StringRef.h>

#include "flags/translate_flags.h"
#include "sass/run_tool.h"
#include "support/paths.h"

namespace smem::compiled {
namespace {

using llvm::StringRef;

/// `file` as nvcc takes it for nothing but a file: not for options (-x), nor for a file with options in it (@x).
std::string as_file(const std::string &file) {
  return file.starts_with('-') || file.starts_with('@') ? "./" + file : file;
}

std::vector<std::string> arguments(const CompileWish &wish, const std::vector<std::string> &what) {
  std::vector<std::string> all = flags_for_cubin(wish.flags);
  all.insert(all.end(), what.begin(), what.end());
  all.push_back(as_file(wish.file));
  return all;
}

/// The words of a Makefile's rule after its colon.
std::vector<std::string> prerequisites(StringRef rule) {
  std::vector<std::string> files;
  std::string word;
  rule = rule.drop_front(std::min(rule.size(), rule.find(": ")));
  rule.consume_front(":");
  const auto finish = [&] {
    if (!word.empty())
      files.push_back(normalise_path(word));
    word.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] == '\\' && i + 1 < rule.size()) {
      if (rule[++i] != '\n')
        word += rule[i];
      else
        finish();
    } else if (rule[i] == ' ' || rule[i] == '\n' || rule[i] == '\t') {
      finish();
    } else {
      word += rule[i];
      i += rule[i] == '$' && i + 1 < rule.size() && rule[i + 1] == '$';
    }
  }
  finish();
  return files;
}

} // namespace

std::vector<std::string> flags_for_cubin(const std::vector<std::string> &flags) {
  // What to make of the file, where to put it, and for which architecture; options with a value of their own first.
  constexpr std::array<StringRef, 15> kWithValue{"-o",
                                                 "--output-file",
                                                 "-MF",
                                                 "--dependency-output",
                                                 "-MT",
                                                 "-MQ",
                                                 "-arch",
                                                 "--gpu-architecture",
                                                 "-code",
                                                 "--gpu-code",
                                                 "-gencode",
                                                 "--generate-code",
                                                 "-odir",
                                                 "--output-directory",
                                                 "--cuda-gpu-arch"};
  constexpr std::array<StringRef, 24> kAlone{"-c",
                                             "--compile",
                                             "-dc",
                                             "--device-c",
                                             "-dw",
                                             "--device-w",
                                             "-ptx",
                                             "--ptx",
                                             "-cubin",
                                             "--cubin",
                                             "-fatbin",
                                             "--fatbin",
                                             "-E",
                                             "--preprocess",
                                             "-M",
                                             "-MM",
                                             "-MD",
                                             "-MMD",
                                             "-MP",
                                             "-G",
                                             "--device-debug",
                                             "-lineinfo",
                                             "--generate-line-info",
                                             "-dlink"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const StringRef flag = flags[i];
    const StringRef name = flag.split('=').first;
    if (std::find(kAlone.begin(), kAlone.end(), flag) != kAlone.end())
      continue;
    if (std::find(kWithValue.begin(), kWithValue.end(), name) != kWithValue.end()) {
      i += name.size() == flag.size(); // the value is the next word
      continue;
    }
    kept.push_back(flags[i]);
  }
  return kept;
}

std::string refusal_to_compile(const CompileWish &wish) {
  std::string file = wish.file;
  std::erase(file, ' '); // blanks are put in quotes by every nvcc
  return is_plain(file) ? std::string()
                        : "nvcc hands names to a shell, and '" + wish.file +
                              "' has characters that mean something to one; --as-compiled=LISTING takes a listing that "
                              "was made elsewhere";
}

std::string compile(const std::string &nvcc, const CompileWish &wish, const std::string &cubin, const Scratch &scratch,
                    const std::stop_token &stop) {
  std::string why;
  const std::string errors = scratch.file("errors");
  const int status = run_tool({nvcc,
                               arguments(wish, {"-cubin", "-lineinfo", "-arch=" + wish.architecture, "-o", cubin}),
                               scratch.file("output"),
                               errors,
                               scratch.path(),
                               {},
                               stop},
                              why);
  return status == 0 ? std::string()
                     : "nvcc does not compile " + wish.file + ": " + excerpt(why.empty() ? contents_of(errors) : why);
}

std::vector<std::string> files_read(const std::string &nvcc, const CompileWish &wish, const Scratch &scratch,
                                    const std::stop_token &stop) {
  std::string why;
  const std::string rule = scratch.file("dependencies");
  const int status = run_tool({nvcc,
                               arguments(wish, {"-M", "-arch=" + wish.architecture}),
                               rule,
                               scratch.file("dependencies_errors"),
                               scratch.path(),
                               {},
                               stop},
                              why);
  return status == 0 ? prerequisites(contents_of(rule)) : std::vector<std::string>();
}

} // namespace smem::compiled
