#include "syntax/ast_index.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/raw_ostream.h>

#include "syntax/access_base.h"
#include "syntax/locations.h"
#include "syntax/ir_names.h"
#include "syntax/header_calls.h"
#include "syntax/insertion_lines.h"
#include "syntax/last_operand.h"
#include "syntax/statements.h"
#include "syntax/texts.h"

namespace smem {

namespace {

/// Walks the functions that were emitted and notes the accesses in them.
class ExpressionCollector {
public:
  ExpressionCollector(clang::ASTContext &context, const IrNames &names, SourceIndex &index)
      : context_(context), names_(names), index_(index) {}

  /// A function that has this name in the module. What a constructor initialises members with stands beside its body.
  void visit(std::string name, const clang::FunctionDecl &function) {
    function_ = std::move(name);
    // Of accesses that share a place, the outermost is the one to show.
    for_statements(function, [this](const clang::Stmt *statement) { note(statement); });
    name_copies();
  }

private:
  /// What `const float4 v = *from; *to = v;` loads may be attributed to the copy out of `v` (nvcc/cicc/forwarded_copies.h): there it is `*from`, too.
  void name_copies() {
    for (const auto &[variable, use] : locals_)
      if (use.references == 1 && use.copied_at.isValid() && use.source)
        index_.copied_from.insert_or_assign(to_location(use.copied_at, context_.getSourceManager()),
                                            describe(use.source, false));
    locals_.clear();
  }

  /// A local structure that is a copy of something in memory.
  struct Local {
    const clang::Expr *source = nullptr; ///< of its initialisation
    clang::SourceLocation copied_at;     ///< the assignment that copies it elsewhere
    unsigned references = 0;
  };

  static const clang::VarDecl *local_structure(const clang::Expr *expression) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && variable->getType()->isRecordType() ? variable : nullptr;
  }

  void note_locals(const clang::Stmt *statement) {
    if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl *each : declaration->decls()) {
        const auto *variable = llvm::dyn_cast<clang::VarDecl>(each);
        const clang::Expr *start = variable && variable->getType()->isRecordType() && variable->hasLocalStorage()
                                       ? variable->getInit()
                                       : nullptr;
        if (const auto *copy =
                llvm::dyn_cast_or_null<clang::CXXConstructExpr>(start ? start->IgnoreImplicit() : nullptr);
            copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor() &&
            copy->getConstructor()->isTrivial())
          locals_[variable].source = copy->getArg(0);
      }
    } else if (const auto *assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement)) {
      if (assignment->isAssignmentOp() && assignment->getNumArgs() == 2)
        if (const clang::VarDecl *variable = local_structure(assignment->getArg(1)))
          locals_[variable].copied_at = assignment->getOperatorLoc();
    } else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      if (const clang::VarDecl *variable = local_structure(reference))
        ++locals_[variable].references;
    }
  }

  void note_call(const clang::CallExpr *call) {
    std::set<HeaderCall> &calls = index_.header_calls[function_];
    for (HeaderCall &one : header_calls(*call, context_))
      calls.insert(std::move(one));
  }

  void note(const clang::Stmt *statement) {
    note_locals(statement);
    note_insertion_lines(*statement, context_.getSourceManager(), index_);
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
      note_call(call);
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
      if (binary->isAssignmentOp())
        add_assignment(binary->getOperatorLoc(), binary->getLHS(), binary->getRHS(), binary->getLHS());
    } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
      if (unary->isIncrementDecrementOp())
        add(unary->getOperatorLoc(), unary->getSubExpr(), /*written=*/true);
      else if (unary->getOpcode() == clang::UO_Deref)
        add(unary);
    } else if (const auto *overloaded = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement)) {
      if (overloaded->isAssignmentOp() && overloaded->getNumArgs() == 2) {
        const bool copies = overloaded->getArg(1)->IgnoreImplicit()->isGLValue(); // else it is made there: `v = {a, b}`
        add_assignment(overloaded->getOperatorLoc(), overloaded->getArg(0), overloaded->getArg(1),
                       overloaded->getArg(copies ? 1 : 0));
      } else {
        add(overloaded);
      }
    } else if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
      if (construct->getConstructor()->isCopyOrMoveConstructor() && construct->getNumArgs() == 1) {
        add(construct->getExprLoc(), construct->getArg(0));
        attribute(construct->getExprLoc(), last_operand(construct->getArg(0), context_)); // `T v{s[i]}`: Clang's is v
      } else {
        note_construction(*construct);
      }
    } else if (llvm::isa<clang::ArraySubscriptExpr, clang::MemberExpr, clang::CallExpr>(statement)) {
      if (!is_barrier(*statement))
        add(llvm::cast<clang::Expr>(statement));
    } else if (const auto *assembly = llvm::dyn_cast<clang::GCCAsmStmt>(statement)) {
      add_assembly(assembly);
    } else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (variable && variable->hasGlobalStorage())
        add(reference);
    }
  }

  /// What is counted on its line is an access that the compiler has moved there.
  static bool is_barrier(const clang::Stmt &statement) {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    const clang::IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
    return name && (name->isStr("__syncthreads") || name->isStr("__syncwarp"));
  }

  /// nvcc attributes it to the last operand of `attributed`.
  void add_assignment(clang::SourceLocation at, const clang::Expr *to, const clang::Expr *from,
                      const clang::Expr *attributed) {
    add(at, to, /*written=*/true);
    add_copy(at, from);
    attribute(at, last_operand(attributed, context_));
  }

  /// Debug locations use the one or the other, by how the value is consumed.
  void add(const clang::Expr *access) {
    if (llvm::isa<clang::ArraySubscriptExpr, clang::UnaryOperator, clang::MemberExpr>(access)) {
      const clang::SourceLocation nvccs = last_operand(access, context_);
      attribute(access->getExprLoc(), nvccs);
      attribute(access->getBeginLoc(), nvccs);
    }
    add(access->getExprLoc(), access);
    if (access->getBeginLoc() != access->getExprLoc())
      add(access->getBeginLoc(), access);
  }

  void add(clang::SourceLocation place, const clang::Expr *access, bool written = false) {
    if (!is_local_scalar(access) && !reads_index(access))
      add_to(index_.expressions, place, describe(access, written));
  }

  /// `ldmatrix.sync.aligned.m8n8.x4.shared.b16 [address]`: the first instruction that has an operand in brackets, with that
  /// operand as written.
  void add_assembly(const clang::GCCAsmStmt *statement) {
    attribute_assembly(statement);
    const llvm::StringRef code = statement->getAsmString()->getString();
    const std::size_t bracket = code.find("[%");
    if (bracket == llvm::StringRef::npos)
      return;
    unsigned number = 0;
    if (code.substr(bracket + 2).consumeInteger(10, number))
      return;
    const unsigned outputs = statement->getNumOutputs();
    if (number >= outputs + statement->getNumInputs())
      return;
    const clang::Expr *operand =
        number < outputs ? statement->getOutputExpr(number) : statement->getInputExpr(number - outputs);
    const llvm::StringRef before = code.take_front(bracket);
    llvm::StringRef instruction = before.drop_front(before.find_last_of(";\n") + 1).ltrim(" \t{");
    if (instruction.starts_with("@")) // a guard
      instruction = instruction.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
    ExpressionText text = describe(operand, false);
    text.text = instruction.take_until([](char c) { return c == ' ' || c == '\t'; }).str() + " [" + text.text + "]";
    add_to(index_.expressions, statement->getAsmLoc(), std::move(text));
  }

  /// nvcc attributes a load to the line of the last name in its address and a store on that of the last one on the left side (of a
  /// structure that is copied: on the right side), Clang where the address begins and at the operator. Read off the `.loc` lines of nvcc 13's PTX.
  void attribute(clang::SourceLocation clangs, clang::SourceLocation nvccs) {
    attribute(clangs, nvccs, index_.attributed_to);
  }

  void attribute(clang::SourceLocation clangs, clang::SourceLocation nvccs,
                 std::map<std::pair<std::string, SourceLocation>, SourceLocation> &places) {
    SourceLocation from = to_location(clangs, context_.getSourceManager()),
                   to = to_location(nvccs, context_.getSourceManager());
    if (from.known() && to.known() && from.file == to.file && from.line != to.line)
      places.try_emplace({function_, std::move(from)}, std::move(to));
  }

  void note_construction(const clang::CXXConstructExpr &construct) {
    unsigned last = construct.getNumArgs();
    while (last && llvm::isa<clang::CXXDefaultArgExpr>(construct.getArg(last - 1)))
      --last;
    if (last)
      attribute(construct.getExprLoc(), last_operand(construct.getArg(last - 1), context_), index_.constructed_at);
  }

  /// nvcc attributes inline assembly to the last operand that it evaluates; constants take no evaluation.
  void attribute_assembly(const clang::GCCAsmStmt *statement) {
    unsigned inputs = statement->getNumInputs();
    const unsigned outputs = statement->getNumOutputs();
    while (inputs && !statement->getInputExpr(inputs - 1)->isValueDependent() &&
           statement->getInputExpr(inputs - 1)->isEvaluatable(context_))
      --inputs;
    if (!inputs && !outputs)
      return;
    const clang::Expr *last = inputs ? statement->getInputExpr(inputs - 1) : statement->getOutputExpr(outputs - 1);
    attribute(statement->getAsmLoc(), last->IgnoreParenImpCasts()->getExprLoc());
  }

  /// `i` of `++i`: optimised code has no access to it.
  static bool is_local_scalar(const clang::Expr *access) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(access->IgnoreParens());
    const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
           !variable->getType()->isRecordType();
  }

  /// The source of a struct assignment, below the temporaries that C++ puts around it.
  void add_copy(clang::SourceLocation place, const clang::Expr *source) {
    if (!source->getType()->isRecordType())
      return;
    const clang::Expr *access = source->IgnoreUnlessSpelledInSource();
    if (access->isLValue() || llvm::isa<clang::CallExpr>(access))
      add_to(index_.copied_from, place, describe(access, false));
  }

  /// The first one stays.
  void add_to(std::map<SourceLocation, ExpressionText> &map, clang::SourceLocation place, ExpressionText text) {
    SourceLocation location = to_location(place, context_.getSourceManager());
    if (location.known())
      map.try_emplace(std::move(location), std::move(text));
  }

  ExpressionText describe(const clang::Expr *access, bool written) {
    ExpressionText text;
    text.written = written;
    const clang::Expr *spelled = access->IgnoreUnlessSpelledInSource();
    text.text = source_text(spelled->getSourceRange(), context_);
    const clang::Expr *base = base_of(access);
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(base)) {
      text.base = reference->getDecl()->getNameAsString();
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (variable && variable->hasGlobalStorage())
        text.base_mangled = names_.name(variable);
    } else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(base)) {
      text.base = member->getMemberDecl()->getNameAsString();
    }
    return text;
  }

  std::string function_;
  std::map<const clang::VarDecl *, Local> locals_;
  clang::ASTContext &context_;
  const IrNames &names_;
  SourceIndex &index_;
};

clang::PrintingPolicy printing_policy(const clang::ASTContext &context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTagKeyword = true;
  policy.AnonymousTagLocations = false; // names are compared between machines
  policy.Bool = true;
  return policy;
}

std::optional<std::uint32_t> folded(const clang::Expr *expression, const clang::ASTContext &context) {
  if (!expression || expression->isValueDependent())
    return std::nullopt;
  const auto value = expression->getIntegerConstantExpr(context);
  if (!value || !value->isNonNegative() || value->getActiveBits() > 32)
    return std::nullopt;
  return static_cast<std::uint32_t>(value->getZExtValue());
}

/// Clang 19 does not know __cluster_dims__: our headers make an annotation of it.
std::optional<Dim3> cluster_of(const clang::FunctionDecl *function, const clang::ASTContext &context) {
  for (const auto *note : function->specific_attrs<clang::AnnotateAttr>()) {
    if (note->getAnnotation() != "smem-lint cluster_dims")
      continue;
    Dim3 cluster;
    std::uint32_t *const axes[] = {&cluster.x, &cluster.y, &cluster.z};
    if (note->args_size() > std::size(axes))
      return std::nullopt;
    for (unsigned i = 0; i < note->args_size(); ++i) {
      const auto size = folded(*(note->args_begin() + i), context);
      if (!size || *size == 0)
        return std::nullopt;
      *axes[i] = *size;
    }
    return cluster;
  }
  return std::nullopt;
}

std::vector<std::int64_t> enumerators_of(clang::QualType type) {
  constexpr std::size_t kMost = 64;
  std::vector<std::int64_t> values;
  if (const auto *enumeration = type->getAs<clang::EnumType>())
    for (const clang::EnumConstantDecl *enumerator : enumeration->getDecl()->enumerators())
      if (values.size() < kMost && enumerator->getInitVal().getSignificantBits() <= 64)
        values.push_back(enumerator->getInitVal().getExtValue());
  return values;
}

/// The scalars of a structure, from `offset` on.
void add_members(clang::QualType type, const std::string &name, std::uint64_t offset, const clang::ASTContext &context,
                 std::vector<ParameterMember> &members) {
  constexpr std::size_t kMost = 256;
  if (members.size() >= kMost || type->isDependentType() || type->isIncompleteType())
    return;
  if (const clang::RecordDecl *record = type->getAsRecordDecl()) {
    record = record->getDefinition();
    const auto *structure = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(record);
    if (!structure || structure->isInvalidDecl() || structure->isUnion() || structure->isPolymorphic() ||
        structure->getNumVBases() != 0)
      return;
    const clang::ASTRecordLayout &layout = context.getASTRecordLayout(structure);
    for (const clang::CXXBaseSpecifier &base : structure->bases())
      add_members(base.getType(), name,
                  offset + layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity(), context,
                  members);
    for (const clang::FieldDecl *field : structure->fields())
      if (!field->isBitField())
        add_members(field->getType(), field->getIdentifier() ? name + "." + field->getNameAsString() : name,
                    offset + layout.getFieldOffset(field->getFieldIndex()) / 8, context, members);
    return;
  }
  if (const auto *array = context.getAsConstantArrayType(type)) {
    const std::uint64_t size = context.getTypeSizeInChars(array->getElementType()).getQuantity();
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(array->getZExtSize(), kMost); ++i)
      add_members(array->getElementType(), name + "[" + std::to_string(i) + "]", offset + i * size, context, members);
    return;
  }
  members.push_back({name, type.getCanonicalType().getUnqualifiedType().getAsString(printing_policy(context)), offset,
                     static_cast<std::uint64_t>(context.getTypeSizeInChars(type).getQuantity()),
                     type->isPointerType() || type->isReferenceType(), enumerators_of(type)});
}

/// Those of a parameter pack all have the name of the pack: `args[0]`, `args[1]`.
std::string parameter_name(const clang::ParmVarDecl &parameter, const clang::FunctionDecl &function) {
  const std::string name = parameter.getNameAsString();
  std::size_t of_name = 0, before = 0;
  for (const clang::ParmVarDecl *one : function.parameters()) {
    before += one == &parameter ? of_name : 0;
    of_name += one->getNameAsString() == name;
  }
  return of_name > 1 && !name.empty() ? name + "[" + std::to_string(before) + "]" : name;
}

KernelSource describe_kernel(const clang::FunctionDecl *function, const clang::ASTContext &context) {
  KernelSource kernel;
  const clang::PrintingPolicy policy = printing_policy(context);
  llvm::raw_string_ostream display(kernel.display);
  function->getNameForDiagnostic(display, policy, /*Qualified=*/true);
  const clang::FunctionDecl *written = function->getTemplateInstantiationPattern();
  kernel.location = to_location((written ? written : function)->getLocation(), context.getSourceManager());
  for (const clang::ParmVarDecl *parameter : function->parameters()) {
    const clang::QualType type = parameter->getType();
    const std::string name = parameter_name(*parameter, *function);
    // Values are printed by their types: of a number by another name, the type that it is.
    const clang::QualType shown = type->isRealFloatingType() ? type.getCanonicalType() : type;
    kernel.parameters.push_back({name, shown.getAsString(policy),
                                 static_cast<std::uint64_t>(context.getTypeSizeInChars(type).getQuantity()),
                                 type->isPointerType() || type->isReferenceType(), enumerators_of(type)});
    if (type->isRecordType())
      add_members(type, name, 0, context, kernel.parameters.back().members);
  }
  if (const auto *bounds = function->getAttr<clang::CUDALaunchBoundsAttr>()) {
    kernel.max_threads = folded(bounds->getMaxThreads(), context);
    kernel.min_blocks = folded(bounds->getMinBlocks(), context);
  }
  kernel.cluster = cluster_of(function, context);
  return kernel;
}

/// Written as such: Clang also makes __constant__ of constexpr variables that device code names.
bool is_device_variable(const clang::VarDecl *variable) {
  auto explicitly = [](const clang::Attr *attribute) { return attribute && !attribute->isImplicit(); };
  return explicitly(variable->getAttr<clang::CUDASharedAttr>()) ||
         explicitly(variable->getAttr<clang::CUDADeviceAttr>()) ||
         explicitly(variable->getAttr<clang::CUDAConstantAttr>());
}

/// `__shared__ float b[N]` of `__shared__ float a[M], b[N];`.
std::string declaration_text(const clang::VarDecl *variable, const clang::ASTContext &context) {
  clang::SourceRange range = variable->getSourceRange();
  const clang::TypeSourceInfo *type = variable->getTypeSourceInfo();
  if (!type)
    return source_text(range, context);
  // A table's initialiser would drown the declaration.
  const clang::SourceLocation end = std::max(variable->getLocation(), type->getTypeLoc().getEndLoc());
  if (variable->hasInit())
    range.setEnd(end);
  const std::string before = source_text({range.getBegin(), variable->getLocation()}, context);
  if (before.find(',') == std::string::npos)
    return source_text(range, context);
  clang::TypeLoc specifier = type->getTypeLoc();
  while (!specifier.getNextTypeLoc().isNull())
    specifier = specifier.getNextTypeLoc();
  return source_text({range.getBegin(), specifier.getEndLoc()}, context) + " " +
         source_text({variable->getLocation(), end}, context);
}

VariableSource describe_variable(const clang::VarDecl *variable, const clang::ASTContext &context) {
  const clang::VarDecl *written = variable->getTemplateInstantiationPattern();
  if (!written)
    written = variable;
  VariableSource source;
  source.name = variable->getNameAsString();
  source.location = to_location(written->getLocation(), context.getSourceManager());
  source.declaration = declaration_text(written, context);
  return source;
}

bool in_user_code(const clang::Decl *declaration, const clang::SourceManager &sources) {
  return !sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()));
}

/// `extern __shared__` arrays and variables without a use of their own are not definitions of the module: found through
/// the functions that name them.
void collect_referenced_variables(const clang::FunctionDecl &definition, std::set<const clang::VarDecl *> &variables) {
  for_statements(definition, [&](const clang::Stmt *statement) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement);
    const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (variable && variable->hasGlobalStorage() && is_device_variable(variable))
      variables.insert(variable);
  });
}

} // namespace

SourceIndex build_source_index(clang::ASTContext &context, const IrNames &names) {
  SourceIndex index;
  const clang::SourceManager &sources = context.getSourceManager();
  ExpressionCollector expressions(context, names, index);
  std::set<const clang::VarDecl *> variables;
  for (const auto &[declaration, name] : names.emitted()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      if (is_device_variable(variable))
        variables.insert(variable);
      continue;
    }
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    const clang::FunctionDecl *definition = nullptr;
    if (!function || !function->hasBody(definition))
      continue;
    const bool is_kernel = function->hasAttr<clang::CUDAGlobalAttr>();
    if (is_kernel)
      index.kernels.emplace(name, describe_kernel(definition, context));
    if (is_kernel || in_user_code(definition, sources)) // CUB's kernels are read where one launches them
      expressions.visit(name, *definition);
    collect_referenced_variables(*definition, variables);
  }
  // In the order of the source: of several declarations of one variable the first is described.
  std::vector<const clang::VarDecl *> in_order;
  std::ranges::copy_if(variables, std::back_inserter(in_order),
                       [&](const clang::VarDecl *variable) { return in_user_code(variable, sources); });
  std::ranges::sort(in_order, {}, [](const clang::VarDecl *variable) {
    return std::pair(variable->getLocation().getRawEncoding(), variable->getID());
  });
  for (const clang::VarDecl *variable : in_order)
    index.variables.emplace(names.name(variable), describe_variable(variable, context));
  for (const clang::VarDecl *variable : context.CUDADeviceVarODRUsedByHost)
    index.written_by_host.push_back(names.name(variable));
  std::sort(index.written_by_host.begin(), index.written_by_host.end());
  return index;
}

} // namespace smem
