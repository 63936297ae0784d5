#include "sass/machine_input.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include "sass/built_code.h"
#include "sass/cubin.h"
#include "sass/disassemble.h"
#include "sass/run_tool.h"
#include "sinks/files.h"
#include "support/paths.h"

namespace smem::compiled {
namespace {

using llvm::StringRef;

constexpr const char *kNoPtxas =
    "no ptxas found (it is part of the CUDA toolkit, and of the Python packages triton and "
    "nvidia-cuda-nvcc; --cuda-path names one); a cubin needs none";
/// Of several architectures in a file, the one that has been compared with counters.
constexpr const char *kPreferred = "sm_90";

/// "sm_90" of "sm_90a".
std::string plain(StringRef architecture) {
  return architecture.take_front(architecture.find_last_of("0123456789") + 1).str();
}

unsigned number_of(StringRef architecture) {
  unsigned number = 0;
  const std::string name = plain(architecture);
  (void)StringRef(name).drop_until([](char c) { return c >= '0' && c <= '9'; }).getAsInteger(10, number);
  return number;
}

/// Why a host's ELF file cannot have machine code of a GPU in it, found without a tool; empty: it may.
std::string no_code_of_a_gpu(const std::string &path) {
  if (std::string refusal = sinks::refusal_of(path, SIZE_MAX); !refusal.empty())
    return refusal;
  const auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? no_fatbin((*file)->getBuffer()) : file.getError().message();
}

class Obtainer {
public:
  explicit Obtainer(const MachineInputWish &wish) : wish_(wish) {}

  ObtainedCode run() {
    code_.from = wish_.path;
    switch (wish_.kind) {
    case MachineInput::Listing: listing(); break;
    case MachineInput::None: fail("it is neither machine code nor PTX"); break;
    case MachineInput::Cubin:
    case MachineInput::Container:
    case MachineInput::Ptx:
      scratch_.emplace();
      if (!scratch_->ok())
        fail("no temporary folder can be made");
      else if (wish_.kind == MachineInput::Cubin) {
        if (!cubin(wish_.path, wish_.path) && code_.errors.empty())
          fail("it has no kernels");
      } else if (wish_.kind == MachineInput::Ptx)
        ptx();
      else
        container();
      break;
    }
    if (!tool_.empty() && !code_.listings.empty())
      code_.from += ", " + tool_;
    return std::move(code_);
  }

private:
  void fail(const std::string &why) { code_.errors.push_back(why); }

  std::optional<std::string> contents() {
    std::string wrong;
    std::optional<std::string> text = sinks::read_existing(wish_.path, wrong);
    if (!text)
      fail(wrong);
    return text;
  }

  /// Whether what was found is what was asked for, or may be analysed at all.
  bool take_architecture(const std::string &found) {
    const std::string name = plain(found);
    if (!wish_.architecture.empty() && name != plain(wish_.architecture)) {
      fail("it is machine code of " + found + ", and --arch asks for " + wish_.architecture + ": --arch=" + name +
           " models what is there");
      return false;
    }
    if (!wish_.models(name)) {
      fail("it is machine code of " + found + ", which is not modelled (--doctor lists what is)");
      return false;
    }
    code_.architecture = name;
    return true;
  }

  void add(const std::string &text, const std::string &name) {
    ParsedListing parsed = parse_listing(text);
    if (!parsed.listing)
      return fail(name + (parsed.line ? ":" + std::to_string(parsed.line) : std::string()) + ": " + parsed.error);
    if (take_architecture(parsed.listing->architecture))
      code_.listings.push_back(std::move(*parsed.listing));
  }

  void listing() {
    if (const std::optional<std::string> text = contents()) {
      if (text->find('\0') != std::string::npos)
        return fail("it is no listing, no cubin, and nothing that cuobjdump finds cubins in");
      add(*text, wish_.path);
    }
  }

  /// One cubin, `name` for the reader. Whether it has kernels at all.
  bool cubin(const std::string &path, const std::string &name) {
    std::string wrong;
    const std::optional<std::string> bytes = sinks::read_existing(path, wrong);
    if (!bytes) {
      fail(wrong);
      return false;
    }
    const ReadCubin read = read_cubin(*bytes);
    if (!read.error.empty()) {
      fail((name == wish_.path ? "" : name + ": ") + read.error);
      return false;
    }
    if (read.cubin.kernels.empty())
      return false;
    if (!take_architecture(read.cubin.architecture))
      return true;
    if (wish_.wanted && std::ranges::none_of(read.cubin.kernels, wish_.wanted)) {
      code_.passed_over.insert(code_.passed_over.end(), read.cubin.kernels.begin(), read.cubin.kernels.end());
      return true;
    }
    if (!disassembler_)
      disassembler_.emplace(wish_.toolkit, *scratch_);
    const Disassembled code = disassembler_->run(normalise_path(path), name, wish_.stop);
    if (!code.from.empty())
      tool_ = code.from;
    if (code.tool_missing && std::exchange(tool_missing_, true))
      return true;
    if (!code.error.empty())
      fail(code.error);
    else
      add(code.text, "the listing of " + name);
    return true;
  }

  void container() {
    std::string wrong, chosen = wish_.architecture;
    if (std::string none = no_code_of_a_gpu(wish_.path); !none.empty())
      return fail(none);
    if (chosen.empty()) {
      const std::set<std::string> found = architectures_in(wish_.path, wish_.toolkit, *scratch_, wrong);
      if (found.empty())
        return fail(wrong);
      std::set<std::string> all;
      for (const std::string &each : found) {
        const std::string name = plain(each);
        all.insert(name);
        if (wish_.models(name) && chosen != kPreferred && (name == kPreferred || number_of(name) > number_of(chosen)))
          chosen = name;
      }
      const std::string names = llvm::join(all, ", ");
      if (chosen.empty())
        return fail("it has machine code of " + names + ", of which none is modelled (--doctor lists what is)");
      if (all.size() > 1)
        code_.notes.push_back("it has machine code of " + names + "; analysed as " + chosen +
                              " (--arch chooses another)");
    }
    const ExtractedCubins extracted = extract_cubins(wish_.path, chosen, wish_.toolkit, *scratch_);
    if (!extracted.error.empty())
      return fail(extracted.error);
    if (!extracted.overwritten.empty())
      fail(extracted.overwritten);
    code_.architecture = plain(chosen);
    bool any = false;
    for (const std::string &file : extracted.files) {
      if (wish_.stop.stop_requested())
        return;
      any |= cubin(file, wish_.path + "'s " + StringRef(file).rsplit('/').second.str());
    }
    if (!any && code_.errors.empty())
      fail("its machine code of " + chosen + " has no kernels");
  }

  void ptx() {
    const std::optional<std::string> text = contents();
    if (!text)
      return;
    std::string target;
    StringRef rest(*text);
    while (!rest.empty() && target.empty()) {
      auto [line, behind] = rest.split('\n');
      rest = behind;
      line = line.ltrim();
      if (line.consume_front(".target"))
        target = line.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str();
    }
    if (target.empty())
      return fail("it names no .target: no PTX module");
    if (!wish_.architecture.empty() && plain(target) != plain(wish_.architecture)) // PTX can be compiled for later GPUs
      target = wish_.architecture;
    if (!wish_.models(plain(target)))
      return fail("its .target is " + target + ", which is not modelled: --arch=" + kPreferred +
                  " compiles it for another GPU");
    const Tool ptxas("ptxas", wish_.toolkit, *scratch_);
    if (ptxas.path().empty())
      return fail(kNoPtxas);
    const std::string made = scratch_->file("code.cubin"), errors = scratch_->file("ptxas_errors");
    std::string why;
    // The absolute path: no name of a file becomes an option.
    const int status = run_tool({ptxas.path(),
                                 {"-arch=" + target, "-lineinfo", "-o", made, normalise_path(wish_.path)},
                                 scratch_->file("ptxas_output"),
                                 errors,
                                 scratch_->path(),
                                 {},
                                 wish_.stop},
                                why);
    if (status != 0) {
      // What is wrong with PTX it says on the other stream.
      const std::string said = contents_of(errors) + contents_of(scratch_->file("ptxas_output"));
      return fail(ptxas.text() + " does not compile it for " + target + ": " + excerpt(why.empty() ? said : why));
    }
    code_.from += ", " + ptxas.text();
    if (!cubin(made, wish_.path) && code_.errors.empty())
      fail("it has no kernels (.entry)");
  }

  const MachineInputWish &wish_;
  ObtainedCode code_;
  std::optional<Scratch> scratch_; // before the tool, which uses it until its version is known
  std::optional<Disassembler> disassembler_;
  std::string tool_;          ///< that was needed beside it
  bool tool_missing_ = false; ///< said once
};

} // namespace

MachineInput machine_input(const std::string &path) {
  const StringRef name(path);
  if (name.ends_with(".ptx"))
    return MachineInput::Ptx;
  if (name.ends_with(".sass"))
    return MachineInput::Listing;
  std::string wrong;
  const std::optional<BuiltKind> kind = kind_of_built(path, wrong);
  if (kind == BuiltKind::Cubin)
    return MachineInput::Cubin;
  if (kind == BuiltKind::Container)
    return MachineInput::Container;
  // Whatever it holds, it is no source.
  return name.ends_with(".cubin") ? MachineInput::Cubin
         : name.ends_with(".fatbin") || name.ends_with(".so") || name.ends_with(".o") || name.ends_with(".a")
             ? MachineInput::Container
             : MachineInput::None;
}

ObtainedCode obtain_code(const MachineInputWish &wish) { return Obtainer(wish).run(); }

} // namespace smem::compiled
