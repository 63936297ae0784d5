#include "sass/toolchain.h"

#include "flags/translate_flags.h"
#include "sass/run_tool.h"
#include "sinks/files.h"
#include "support/programs.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace smem::compiled {
namespace {

using llvm::StringRef;

constexpr std::size_t kLongestExcerpt = 400;

std::string contents_of(const std::string &path) {
  std::string wrong;
  return sinks::read_file(path, wrong).value_or("");
}

/// The first lines of what a tool has to say.
std::string excerpt(const std::string &text) {
  const StringRef trimmed = StringRef(text).trim();
  return trimmed.size() <= kLongestExcerpt ? trimmed.str() : trimmed.take_front(kLongestExcerpt).str() + " ...";
}

/// `file` as nvcc takes it for nothing but a file: not for options (-x), nor for a file with options in it (@x).
std::string as_file(const std::string &file) {
  return file.starts_with('-') || file.starts_with('@') ? "./" + file : file;
}

/// Blanks are put in quotes by every nvcc.
bool may_be_named(std::string file) {
  std::erase(file, ' ');
  return is_plain(file);
}

/// A folder that goes when it is left.
class Scratch {
public:
  Scratch() { ok_ = !llvm::sys::fs::createUniqueDirectory("smem-lint", path_); }
  ~Scratch() {
    if (ok_)
      llvm::sys::fs::remove_directories(path_);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  bool ok() const { return ok_; }
  std::string path() const { return path_.str().str(); }
  std::string file(StringRef name) const { return (path_.str() + "/" + name).str(); }

private:
  llvm::SmallString<128> path_;
  bool ok_ = false;
};

/// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string version_of(const std::string &tool, const Scratch &scratch) {
  std::string why;
  const std::string output = scratch.file("version");
  run_tool({tool, {"--version"}, output, scratch.file("version_errors"), scratch.path()}, why);
  const std::string text = contents_of(output);
  const std::size_t at = text.find(", V");
  return at == std::string::npos ? std::string()
                                 : " " + text.substr(at + 3, text.find_first_not_of("0123456789.", at + 3) - at - 3);
}

ObtainedListing failed(std::string why) { return {std::nullopt, {}, std::move(why)}; }

ObtainedListing parsed(const std::string &text, const std::string &name, std::string from) {
  ParsedListing result = parse_listing(text);
  if (!result.listing)
    return failed(name + (result.line ? ":" + std::to_string(result.line) : std::string()) + ": " + result.error +
                  "; `nvdisasm -gi k.cubin` makes one");
  return {std::move(result.listing), std::move(from), {}};
}

ObtainedListing disassemble(const std::string &cubin, const std::string &name, const std::string &toolkit,
                            const Scratch &scratch) {
  const std::string nvdisasm = find_cuda_program("nvdisasm", toolkit);
  if (nvdisasm.empty())
    return failed(
        "no nvdisasm found (it is part of the CUDA toolkit; --cuda-path names one); --as-compiled=LISTING takes what "
        "`nvdisasm -gi` prints elsewhere");
  std::string why;
  const std::string output = scratch.file("listing"), errors = scratch.file("errors");
  if (run_tool({nvdisasm, {"-gi", cubin}, output, errors, scratch.path()}, why) != 0)
    return failed("nvdisasm cannot read " + name + ": " + excerpt(why.empty() ? contents_of(errors) : why));
  return parsed(contents_of(output), "the listing of " + name, "nvdisasm" + version_of(nvdisasm, scratch));
}

} // namespace

std::string find_cuda_program(const std::string &name, const std::string &toolkit) {
  std::vector<std::string> folders;
  if (!toolkit.empty())
    folders.push_back(toolkit + "/bin");
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *root = std::getenv(variable))
      folders.push_back(std::string(root) + "/bin");
  for (const std::string &folder : folders)
    if (const std::string path = folder + "/" + name; llvm::sys::fs::can_execute(path))
      return path;
  if (std::string found = find_on_path(name); !found.empty())
    return found;
  const std::string usual = "/usr/local/cuda/bin/" + name;
  return llvm::sys::fs::can_execute(usual) ? usual : std::string();
}

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

ObtainedListing compile_and_disassemble(const CompileWish &wish) {
  const Scratch scratch;
  if (!scratch.ok())
    return failed("no temporary folder can be made");
  if (!may_be_named(wish.file))
    return failed(
        "nvcc hands names to a shell, and '" + wish.file +
        "' has characters that mean something to one; --as-compiled=LISTING takes a listing that was made elsewhere");
  const std::string nvcc = find_cuda_program("nvcc", wish.toolkit);
  if (nvcc.empty())
    return failed(
        "no nvcc found; --cuda-path names a toolkit, --as-compiled=LISTING takes a listing that was made elsewhere");
  // Before minutes are spent on compiling.
  if (find_cuda_program("nvdisasm", wish.toolkit).empty())
    return disassemble({}, wish.file, wish.toolkit, scratch);
  const std::string cubin = scratch.file("code.cubin"), errors = scratch.file("errors");
  std::vector<std::string> arguments = flags_for_cubin(wish.flags);
  arguments.insert(arguments.end(),
                   {"-cubin", "-lineinfo", "-arch=" + wish.architecture, "-o", cubin, as_file(wish.file)});
  std::string why;
  if (run_tool({nvcc, arguments, scratch.file("output"), errors, scratch.path()}, why) != 0)
    return failed("nvcc does not compile " + wish.file + ": " + excerpt(why.empty() ? contents_of(errors) : why));
  ObtainedListing result = disassemble(cubin, wish.file, wish.toolkit, scratch);
  if (result.listing)
    result.from = "nvcc" + version_of(nvcc, scratch) + ", " + result.from;
  return result;
}

ObtainedListing read_prepared(const std::string &path, const std::string &toolkit) {
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(path, wrong);
  if (!text)
    return failed(path + ": " + wrong);
  const StringRef bytes = *text;
  if (bytes.starts_with("\x7f"
                        "ELF")) {
    const Scratch scratch;
    if (!scratch.ok())
      return failed("no temporary folder can be made");
    ObtainedListing result = disassemble(path, path, toolkit, scratch);
    if (result.listing)
      result.from = path + ", " + result.from;
    return result;
  }
  return parsed(bytes.str(), path, path);
}

} // namespace smem::compiled
