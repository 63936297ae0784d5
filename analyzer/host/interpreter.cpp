// Runs of the interpreter: what they begin with, and when they are given up.
#include "host/interpreter.h"

#include <clang/Basic/SourceManager.h>

namespace smem {

Interpreter::Interpreter(clang::ASTContext &context, LaunchRecorder &recorder, std::stop_token stop)
    : context_(context), recorder_(recorder), stop_(std::move(stop)) {
  reset();
}

void Interpreter::reset() {
  store_ = {};
  frames_.clear();
  globals_.clear();
  long_loops_.clear();
  escaped_.clear();
  changed_globals_ = {};
  of_unknown_class_.clear();
  exited_ = exhausted_ = aborted_ = globals_known_ = false;
  one_device_ = true;
  steps_ = 0;
  most_steps_ = kHostSteps;
  abort_at_ = UINT64_MAX;
}

bool Interpreter::in_system_header(const clang::Decl *declaration) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()));
}

void Interpreter::run_main(const clang::FunctionDecl *main, llvm::ArrayRef<const clang::VarDecl *> variables,
                           Start start) {
  reset();
  globals_known_ = true;
  one_device_ = start != Start::Any;
  for (const clang::VarDecl *variable : variables)
    if (!stopped())
      global(variable);
  std::vector<Argument> arguments(main->getNumParams());
  const Value nothing = unknown("depends on argv");
  for (Argument &argument : arguments)
    argument.value = nothing;
  if (!arguments.empty())
    arguments[0].value = start == Start::NoArguments ? Value(integer(1, context_.IntTy, context_).is, kNoArguments)
                                                     : unknown("depends on argc");
  frames_.emplace_back();
  call_function(main, std::move(arguments), std::nullopt, nullptr);
}

void Interpreter::run_alone(const clang::FunctionDecl *function, std::uint64_t most_steps, const PassedCall *call) {
  reset();
  most_steps_ = most_steps;
  std::vector<Argument> arguments = unknown_arguments(function, call);
  std::optional<Place> self;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      method && method->isImplicitObjectMemberFunction())
    self = of_unknown_class(received(call ? call->object : PassedValue(), context_.getRecordType(method->getParent()),
                                     "depends on the object of '" + function->getNameAsString() + "'"));
  frames_.emplace_back();
  call_function(function, std::move(arguments), self, nullptr);
}

Place Interpreter::of_unknown_class(Value object) {
  const Place place = temporary(std::move(object));
  of_unknown_class_.insert(place.object);
  return place;
}

std::string Interpreter::at_line(const clang::Stmt *statement) const {
  return statement ? at_line(statement->getBeginLoc()) : std::string();
}

std::string Interpreter::at_line(clang::SourceLocation location) const {
  const auto [entry, fresh] = lines_.try_emplace(location);
  std::string &text = entry->second;
  if (!fresh)
    return text;
  const clang::SourceManager &sources = context_.getSourceManager();
  const clang::PresumedLoc place = sources.getPresumedLoc(location);
  if (place.isInvalid())
    return text;
  const std::string line = std::to_string(place.getLine());
  if (sources.isInMainFile(sources.getExpansionLoc(location)))
    return text = " (line " + line + ")";
  const std::string file = place.getFilename();
  return text = " (" + file.substr(file.find_last_of('/') + 1) + ":" + line + ")";
}

std::vector<Interpreter::Argument> Interpreter::unknown_arguments(const clang::FunctionDecl *function,
                                                                  const PassedCall *call) {
  std::vector<Argument> arguments(function->getNumParams());
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    const std::string reason =
        "depends on parameter '" + parameter->getNameAsString() + "' of '" + function->getNameAsString() + "'";
    const clang::QualType type = parameter->getType();
    if (call && i < call->arguments.size())
      arguments[i].value = received(call->arguments[i], type, reason);
    else if (type->isReferenceType())
      arguments[i].value = Address{of_unknown_class(uninitialised(type->getPointeeType(), context_, reason))};
    else
      arguments[i].value = uninitialised(type, context_, reason);
  }
  return arguments;
}

} // namespace smem
