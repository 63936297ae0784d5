#include <gtest/gtest.h>

#include "program_builder.h"
#include "smem/launch.h"
#include "smem/memory_model.h"
#include "smem/source.h"

namespace smem {
namespace {

TEST(ToString, SourceLocation) {
  EXPECT_EQ(to_string(SourceLocation{"a.cu", 12, 3}), "a.cu:12:3");
  EXPECT_EQ(to_string(SourceLocation{"a.cu", 12, 0}), "a.cu:12");
  EXPECT_EQ(to_string(SourceLocation{}), "<unknown>");
}

TEST(ToString, Dim3) { EXPECT_EQ(to_string(Dim3{32, 8, 1}), "(32,8,1)"); }

TEST(ToString, NamesOfMachineFormats) {
  EXPECT_EQ(to_string(Space::Shared), "shared");
  EXPECT_EQ(to_string(Space::Global), "global");
  EXPECT_EQ(to_string(Operation::Load), "load");
  EXPECT_EQ(to_string(Operation::Store), "store");
  EXPECT_EQ(to_string(Operation::Atomic), "atomic");
  EXPECT_EQ(to_string(Operation::AsyncCopy), "async_copy");
  EXPECT_EQ(to_string(Operation::MatrixLoad), "matrix_load");
  EXPECT_EQ(to_string(Operation::MatrixStore), "matrix_store");
  EXPECT_EQ(to_string(Operation::MatrixMultiply), "matrix_multiply");
  EXPECT_EQ(to_string(Operation::BulkCopy), "bulk_copy");
}

TEST(ToString, EveryProvenanceHasItsOwnName) {
  EXPECT_EQ(to_string(Provenance::HostCode), "host code");
  EXPECT_EQ(to_string(Provenance::LaunchBounds), "launch bounds");
  EXPECT_EQ(to_string(Provenance::Option), "option");
  EXPECT_EQ(to_string(Provenance::Assumed), "assumed");
}

/// What is looked up for every terminator, whatever its kind, has to exist.
TEST(Verify, RefusesAJumpThatNamesARegisterThatDoesNotExist) {
  test::ProgramBuilder b;
  b.jump(b.new_block());
  EXPECT_EQ(verify(b.program), "");
  b.program.blocks[0].terminator.condition = 7;
  EXPECT_NE(verify(b.program).find("terminator names a register that does not exist"), std::string::npos);
}

} // namespace
} // namespace smem
