// The encodings that are known, by architecture.
#include "sass/disassembler/encoding.h"

#include <initializer_list>

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/xxhash.h>

namespace smem::compiled {
namespace {

constexpr std::string_view kRows =
#include "sass/disassembler/encodings.inc"
    ;

/// What the rows leave to the architecture: whether an address in global memory is printed with its descriptor, where a branch has its distance, names, and
/// instructions of these alone, which come first.
constexpr std::string_view kBeforeSm90 = "$D32 {_32:6}\n$D64 {_64:6}\n$RED RED\n$BR {J32:50}\n$BD {S32:50}\n"
                                         "$type {73:4 ,.S32,.64,.F32.FTZ.RN,.F16x2.RN,.S64,.F64.RN}\n$lanes {R32}\n"
                                         "948/87:4=7 WARPSYNC {I32:32}\n34e LEPC {R16}\n";
constexpr std::string_view kSm80 = "$pack {76:1 ,.BF16}\n";
constexpr std::string_view kSm89 = "$pack {76:1 .F16,.BF16}.F32\n";
constexpr std::string_view kSm90 = "$D32 desc[{U32}]\n$D64 desc[{U64}]\n$RED REDG\n$BR {BR}\n$BD {BD}\n$lanes {R24}\n"
                                   "$type {73:3 ,.S32,.64,.S64,?,?,?,?}\n$pack {76:1 .F16,.BF16}.F32\n";

ParsedEncodings parsed(std::string_view names, std::string_view more = {}) {
  return parse_encodings(std::string(names) + std::string(more) + std::string(kRows));
}

std::uint64_t hash_of(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts)
    all += std::string(text) + '\n';
  return llvm::xxh3_64bits(all);
}

} // namespace

const ParsedEncodings &encodings_of(std::string_view architecture) {
  if (architecture == "sm_90") {
    static const ParsedEncodings sm_90 = parsed(kSm90);
    return sm_90;
  }
  if (architecture == "sm_89") {
    static const ParsedEncodings sm_89 = parsed(kBeforeSm90, kSm89);
    return sm_89;
  }
  if (architecture == "sm_80" || architecture == "sm_86") {
    static const ParsedEncodings sm_80 = parsed(kBeforeSm90, kSm80);
    return sm_80;
  }
  static const ParsedEncodings none{{}, "instructions of this architecture are not known"};
  return none;
}

std::string identity_of_encodings() {
  // Raised where the same encodings are printed in another way.
  constexpr unsigned kRevision = 2;
  return std::to_string(kRevision) + "/" + std::to_string(hash_of({kRows, kBeforeSm90, kSm80, kSm89, kSm90}));
}

} // namespace smem::compiled
