// smem-lower: prints the Programs of a file of device IR. A developer's tool; the tests read its output.
#include <cstdio>
#include <cstring>
#include <string>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "ir/lower.h"

int main(int argc, char **argv) {
  bool only_verify = false, print_ir = false;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--verify"))
      only_verify = true;
    else if (!std::strcmp(argv[i], "--print-ir"))
      print_ir = true;
    else if (file.empty())
      file = argv[i];
    else
      file.clear();
  }
  if (file.empty()) {
    std::fputs("usage: smem-lower [--verify] [--print-ir] FILE.ll|FILE.bc|-\n", stderr);
    return 2;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, error, context);
  if (!module) {
    error.print("smem-lower", llvm::errs());
    return 2;
  }
  int status = 0;
  const auto programs = smem::lower_module(*module, {});
  if (print_ir)
    module->print(llvm::outs(), nullptr);
  for (const smem::Program &program : programs) {
    if (!only_verify)
      std::fputs(smem::to_string(program).c_str(), stdout);
    if (const std::string wrong = smem::verify(program); !wrong.empty()) {
      std::fprintf(stderr, "smem-lower: %s\n", wrong.c_str());
      status = 1;
    }
  }
  return status;
}
