#include "sass/obtain.h"

#include <cstdlib>
#include <system_error>

#include <llvm/ADT/StringRef.h>

#include "sass/built_code.h"
#include "sass/disassemble.h"
#include "sass/disassembler/encoding.h"
#include "sass/run_tool.h"
#include "sinks/files.h"
#include "support/paths.h"
#include "support/programs.h"

namespace smem::compiled {
namespace {

constexpr const char *kNoNvcc =
    "no nvcc found; --cuda-path names a toolkit, --as-compiled=FILE takes a listing or what a build has made";
ObtainedListings failed(std::string why) {
  ObtainedListings obtained;
  obtained.error = std::move(why);
  return obtained;
}

/// Adds the listing `text` of `name`.
void add(ObtainedListings &to, const std::string &text, const std::string &name) {
  ParsedListing parsed = parse_listing(text);
  if (parsed.listing)
    to.listings.push_back(std::move(*parsed.listing));
  else
    to.error = name + (parsed.line ? ":" + std::to_string(parsed.line) : std::string()) + ": " + parsed.error;
}

} // namespace

std::string missing_tools(const std::string &toolkit) {
  return find_cuda_program("nvcc", toolkit).empty() ? kNoNvcc : "";
}

std::string identity_of_tools(const MachineCodeWish &wish, const std::string &toolkit) {
  std::string identity = std::to_string(static_cast<int>(wish.from)) + "\n" + wish.file;
  if (wish.from == MachineCodeWish::From::Nowhere)
    return identity;
  for (const char *program : {"nvcc", "nvdisasm", "cuobjdump"})
    identity += "\n" + identity_of(find_cuda_program(program, toolkit));
  identity += "\n" + identity_of(find_on_path("gcc")); // whose headers and macros nvcc takes
  for (const char *name :
       {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const char *value = std::getenv(name);
    identity += "\n" + std::string(value ? value : "");
  }
  return identity;
}

MachineCodeRequest::MachineCodeRequest(const MachineCodeWish &wish, const CompileWish &compile, ListingCache *cache)
    : wish_(wish), compile_(compile), cache_(cache) {
  if (!wish_.compiles())
    return;
  const auto work = [this] { return compile_and_disassemble(stop_.get_token()); };
  try {
    text_ = std::async(std::launch::async, work);
  } catch (const std::system_error &) { // no memory for a thread
    text_ = std::async(std::launch::deferred, work);
  }
}

MachineCodeRequest::~MachineCodeRequest() { stop_.request_stop(); }

MachineCodeRequest::Text MachineCodeRequest::compile_and_disassemble(const std::stop_token &stop) {
  Text result;
  const Scratch scratch;
  result.error = scratch.ok() ? missing_tools(compile_.toolkit) : "no temporary folder can be made";
  if (result.error.empty())
    result.error = refusal_to_compile(compile_);
  if (!result.error.empty())
    return result;
  if (cache_) {
    key_ = "listing\n" + identity_of_encodings() + "\n" +
           identity_of_tools({MachineCodeWish::From::Nvcc, {}}, compile_.toolkit) + "\n" + normalise_path(".") + "\n" +
           compile_.file + "\n" + compile_.architecture;
    for (const std::string &flag : flags_for_cubin(compile_.flags))
      key_ += "\n" + flag;
    if (std::optional<ListingCache::Kept> known = cache_->known(key_)) {
      const auto [from, listing] = llvm::StringRef(known->text).split('\n');
      result.from = from.str();
      result.listing = listing.str();
      result.read = std::move(known->read);
      result.known = true;
      return result;
    }
  }
  const Tool nvcc("nvcc", compile_.toolkit, scratch);
  const std::string cubin = scratch.file("code.cubin");
  // Beside the compiler, which does not tell what it has read without another run of the preprocessor.
  std::future<std::vector<std::string>> read;
  if (cache_)
    read = std::async([&] { return files_read(nvcc.path(), compile_, scratch, stop); });
  result.error = compile(nvcc.path(), compile_, cubin, scratch, stop);
  if (result.error.empty()) {
    Disassembled code = Disassembler(compile_.toolkit, scratch).run(cubin, compile_.file, stop, nvcc.version());
    result.error = std::move(code.error);
    result.listing = std::move(code.text);
    result.from = nvcc.text() + (code.from.empty() ? "" : ", " + code.from);
  }
  if (read.valid())
    result.read = read.get();
  return result;
}

ObtainedListings MachineCodeRequest::take(const std::vector<Program> &programs,
                                          const std::vector<std::string> &absent) {
  if (!text_.valid())
    return wish_.from == MachineCodeWish::From::File ? read_built(programs) : ObtainedListings{};
  const Text text = text_.get();
  if (!text.error.empty())
    return failed(text.error);
  ObtainedListings obtained;
  obtained.from = text.from;
  obtained.read = text.read;
  add(obtained, text.listing, "the listing of " + compile_.file);
  // Without the files that it was made of nothing tells whether it still holds.
  if (cache_ && !text.known && !text.read.empty() && obtained.error.empty())
    cache_->keep(key_, text.read, absent, text.from + "\n" + text.listing);
  return obtained;
}

ObtainedListings MachineCodeRequest::read_built(const std::vector<Program> &programs) const {
  const std::string &path = wish_.file;
  std::string wrong;
  const std::optional<BuiltKind> kind = kind_of_built(path, wrong);
  if (!kind)
    return failed(path + ": " + wrong);
  ObtainedListings obtained;
  obtained.from = path;
  obtained.read = {normalise_path(path)};
  if (kind == BuiltKind::Listing) {
    const std::optional<std::string> text = sinks::read_existing(path, wrong);
    if (!text)
      return failed(path + ": " + wrong);
    if (text->find('\0') != std::string::npos)
      return failed(path + " is no listing, no cubin, and nothing that cuobjdump finds cubins in");
    add(obtained, *text, path);
    if (!obtained.error.empty())
      obtained.error += "; `nvdisasm -gi k.cubin` makes one";
    return obtained;
  }
  const Scratch scratch;
  if (!scratch.ok())
    return failed("no temporary folder can be made");
  std::vector<std::string> cubins{path};
  if (kind == BuiltKind::Container) {
    ExtractedCubins extracted = extract_cubins(path, compile_.architecture, compile_.toolkit, scratch);
    if (!extracted.error.empty())
      return failed(extracted.error);
    obtained.hint = extracted.overwritten;
    cubins.clear();
    for (const std::string &cubin : extracted.files)
      if (may_have_kernels(cubin, programs))
        cubins.push_back(cubin);
    if (cubins.empty())
      return failed(path + " has none of this file's kernels" + (obtained.hint.empty() ? "" : "; " + obtained.hint));
  }
  Disassembler disassembler(compile_.toolkit, scratch);
  std::string tool;
  for (const std::string &cubin : cubins) {
    const std::string name =
        kind == BuiltKind::Cubin ? path : path + "'s " + llvm::StringRef(cubin).rsplit('/').second.str();
    Disassembled code = disassembler.run(cubin, name, {});
    if (!code.from.empty())
      tool = code.from;
    obtained.error = std::move(code.error);
    if (obtained.error.empty())
      add(obtained, code.text, "the listing of " + name);
    if (!obtained.error.empty())
      return failed(obtained.error);
  }
  if (!tool.empty())
    obtained.from += ", " + tool;
  return obtained;
}

} // namespace smem::compiled
