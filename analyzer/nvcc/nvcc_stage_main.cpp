// smem-nvcc-stage: runs stages of the compiler model on a file of device IR and prints what becomes of it. A developer's tool; tests read its output.
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "nvcc/pipeline.h"
#include "nvcc/rules/rules.h"
#include "nvcc/stage.h"

namespace {

/// In Markdown, for the documentation.
void print_stages() {
  std::puts("| stage | half | why it stands there | rules | source |\n|---|---|---|---|---|");
  for (const smem::Stage &stage : smem::stages()) {
    std::string rules;
    for (const std::string_view rule : stage.rules)
      rules += (rules.empty() ? "`" : ", `") + std::string(rule) + "`";
    const char *source = stage.of == smem::Programs::Both ? "too" : stage.of == smem::Programs::Source ? "only" : "";
    std::printf("| `%s` | %s | %s | %s | %s |\n", std::string(stage.name).c_str(),
                stage.half == smem::Half::Cicc ? "cicc" : "ptxas", std::string(stage.why).c_str(), rules.c_str(),
                source);
  }
}

/// Of each release what differs from the one before it.
void print_rules() {
  const smem::CompilerRules *before = nullptr;
  for (const smem::CompilerRules *table : smem::rule_tables()) {
    std::printf("### nvcc %s\n", std::string(table->release).c_str());
    if (before)
      std::printf("All others are those of nvcc %s.\n\n", std::string(before->release).c_str());
    std::printf(
        "| rule | half | value | what it decides | evidence | section of RULES.md | test |\n|---|---|--:|---|---|---|---|\n");
    for (const smem::RuleDescription &one : smem::rule_descriptions()) {
      const smem::CompilerRule &rule = table->*one.rule;
      if (before && rule == before->*one.rule)
        continue;
      const std::string test = rule.test.empty() ? "none" : "`" + std::string(rule.test) + "`";
      std::printf("| `%s` | %s | %u %s | %s | %s | %s | %s |\n", std::string(one.name).c_str(),
                  one.half == smem::Half::Cicc ? "cicc" : "ptxas", rule.value, std::string(one.unit).c_str(),
                  std::string(one.what).c_str(), std::string(rule.evidence).c_str(), std::string(rule.section).c_str(),
                  test.c_str());
    }
    before = table;
  }
}

void list_stages() {
  for (const smem::Stage &stage : smem::stages())
    std::printf("%-28.*s %-6s %.*s\n", static_cast<int>(stage.name.size()), stage.name.data(),
                stage.half == smem::Half::Cicc ? "cicc" : "ptxas", static_cast<int>(stage.why.size()),
                stage.why.data());
}

/// The names of the releases that there are tables of, for a message.
std::string releases() {
  std::string names;
  for (const smem::CompilerRules *table : smem::rule_tables())
    names += (names.empty() ? "" : ", ") + std::string(table->release);
  return names;
}

/// `NAME=VALUE`; whether there is such a rule.
bool change_rule(smem::CompilerRules &rules, llvm::StringRef text) {
  const auto [name, value] = text.split('=');
  const smem::RuleDescription *rule = smem::find_compiler_rule(name);
  unsigned number = 0;
  if (!rule || value.getAsInteger(10, number))
    return false;
  (rules.*(rule->rule)).value = number;
  return true;
}

} // namespace

int main(int argc, char **argv) {
  smem::CompilerRules rules = smem::rules_for();
  std::string stage, file;
  bool usage = false, changed = false;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--list") {
      list_stages();
      return 0;
    }
    if (argument == "--stages" || argument == "--rules") {
      argument == "--stages" ? print_stages() : print_rules();
      return 0;
    }
    if (argument.consume_front("--release=")) {
      if (changed) {
        std::fputs("smem-nvcc-stage: --release goes before --rule, whose changes it would undo\n", stderr);
        return 2;
      }
      if (!smem::has_rules_of(argument)) {
        std::fprintf(stderr, "smem-nvcc-stage: there is no table of nvcc '%s' (of %s there is)\n",
                     argument.str().c_str(), releases().c_str());
        return 2;
      }
      rules = smem::rules_for(argument);
    } else if (argument.starts_with("--rule=")) {
      changed = true;
      if (!change_rule(rules, argument.drop_front(std::strlen("--rule=")))) {
        std::fprintf(stderr, "smem-nvcc-stage: '%s' is no rule with a number\n", argv[i]);
        return 2;
      }
    } else if (stage.empty()) {
      stage = argument;
    } else {
      usage |= !file.empty();
      file = argument;
    }
  }
  if (usage || file.empty()) {
    std::fputs(
        "usage: smem-nvcc-stage [--release=13.0] [--rule=NAME=VALUE]... STAGE[,STAGE]... FILE.ll|FILE.bc|-\n       smem-nvcc-stage --list|--stages|--rules\n",
        stderr);
    return 2;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, error, context);
  if (!module) {
    error.print("smem-nvcc-stage", llvm::errs());
    return 2;
  }
  std::vector<std::string_view> names;
  for (const llvm::StringRef one : llvm::split(stage, ','))
    names.push_back(one);
  if (const std::string wrong = smem::run_stages(*module, names, rules); !wrong.empty()) {
    std::fprintf(stderr, "smem-nvcc-stage: %s\n", wrong.c_str());
    return 2;
  }
  module->print(llvm::outs(), nullptr);
  return 0;
}
