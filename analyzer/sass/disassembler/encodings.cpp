// The encodings that are known, by architecture.
#include "sass/disassembler/encoding.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/xxhash.h>

namespace smem::compiled {
namespace {

constexpr std::string_view kSm90 =
#include "sass/disassembler/encodings_sm90.inc"
    ;

} // namespace

const ParsedEncodings &encodings_of(std::string_view architecture) {
  static const ParsedEncodings sm_90 = parse_encodings(kSm90), none{{}, "instructions of this architecture are not known"};
  return architecture == "sm_90" ? sm_90 : none;
}

std::string identity_of_encodings() {
  // Raised where the same encodings are printed in another way.
  constexpr unsigned kRevision = 1;
  return std::to_string(kRevision) + "/" + std::to_string(llvm::xxh3_64bits({kSm90.data(), kSm90.size()}));
}

} // namespace smem::compiled
