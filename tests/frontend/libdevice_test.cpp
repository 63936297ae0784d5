#include "frontend/libdevice.h"

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
    module_ = llvm::parseAssemblyString(declaration + " convergent\ndefine void @user(i32 %i, i64 %l, float %f, ptr %p) {\n" + body + "\n  ret void\n}\n", error, context_);
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
  const std::string ir = text("declare i32 @__nv_min(i32, i32)", "  %r = call i32 @__nv_min(i32 %i, i32 7)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.smin.i32(i32 %i, i32 7)"), std::string::npos) << ir;
  EXPECT_EQ(module_->getFunction("__nv_min"), nullptr);
}

TEST_F(Libdevice, LeadingZerosOf64BitsAreAnInt) {
  const std::string ir = text("declare i32 @__nv_clzll(i64)", "  %r = call i32 @__nv_clzll(i64 %l)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.ctlz.i64(i64 %l, i1 false)"), std::string::npos) << ir;
  EXPECT_NE(ir.find("trunc i64"), std::string::npos) << ir;
}

TEST_F(Libdevice, UpperHalfOfASignedProduct) {
  const std::string ir = text("declare i32 @__nv_mulhi(i32, i32)", "  %r = call i32 @__nv_mulhi(i32 %i, i32 %i)\n  store i32 %r, ptr %p");
  EXPECT_NE(ir.find("sext i32 %i to i64"), std::string::npos) << ir;
  EXPECT_NE(ir.find("lshr i64"), std::string::npos) << ir;
}

TEST_F(Libdevice, FastExponentialOfAFloat) {
  const std::string ir = text("declare float @__nv_fast_expf(float)", "  %r = call float @__nv_fast_expf(float %f)\n  store float %r, ptr %p");
  EXPECT_NE(ir.find("@llvm.exp.f32(float %f)"), std::string::npos) << ir;
}

TEST_F(Libdevice, WhatLlvmLacksIsAFunctionOfItsArguments) {
  const llvm::Function &user = described("declare float @__nv_tanhf(float)", "  %r = call float @__nv_tanhf(float %f) convergent\n  store float %r, ptr %p");
  const auto &call = llvm::cast<llvm::CallInst>(*llvm::inst_begin(user));
  EXPECT_FALSE(call.isConvergent());
  EXPECT_TRUE(call.doesNotAccessMemory());
  EXPECT_TRUE(call.hasFnAttr(llvm::Attribute::Speculatable));
}

TEST_F(Libdevice, ResultsThroughPointersAreWritten) {
  const llvm::Function &user = described("declare void @__nv_sincosf(float, ptr, ptr)", "  call void @__nv_sincosf(float %f, ptr %p, ptr %p)");
  const auto &call = llvm::cast<llvm::CallInst>(*llvm::inst_begin(user));
  EXPECT_FALSE(call.doesNotAccessMemory());
  EXPECT_TRUE(call.onlyAccessesArgMemory());
  EXPECT_FALSE(call.hasFnAttr(llvm::Attribute::Speculatable));
}

TEST_F(Libdevice, TheUsersOwnFunctionsAreLeftAlone) {
  const llvm::Function &user = described("declare i32 @nv_min(i32, i32)", "  %r = call i32 @nv_min(i32 %i, i32 7)\n  store i32 %r, ptr %p");
  EXPECT_FALSE(llvm::cast<llvm::CallInst>(*llvm::inst_begin(user)).doesNotAccessMemory());
}

} // namespace
} // namespace smem
