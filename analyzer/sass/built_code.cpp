#include "sass/built_code.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/MemoryBuffer.h>

#include "sass/cubin.h"
#include "sass/run_tool.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem::compiled {
namespace {

namespace fs = std::filesystem;
using llvm::StringRef;

/// The first word of a fatbin, as the runtime's own header has it (FATBINC of fatbinary_section.h is of the section around it).
constexpr std::uint32_t kFatbinMagic = 0xba55ed50;
constexpr StringRef kArchiveMagic = "!<arch>\n";

/// "sm_90" of "sm_90a": images of either are looked at.
StringRef without_suffix(StringRef architecture) {
  return architecture.take_front(architecture.find_last_of("0123456789") + 1);
}

std::string as_words(const std::set<std::string> &names) {
  return llvm::join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

/// The architectures that `cuobjdump -lelf` or `-lptx` names: "ELF file    1: a.sm_80.cubin".
std::set<std::string> architectures_of(StringRef listed) {
  std::set<std::string> found;
  llvm::SmallVector<StringRef> words;
  listed.split(words, '.');
  for (const StringRef word : words)
    if (word.starts_with("sm_"))
      found.insert(word.str());
  return found;
}

std::string no_cuobjdump(const std::string &path) {
  return "no cuobjdump found, which takes machine code out of " + path +
         " (it is part of the CUDA toolkit; --cuda-path names one); a cubin needs none";
}

class Cuobjdump {
public:
  Cuobjdump(std::string program, std::string file, const Scratch &scratch)
      : program_(std::move(program)), file_(normalise_path(file)), scratch_(scratch) {}

  /// What it prints, files written to `directory`.
  std::string run(std::vector<std::string> arguments, const std::string &directory) {
    arguments.push_back(file_);
    const std::string output = scratch_.file("cuobjdump_output"), errors = scratch_.file("cuobjdump_errors");
    std::string why;
    run_tool({program_, std::move(arguments), output, errors, scratch_.path(), directory}, why);
    said_ = why.empty() ? contents_of(errors) : why;
    return contents_of(output);
  }

  const std::string &said() const { return said_; }

private:
  std::string program_, file_;
  const Scratch &scratch_;
  std::string said_;
};

std::string why_there_is_none(Cuobjdump &tool, const std::string &path, StringRef wanted,
                              const std::string &directory) {
  const std::string said = tool.said(), listed = tool.run({"-lelf"}, directory);
  if (const std::set<std::string> others = architectures_of(listed); !others.empty())
    return path + " has machine code of " + as_words(others) + " and none of " + wanted.str() +
           ": --arch=" + without_suffix(*others.begin()).str() + " models what is there, nvcc -arch=" + wanted.str() +
           " makes the other";
  if (const std::set<std::string> ptx = architectures_of(tool.run({"-lptx"}, directory)); !ptx.empty())
    return path + " has PTX only, which the driver compiles when it is loaded: nvcc -arch=" + wanted.str() +
           " puts machine code in";
  return path + " has no machine code of a GPU" + (said.empty() ? "" : " (" + excerpt(said) + ")");
}

/// "9same_name" of a mangled name, as every mangling of it has it; of a name in C, that name.
std::string identifier_in(const std::string &mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()))
    return mangled;
  std::size_t length = 0;
  char *name = demangler.getFunctionBaseName(nullptr, &length);
  const std::string plain = name ? name : "";
  std::free(name);
  return plain.empty() ? mangled : std::to_string(plain.size()) + plain;
}

} // namespace

std::optional<BuiltKind> kind_of_built(const std::string &path, std::string &error) {
  error = sinks::refusal_of(path, SIZE_MAX);
  if (!error.empty())
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = std::strerror(errno);
    return std::nullopt;
  }
  llvm::ELF::Elf64_Ehdr head{};
  file.read(reinterpret_cast<char *>(&head), sizeof head);
  const StringRef bytes(reinterpret_cast<const char *>(&head), static_cast<std::size_t>(file.gcount()));
  std::uint32_t magic = 0;
  std::memcpy(&magic, &head, sizeof magic);
  if (bytes.starts_with(StringRef(llvm::ELF::ElfMagic, 4)))
    return bytes.size() == sizeof head && head.e_machine != llvm::ELF::EM_CUDA ? BuiltKind::Container
                                                                               : BuiltKind::Cubin;
  if (bytes.starts_with(kArchiveMagic) || (bytes.size() >= sizeof magic && magic == kFatbinMagic))
    return BuiltKind::Container;
  return BuiltKind::Listing;
}

std::set<std::string> architectures_in(const std::string &path, const std::string &toolkit, const Scratch &scratch,
                                       std::string &error) {
  const std::string program = find_cuda_program("cuobjdump", toolkit);
  if (program.empty()) {
    error = no_cuobjdump(path);
    return {};
  }
  Cuobjdump tool(program, path, scratch);
  const std::set<std::string> found = architectures_of(tool.run({"-lelf"}, scratch.path()));
  if (!found.empty())
    return found;
  const std::string said = tool.said();
  const std::set<std::string> ptx = architectures_of(tool.run({"-lptx"}, scratch.path()));
  error = ptx.empty() ? path + " has no machine code of a GPU" + (said.empty() ? "" : " (" + excerpt(said) + ")")
                      : path + " has PTX only (of " + as_words(ptx) +
                            "), which the driver compiles when it is loaded: `cuobjdump -xptx all` takes it out, and "
                            "smem-lint takes .ptx files";
  return {};
}

namespace {

/// Of a host's ELF file each fatbin by itself: what several of them call alike is then no longer written to one file. Whether that was possible.
bool take_one_by_one(const std::string &program, const std::string &path, StringRef wanted, const Scratch &scratch,
                     ExtractedCubins &extracted) {
  constexpr std::size_t kMost = 4096;
  const auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  const std::vector<std::string_view> fatbins =
      file ? fatbins_of(std::string_view((*file)->getBuffer())) : std::vector<std::string_view>();
  if (fatbins.empty() || fatbins.size() > kMost)
    return false;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < fatbins.size(); ++i) {
    const std::string directory = scratch.file("fatbin" + std::to_string(i)), one = directory + "/of.fatbin";
    std::error_code error;
    fs::create_directory(directory, error);
    if (error || !sinks::write_file(one, fatbins[i], {false, false}).empty())
      return false;
    Cuobjdump(program, one, scratch).run({"-xelf", wanted.str()}, directory);
    for (const fs::directory_entry &entry : fs::directory_iterator(directory, error)) {
      const std::set<std::string> of = architectures_of(entry.path().filename().string());
      if (std::any_of(of.begin(), of.end(), [&](StringRef name) { return without_suffix(name) == wanted; }))
        files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  extracted.files = std::move(files);
  return true;
}

} // namespace

ExtractedCubins extract_cubins(const std::string &path, std::string_view architecture, const std::string &toolkit,
                               const Scratch &scratch) {
  const std::string program = find_cuda_program("cuobjdump", toolkit);
  if (program.empty())
    return {{}, {}, no_cuobjdump(path)};
  const std::string directory = scratch.file("cubins");
  std::error_code error;
  fs::create_directory(directory, error);
  if (error)
    return {{}, {}, "no temporary folder can be made: " + error.message()};
  Cuobjdump tool(program, path, scratch);
  const std::string wanted = without_suffix(architecture).str();
  const std::size_t written = StringRef(tool.run({"-xelf", wanted}, directory)).count("Extracting ELF file");
  ExtractedCubins extracted;
  for (const fs::directory_entry &entry : fs::directory_iterator(directory, error)) {
    // `-xelf sm_10` names sm_100 as well.
    const std::set<std::string> of = architectures_of(entry.path().filename().string());
    if (std::any_of(of.begin(), of.end(), [&](StringRef name) { return without_suffix(name) == wanted; }))
      extracted.files.push_back(entry.path().string());
  }
  std::sort(extracted.files.begin(), extracted.files.end());
  if (written > extracted.files.size() && take_one_by_one(program, path, wanted, scratch, extracted))
    return extracted;
  if (extracted.files.empty())
    extracted.error = why_there_is_none(tool, path, wanted, directory);
  else if (written > extracted.files.size())
    extracted.overwritten = path + " has several cubins of one name, of which only the last can be looked at: name the "
                                   "object file of this source";
  return extracted;
}

bool may_have_kernels(const std::string &cubin, const std::vector<Program> &programs) {
  std::string wrong;
  const std::optional<std::string> bytes = sinks::read_file(cubin, wrong);
  return bytes && std::any_of(programs.begin(), programs.end(), [&](const Program &program) {
           return bytes->find(identifier_in(program.mangled)) != std::string::npos;
         });
}

} // namespace smem::compiled
