#include "opcodes.h"

namespace smem::compare {
namespace {

struct Entry {
  std::string_view mnemonic;
  OpcodeClass what;
};

// CUDA Binary Utilities, instruction set reference of sm_70 to sm_120: load/store instructions.
constexpr Entry entries[] = {
    {"LDS", {Reach::Shared, Operation::Load}},
    {"STS", {Reach::Shared, Operation::Store}},
    {"LDSM", {Reach::Shared, Operation::MatrixLoad}},
    {"STSM", {Reach::Shared, Operation::MatrixStore}},
    {"ATOMS", {Reach::Shared, Operation::Atomic}},
    {"LDG", {Reach::Global, Operation::Load}},
    {"STG", {Reach::Global, Operation::Store}},
    {"ATOMG", {Reach::Global, Operation::Atomic}},
    {"RED", {Reach::Global, Operation::Atomic}},
    {"REDG", {Reach::Global, Operation::Atomic}},
    {"LDGSTS", {Reach::Both, Operation::AsyncCopy}},
    {"LD", {Reach::Generic, Operation::Load}},
    {"ST", {Reach::Generic, Operation::Store}},
    {"ATOM", {Reach::Generic, Operation::Atomic}},
    {"LDL", {Reach::Local, Operation::Load}},
    {"STL", {Reach::Local, Operation::Store}},
    // wgmma's operands in shared memory. Bulk copies and stores to other blocks count nothing: validate/RULES.md.
    {"HGMMA", {Reach::Shared, Operation::MatrixMultiply}},
    {"IGMMA", {Reach::Shared, Operation::MatrixMultiply}},
    {"BGMMA", {Reach::Shared, Operation::MatrixMultiply}},
    {"QGMMA", {Reach::Shared, Operation::MatrixMultiply}},
    {"UBLKCP", {}},
    {"UBLKRED", {}},
    {"UBLKPF", {}},
    {"UTMALDG", {}},
    {"UTMASTG", {}},
    {"UTMAREDG", {}},
    {"UTMAPF", {}},
    {"STAS", {}},
    {"LDC", {}},
    {"LDCU", {}},
    {"ULDC", {}},
    {"LDGDEPBAR", {}},
    {"LDGMC", {}},
};

} // namespace

std::optional<OpcodeClass> classify_opcode(std::string_view opcode) {
  const std::string_view mnemonic = opcode.substr(0, opcode.find('.'));
  for (const Entry &entry : entries)
    if (entry.mnemonic == mnemonic)
      return entry.what;
  return std::nullopt;
}

} // namespace smem::compare
