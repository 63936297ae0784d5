#include "nvcc/cicc/libdevice.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

/// What a function of one call becomes.
class Libdevice : public testing::Test {
protected:
  const llvm::Function &described(const std::string &declaration, const std::string &body) {
    llvm::SMDiagnostic error;
    module_ =
        llvm::parseAssemblyString(declaration + " convergent\ndefine void @user(i32 %i, i64 %l, float %f, ptr %p) {\n" +
                                      body + "\n  ret void\n}\n",
                                  error, context_);
    EXPECT_TRUE(module_) << error.getMessage().str();
    describe_libdevice(*module_);
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    return *module_->getFunction("user");
  }

  std::string text(const std::string &declaration, const std::string &body) {
    std::string out;
    llvm::raw_string_ostream(out) << described(declaration, body);
    return out;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(Libdevice, LeastOfTwoIsLlvmsOwn) {
  const std::string ir =
      text("declare i32 @__nv_min(i32, i32)", "  %r = call i32 @__nv_min(i32 %i, i32 7)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.smin.i32(i32 %i, i32 7)"), std::string::npos) << ir;
  EXPECT_EQ(module_->getFunction("__nv_min"), nullptr);
}

TEST_F(Libdevice, LeadingZerosOf64BitsAreAnInt) {
  const std::string ir =
      text("declare i32 @__nv_clzll(i64)", "  %r = call i32 @__nv_clzll(i64 %l)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.ctlz.i64(i64 %l, i1 false)"), std::string::npos) << ir;
  EXPECT_NE(ir.find("trunc i64"), std::string::npos) << ir;
}

TEST_F(Libdevice, UpperHalfOfASignedProduct) {
  const std::string ir =
      text("declare i32 @__nv_mulhi(i32, i32)", "  %r = call i32 @__nv_mulhi(i32 %i, i32 %i)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("sext i32 %i to i64"), std::string::npos) << ir;
  EXPECT_NE(ir.find("lshr i64"), std::string::npos) << ir;
}

TEST_F(Libdevice, ProductsOf24BitsAreWrittenOut) {
  const std::string ir = text("declare i32 @__nv_umul24(i32, i32)",
                              "  %r = call i32 @__nv_umul24(i32 %i, i32 %i)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("and i32 %i, 16777215"), std::string::npos) << ir;
  EXPECT_NE(ir.find("mul i32"), std::string::npos) << ir;
  const std::string of_signed =
      text("declare i32 @__nv_mul24(i32, i32)", "  %r = call i32 @__nv_mul24(i32 %i, i32 %i)\n  store i32 %r, ptr %p");
  EXPECT_NE(of_signed.find("ashr i32"), std::string::npos) << of_signed;
}

TEST_F(Libdevice, MeansLoseNoCarry) {
  const std::string down =
      text("declare i32 @__nv_uhadd(i32, i32)", "  %r = call i32 @__nv_uhadd(i32 %i, i32 7)\n  store i32 %r, ptr %p");
  EXPECT_NE(down.find("lshr i32"), std::string::npos) << down;
  EXPECT_NE(down.find("and i32"), std::string::npos) << down;
  const std::string up =
      text("declare i32 @__nv_rhadd(i32, i32)", "  %r = call i32 @__nv_rhadd(i32 %i, i32 7)\n  store i32 %r, ptr %p");
  EXPECT_NE(up.find("ashr i32"), std::string::npos) << up;
  EXPECT_NE(up.find("or i32"), std::string::npos) << up;
}

TEST_F(Libdevice, InstructionsOfPtxAreThemselves) {
  EXPECT_NE(text("declare i32 @__nv_usad(i32, i32, i32)",
                 "  %r = call i32 @__nv_usad(i32 %i, i32 %i, i32 1)\n  store i32 %r, ptr %p")
                .find("@llvm.nvvm.sad.ui"),
            std::string::npos);
  EXPECT_NE(text("declare i64 @__nv_mul64hi(i64, i64)",
                 "  %r = call i64 @__nv_mul64hi(i64 %l, i64 %l)\n  store i64 %r, ptr %p")
                .find("@llvm.nvvm.mulhi.ll"),
            std::string::npos);
  EXPECT_NE(text("declare i32 @__nv_float2int_rd(float)",
                 "  %r = call i32 @__nv_float2int_rd(float %f)\n  store i32 %r, ptr %p")
                .find("@llvm.nvvm.f2i.rm"),
            std::string::npos);
  EXPECT_NE(text("declare float @__nv_int2float_rz(i32)",
                 "  %r = call float @__nv_int2float_rz(i32 %i)\n  store float %r, ptr %p")
                .find("@llvm.nvvm.i2f.rz"),
            std::string::npos);
  const std::string difference = text("declare float @__nv_fsub_rn(float, float)",
                                      "  %r = call float @__nv_fsub_rn(float 1.0, float %f)\n  store float %r, ptr %p");
  EXPECT_NE(difference.find("fneg float %f"), std::string::npos) << difference;
  EXPECT_NE(difference.find("@llvm.nvvm.add.rn.f"), std::string::npos) << difference;
}

TEST_F(Libdevice, FirstBitSetOfNoneIsZero) {
  const std::string ir =
      text("declare i32 @__nv_ffsll(i64)", "  %r = call i32 @__nv_ffsll(i64 %l)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.ctlz.i64("), std::string::npos) << ir;
  EXPECT_NE(ir.find("sub i64 64"), std::string::npos) << ir;
  EXPECT_EQ(ir.find("select"), std::string::npos) << ir;
}

TEST_F(Libdevice, WhatIsNotExactIsNotLlvmsToSimplify) {
  const llvm::Function &power =
      described("declare float @__nv_powf(float, float)",
                "  %r = call float @__nv_powf(float %f, float 2.0)\n  store float %r, ptr %p");
  EXPECT_TRUE(llvm::cast<llvm::CallInst>(*llvm::inst_begin(power)).isNoBuiltin());
  const llvm::Function &builtin =
      described("declare float @llvm.pow.f32(float, float)",
                "  %r = call float @llvm.pow.f32(float %f, float 2.0)\n  store float %r, ptr %p");
  EXPECT_TRUE(llvm::cast<llvm::CallInst>(*llvm::inst_begin(builtin)).isNoBuiltin());
  const llvm::Function &root = described("declare float @__nv_sqrtf(float)",
                                         "  %r = call float @__nv_sqrtf(float %f)\n  store float %r, ptr %p");
  EXPECT_FALSE(llvm::cast<llvm::CallInst>(*llvm::inst_begin(root)).isNoBuiltin());
}

TEST_F(Libdevice, FastExponentialOfAFloat) {
  const std::string ir = text("declare float @__nv_fast_expf(float)",
                              "  %r = call float @__nv_fast_expf(float %f)\n  store float %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.nvvm.ex2.approx.f(float %"), std::string::npos)
      << ir; // not the function that counts in full
  EXPECT_EQ(ir.find("@llvm.exp.f32"), std::string::npos) << ir;
}

TEST_F(Libdevice, WhatLlvmLacksIsAFunctionOfItsArguments) {
  const llvm::Function &user =
      described("declare float @__nv_tanhf(float)",
                "  %r = call float @__nv_tanhf(float %f) convergent\n  store float %r, ptr %p");
  const auto &call = llvm::cast<llvm::CallInst>(*llvm::inst_begin(user));
  EXPECT_FALSE(call.isConvergent());
  EXPECT_TRUE(call.doesNotAccessMemory());
  EXPECT_TRUE(call.hasFnAttr(llvm::Attribute::Speculatable));
}

TEST_F(Libdevice, ResultsThroughPointersAreWritten) {
  const llvm::Function &user =
      described("declare void @__nv_sincosf(float, ptr, ptr)", "  call void @__nv_sincosf(float %f, ptr %p, ptr %p)");
  const auto &call = llvm::cast<llvm::CallInst>(*llvm::inst_begin(user));
  EXPECT_FALSE(call.doesNotAccessMemory());
  // And a table is read.
  EXPECT_EQ(call.getMemoryEffects(), llvm::MemoryEffects::argMemOnly() | llvm::MemoryEffects::readOnly());
  EXPECT_FALSE(call.hasFnAttr(llvm::Attribute::Speculatable));
}

TEST_F(Libdevice, TheUsersOwnFunctionsAreLeftAlone) {
  const llvm::Function &user =
      described("declare i32 @nv_min(i32, i32)", "  %r = call i32 @nv_min(i32 %i, i32 7)\n  store i32 %r, ptr %p");
  EXPECT_FALSE(llvm::cast<llvm::CallInst>(*llvm::inst_begin(user)).doesNotAccessMemory());
}

} // namespace
} // namespace smem
