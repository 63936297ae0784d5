// How an instruction's bits read, as data: a row for each form of each opcode, written like what it prints.
//
// A row is "HEAD TEMPLATE", or "*HEAD KIND TEMPLATE" for the forms that an opcode has by the kind of its operands.
//
// HEAD: the lower 12 bits in hexadecimal, then after slashes what has to hold and what is left alone:
//   /74=0      bit 74 is clear              /24:8=ff    the eight bits from 24 on are 0xff      /32:32pow2  a power of two
//   /~68:4,80  these bits mean nothing      /u          executed on the uniform datapath: the guard is UP0 to UPT
// All bits that a row neither reads nor leaves alone must be clear, but for bits 105 and up, which schedule: else the instruction is refused,
// whatever rows stand behind it.
//
// KIND, of rows with a star: the head is the lower 8 bits and, after a slash, the forms (bits 8 to 11) in which the operands @B and @C are
//   1, 2, 3: R32, R64    4: R64, immediate    6: R64, constant    8, 9: immediate, R64    a, b: constant, R64    c, d: U32, R64    e: R64, U32
// (without @C the second of them in forms 4, 6 and e). Registers have a sign where the kind has one, immediates are printed as it says:
//   i  signed in hexadecimal, sign      n  signed in hexadecimal, sign of the third operand only
//   w  unsigned in hexadecimal, sign    p  unsigned in hexadecimal, no sign
//   f, d  floating point of 32 bits, or the upper half of one of 64, sign and magnitude
// On the uniform datapath (/u) registers are uniform ones. @N and @I are @B and @C with ~ for the sign.
//
// TEMPLATE: text, and in braces
//   {80?.FTZ} {81^.NAN}      the text where the bit is set, is clear
//   {78:2 ,.RM,.RP,.RZ}      the alternative that the bits number; `?`: not known
//   {R16} {U24} {P81} {Q81} {B16}     registers, uniform registers, predicates, uniform predicates, barrier registers
//   {?P81, } {?Q81, }        the predicate and the text, nothing for PT
//   {I72:8} {S40:24} {N44:3} numbers: unsigned and signed in hexadecimal, decimal
//   {F32} {D32} {H32} {Y32}  floating-point numbers: 32 bits, upper half of 64, 16 bits, bfloat16
//   {_32:6}                  bits that are read and not printed
//   {C} {SR} {LUT}           a constant of a bank, the name of a special register, the table of PLOP3
//   {BR} {J32:32}            the target of a branch: its distance in bits 16 to 23 and 34 to 81, or in these bits, in bytes
//   {BD}                     that distance itself, for a computed branch
//   {M R24<78:2 ,.X4>+U32+S40:24}     the sum in an address, without the terms that are zero; V64: a uniform register even if it is URZ;
//                            O40:24: as S, and unsigned where it is the whole address
// $name stands for a line `$name TEXT` above; `SR NUMBER NAME` names a special register.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sass/disassembler/instruction_word.h"

namespace smem::compiled {

/// A piece of a template.
struct EncodingElement {
  enum class Kind : std::uint8_t {
    Text,
    Hidden,
    IfSet,
    IfClear,
    Alternatives,
    Register,
    UniformRegister,
    Predicate,
    UniformPredicate,
    BarrierRegister,
    OptionalPredicate,
    OptionalUniformPredicate,
    Unsigned,
    Signed,
    Offset, ///< of an address
    Decimal,
    Float,
    UpperDouble,
    Half,
    Bfloat,
    Constant,
    SpecialRegister,
    PredicateTable,
    Branch,
    BranchDistance,
    Jump,
    Address,
    AlwaysUniformRegister, ///< of an address
    UniformRegisterIf      ///< of an address: `bit` tells whether there is one
  };
  Kind kind = Kind::Text;
  unsigned first = 0, width = 0; ///< bits
  unsigned bit = 0;
  std::string text;
  std::vector<std::string> alternatives;
  std::vector<EncodingElement> terms; ///< Address: its terms; Register of an address: what is printed behind it
};

struct EncodingCondition {
  unsigned first = 0, width = 1;
  std::uint64_t value = 0;
  bool power_of_two = false; ///< of any value
};

struct EncodingRow {
  unsigned opcode = 0; ///< 12 bits
  bool uniform = false;
  std::vector<EncodingCondition> conditions;
  InstructionWord ignored;
  std::vector<EncodingElement> elements;
};

struct EncodingTable {
  std::map<unsigned, std::vector<EncodingRow>> rows; ///< by opcode
  std::map<unsigned, std::string> special_registers;
};

struct ParsedEncodings {
  EncodingTable table;
  std::string error; ///< not empty: the line that is none, and why
};

ParsedEncodings parse_encodings(std::string_view text);

/// The encodings of an architecture ("sm_90"); with an error where nothing is known of it.
const ParsedEncodings &encodings_of(std::string_view architecture);

/// What tells listings that were printed with other encodings.
std::string identity_of_encodings();

} // namespace smem::compiled
