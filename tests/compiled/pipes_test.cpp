// Which pipe executes an instruction of machine code.
#include "sass/machine_pipes.h"

#include <gtest/gtest.h>

namespace smem::compiled {
namespace {

TEST(MachinePipes, OfAnOpcode) {
  EXPECT_EQ(work_of("FFMA.FTZ").fp32, 1u);
  EXPECT_EQ(work_of("DFMA").fp64, 1u);
  EXPECT_EQ(work_of("IADD3.X").integer, 1u);
  EXPECT_EQ(work_of("ISETP.GE.U32.AND").integer, 1u);
  EXPECT_EQ(work_of("IMAD.WIDE.U32").multiply, 1u);
  EXPECT_EQ(work_of("VIADDMNMX").integer, 1u);
  EXPECT_EQ(work_of("MUFU.RCP").special, 1u);
  EXPECT_EQ(work_of("I2F.U32").special, 1u);
  EXPECT_EQ(work_of("F2I.TRUNC.NTZ").special, 1u);
  EXPECT_EQ(work_of("SHFL.BFLY").shuffles, 1u);
  ArithmeticWork issued;
  issued.instructions = 1;
  for (const char *opcode :
       {"LDG.E.128", "UIADD3", "BRA", "S2R", "NOP", "HFMA2.MMA", "FADD2", "I2FP.F32.S32", "VIADD", "FCHK"})
    EXPECT_EQ(work_of(opcode), issued) << opcode;
  EXPECT_EQ(work_of("FFMA", /*guarded=*/true), issued) << "a pipe may not get it";
}

TEST(MachinePipes, OfTensorCores) {
  EXPECT_EQ(work_of("HMMA.16816.F32").tensor, 16u * 8 * 16);
  EXPECT_EQ(work_of("HMMA.16816.F32.BF16").tensor, 16u * 8 * 16);
  EXPECT_EQ(work_of("HMMA.1688.F32.TF32").tensor, 2u * 16 * 8 * 8);
  EXPECT_EQ(work_of("IMMA.16832.S8.S8").tensor, 16u * 8 * 32 / 2);
  EXPECT_EQ(work_of("HGMMA.64x128x16.F32").tensor, 64u * 128 * 16 / 4);
  EXPECT_EQ(work_of("QGMMA.64x64x32.F32.E4M3.E4M3").tensor, 64u * 64 * 32 / 2 / 4);
  // Rates that are not known, and what is no shape.
  for (const char *opcode : {"HMMA.SP.16832.F32", "DMMA.8x8x4", "HMMA", "HMMA.12345.F32", "HGMMA.64x0x16.F32",
                             "HGMMA.64xx16.F32", "HGMMA.99999999999999999999x8x16"})
    EXPECT_EQ(work_of(opcode).tensor, 0u) << opcode;
}

} // namespace
} // namespace smem::compiled
