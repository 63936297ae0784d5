// Files of machine code and what lies beside them: ELF, its instructions, fatbins in it, Triton's metadata and IR.
#include "sass/cubin.h"
#include "sass/disassembler/print_cubin.h"
#include "sass/listing.h"
#include "sass/triton_metadata.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace smem::compiled;
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  const ReadCubin read = read_cubin(bytes);
  if (read.error.empty() && read.cubin.architecture.empty())
    std::abort();
  if (const PrintedCubin printed = print_cubin(bytes); printed.error.empty()) {
    const ParsedListing parsed = parse_listing(printed.text);
    if (!parsed.listing && parsed.error.empty())
      std::abort();
  }
  (void)no_fatbin(bytes);
  for (const std::string_view fatbin : fatbins_of(bytes))
    if (fatbin.data() < bytes.data() || fatbin.data() + fatbin.size() > bytes.data() + bytes.size())
      std::abort();
  std::string error;
  if (const auto metadata = read_triton_metadata(bytes, error);
      metadata && (metadata->warps == 0 || metadata->warps > 32))
    std::abort();
  for (const TritonArgument &argument : read_triton_arguments(bytes, "k"))
    if (argument.name.empty() || argument.divisibility == 0)
      std::abort();
  return 0;
}
