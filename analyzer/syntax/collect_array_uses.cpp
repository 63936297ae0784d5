#include "syntax/collect_array_uses.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <variant>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include "syntax/locations.h"
#include "syntax/ir_names.h"
#include "support/paths.h"
#include "syntax/texts.h"

namespace smem {

namespace {

bool is_shared(const clang::VarDecl *variable) { return variable->hasAttr<clang::CUDASharedAttr>(); }

/// What an expression on the way up from a variable is: the array (or a part of it), a pointer into it, or its address as
/// an integer.
bool is_address(clang::QualType type) {
  type = type.getNonReferenceType();
  return type->isArrayType() || type->isPointerType() || type->isIntegralOrEnumerationType();
}

class Collector {
public:
  Collector(clang::ASTContext &context, const IrNames &names)
      : context_(context), sources_(context.getSourceManager()), names_(names) {}

  void function(const clang::FunctionDecl *definition) {
    function_ = definition;
    bodies_.assign(1, range(definition->getBody()->getSourceRange()));
    path_.clear();
    visit(definition->getBody());
    note_template(definition);
  }

  ArrayUses finish() {
    keep_shared();
    return std::move(result_);
  }

private:
  using Node = std::variant<const clang::Stmt *, const clang::VarDecl *>;

  void visit(const clang::Stmt *statement) {
    if (!statement)
      return;
    path_.push_back(statement);
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
          variable && is_address(variable->getType()))
        follow(reference, variable);
    } else if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl *each : declaration->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(each)) {
          if (is_shared(variable))
            result_.variables[index_of(variable)].statement = range(declaration->getSourceRange());
          path_.push_back(variable);
          visit(variable->getInit());
          path_.pop_back();
        }
      path_.pop_back();
      return;
    }
    const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement);
    if (lambda)
      bodies_.push_back(range(lambda->getBody()->getSourceRange()));
    for (const clang::Stmt *child : statement->children())
      visit(child);
    if (lambda)
      bodies_.pop_back();
    path_.pop_back();
  }

  /// From a mention of `variable` outwards: which element is selected, or where the address goes.
  void follow(const clang::DeclRefExpr *mention, const clang::VarDecl *variable) {
    const std::size_t self = index_of(variable);
    clang::QualType type = variable->getType().getNonReferenceType();
    std::vector<const clang::Expr *> subscripts;
    const clang::Expr *inner = mention;
    bool selected = false; // an element: only a pitch that goes with its address is still of interest
    for (std::size_t at = path_.size() - 1; at-- > 0;) {
      if (const auto *const *initialised = std::get_if<const clang::VarDecl *>(&path_[at])) {
        if (!selected && is_address((*initialised)->getType()))
          flow(self, *initialised);
        return;
      }
      const clang::Stmt *outer = std::get<const clang::Stmt *>(path_[at]);
      if (llvm::isa<clang::ParenExpr, clang::ExprWithCleanups, clang::MaterializeTemporaryExpr, clang::ConstantExpr,
                    clang::SubstNonTypeTemplateParmExpr>(outer)) {
      } else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(outer)) {
        if (!is_address(cast->getType()))
          return;
        if (!selected && cast->getCastKind() != clang::CK_LValueToRValue)
          type = cast->getType();
      } else if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(outer)) {
        if (selected || subscript->getBase() != inner)
          return;
        subscripts.push_back(subscript->getIdx());
        type = subscript->getType();
        if (!type->isArrayType()) {
          use(self, subscripts, type);
          selected = true;
        }
      } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(outer)) {
        if (unary->getOpcode() == clang::UO_AddrOf)
          ;
        else
          return;
      } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(outer)) {
        if (binary->getOpcode() == clang::BO_Assign && binary->getRHS() == inner && !selected) {
          if (const auto *left = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParens()))
            if (const auto *to = llvm::dyn_cast<clang::VarDecl>(left->getDecl()))
              flow(self, to);
          return;
        }
        if (binary->getOpcode() != clang::BO_Add || selected)
          return;
        sum(self, at, inner, type);
        return;
      } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(outer)) {
        const clang::FunctionDecl *callee = call->getDirectCallee();
        for (unsigned i = 0; callee && i < call->getNumArgs(); ++i)
          if (call->getArg(i) == inner)
            argument(self, call, callee, i, selected);
        // The address as an integer may come back.
        if (selected || !callee || !call->getType()->isIntegralOrEnumerationType())
          return;
        type = call->getType();
      } else {
        return;
      }
      inner = llvm::dyn_cast<clang::Expr>(outer);
      if (!inner)
        return;
    }
  }

  /// `a + i`, `i + a`, `a + i + j`: all that is added to an address that stands first.
  void sum(std::size_t self, std::size_t at, const clang::Expr *inner, clang::QualType type) {
    const auto *binary = llvm::cast<clang::BinaryOperator>(std::get<const clang::Stmt *>(path_[at]));
    const bool first = binary->getLHS() == inner;
    clang::SourceRange added = first ? binary->getRHS()->getSourceRange()
                                     : clang::SourceRange(begin_of(binary->getLHS()), binary->getLHS()->getEndLoc());
    for (; first && at > 0; --at) {
      const clang::Stmt *const *next = std::get_if<const clang::Stmt *>(&path_[at - 1]);
      const auto *more = next ? llvm::dyn_cast<clang::BinaryOperator>(*next) : nullptr;
      if (!more || more->getOpcode() != clang::BO_Add || more->getLHS() != std::get<const clang::Stmt *>(path_[at]))
        break;
      added.setEnd(more->getRHS()->getEndLoc());
    }
    type = type.getNonReferenceType();
    clang::QualType element = type->isPointerType() ? type->getPointeeType()
                              : type->isArrayType() ? context_.getAsArrayType(type)->getElementType()
                                                    : clang::QualType();
    if (!element.isNull() && (element->isArrayType() || element->isIncompleteType()))
      return;
    ArrayUse found;
    found.index = range(added);
    found.unit = element.isNull() ? 1 : bytes(element);
    found.body = bodies_.back();
    add(self, std::move(found));
  }

  /// As Stmt::getBeginLoc(), which goes down to the first operand each time: of a sum of n terms, one of which is asked for each, n * n steps.
  clang::SourceLocation begin_of(const clang::Expr *expression) {
    llvm::SmallVector<const clang::BinaryOperator *, 2> around;
    clang::SourceLocation begin;
    for (;;) {
      const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
      const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression);
      const auto known = binary ? begins_.find(binary) : begins_.end();
      if (known != begins_.end() || (!binary && !cast)) {
        begin = known != begins_.end() ? known->second : expression->getBeginLoc();
        break;
      }
      if (binary)
        around.push_back(binary);
      expression = binary ? binary->getLHS() : cast->getSubExpr();
    }
    for (const clang::BinaryOperator *each : around)
      begins_[each] = begin;
    return begin;
  }

  void use(std::size_t self, const std::vector<const clang::Expr *> &subscripts, clang::QualType element) {
    ArrayUse found;
    found.index = range(subscripts.back()->getSourceRange());
    if (subscripts.size() > 1) {
      const clang::Expr *row = subscripts[subscripts.size() - 2];
      found.row = range(row->getSourceRange());
      found.row_repeatable = repeatable(row);
    }
    found.unit = bytes(element);
    found.body = bodies_.back();
    add(self, std::move(found));
  }

  /// May be evaluated twice: no effects, and calls of nothing but `threadIdx.x` and its like.
  bool repeatable(const clang::Expr *expression) {
    if (expression->HasSideEffects(context_, /*IncludePossibleEffects=*/false))
      return false;
    bool plain = true;
    const auto look = [&](const auto &self, const clang::Stmt *statement) -> void {
      if (!statement || llvm::isa<clang::PseudoObjectExpr>(statement)) // a property: `threadIdx.x`
        return;
      if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement)) {
        const clang::FunctionDecl *callee = call->getDirectCallee();
        plain &= callee && callee->isConstexpr();
      }
      for (const clang::Stmt *child : statement->children())
        self(self, child);
    };
    look(look, expression);
    return plain;
  }

  void add(std::size_t self, ArrayUse found) {
    std::vector<ArrayUse> &uses = result_.variables[self].uses;
    std::vector<std::size_t> &alike = known_uses_[{self, found.index.begin, found.index.end}];
    if (std::ranges::none_of(alike, [&](std::size_t use) { return uses[use] == found; })) {
      alike.push_back(uses.size());
      uses.push_back(std::move(found));
    }
  }

  void argument(std::size_t self, const clang::CallExpr *call, const clang::FunctionDecl *callee, unsigned number,
                bool selected) {
    const std::string name = callee->getNameAsString();
    if ((name == "load_matrix_sync" && number == 1 && call->getNumArgs() >= 3) ||
        (name == "store_matrix_sync" && number == 0 && call->getNumArgs() >= 3)) {
      const TextRange pitch = range(call->getArg(2)->getSourceRange());
      std::vector<TextRange> &pitches = result_.variables[self].pitches;
      if (std::find(pitches.begin(), pitches.end(), pitch) == pitches.end())
        pitches.push_back(pitch);
      return;
    }
    const clang::FunctionDecl *definition = nullptr;
    const unsigned skipped =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee) ? 1 : 0;
    if (selected || number < skipped || !callee->hasBody(definition) ||
        number - skipped >= definition->getNumParams() ||
        sources_.isInSystemHeader(sources_.getExpansionLoc(definition->getLocation())))
      return;
    flow(self, definition->getParamDecl(number - skipped));
  }

  void flow(std::size_t from, const clang::VarDecl *to) {
    const std::size_t target = index_of(to);
    std::vector<std::size_t> &flows = result_.variables[from].flows_to;
    if (target != from && std::find(flows.begin(), flows.end(), target) == flows.end())
      flows.push_back(target);
  }

  std::uint32_t bytes(clang::QualType type) {
    if (type->isIncompleteType() || type->isDependentType())
      return 0;
    return static_cast<std::uint32_t>(context_.getTypeSizeInChars(type).getQuantity());
  }

  /// The bytes of the file that the user wrote for a range; unknown if it came out of a macro.
  TextRange range(clang::SourceRange tokens) {
    const clang::CharSourceRange characters = clang::Lexer::makeFileCharRange(
        clang::CharSourceRange::getTokenRange(tokens), sources_, context_.getLangOpts());
    if (characters.isInvalid())
      return {};
    const auto [file, begin] = sources_.getDecomposedLoc(characters.getBegin());
    const auto [end_file, end] = sources_.getDecomposedLoc(characters.getEnd());
    const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(file);
    if (file != end_file || !entry || sources_.isInSystemHeader(characters.getBegin()))
      return {};
    std::string path = normalise_path(entry->getName().str());
    if (const auto [text, added] = result_.texts.try_emplace(path); added) {
      const llvm::StringRef contents = sources_.getBufferData(file);
      text->second = std::hash<std::string_view>{}({contents.data(), contents.size()});
    }
    return {std::move(path), begin, end};
  }

  std::size_t index_of(const clang::VarDecl *variable) {
    const clang::SourceLocation place = sources_.getExpansionLoc(variable->getLocation());
    const auto [entry, added] =
        known_.try_emplace({place.getRawEncoding(), variable->getName().str()}, result_.variables.size());
    if (added)
      describe(variable);
    if (is_shared(variable))
      note_shape(entry->second, variable);
    return entry->second;
  }

  void describe(const clang::VarDecl *variable) {
    const clang::VarDecl *written = pattern(variable);
    ArrayVariable found;
    found.name = variable->getNameAsString();
    found.location = to_location(written->getLocation(), sources_);
    found.shared = is_shared(variable);
    found.dynamic = found.shared && variable->getType()->isIncompleteArrayType();
    found.in_function = variable->getParentFunctionOrMethod() != nullptr && !variable->hasExternalStorage();
    found.parameter = llvm::isa<clang::ParmVarDecl>(variable);
    if (const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(variable->getParentFunctionOrMethod()))
      if (const clang::FunctionDecl *definition = nullptr; function->hasBody(definition))
        found.body = range(definition->getBody()->getSourceRange());
    if (const clang::TypeSourceInfo *type = written->getTypeSourceInfo())
      extents(type->getTypeLoc(), found);
    result_.variables.push_back(std::move(found));
  }

  static const clang::VarDecl *pattern(const clang::VarDecl *variable) {
    if (const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
      const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(parameter->getDeclContext());
      const clang::FunctionDecl *written = function ? function->getTemplateInstantiationPattern() : nullptr;
      const unsigned number = parameter->getFunctionScopeIndex();
      return written && number < written->getNumParams() ? written->getParamDecl(number) : variable;
    }
    const clang::VarDecl *written = variable->getTemplateInstantiationPattern();
    return written ? written : variable;
  }

  void extents(clang::TypeLoc type, ArrayVariable &found) {
    clang::TypeLoc element = type;
    for (; !type.isNull(); type = type.getNextTypeLoc())
      if (const auto array = type.getAs<clang::ArrayTypeLoc>(); array && array.getTypePtr() == type.getTypePtr()) {
        ++found.rank;
        found.extent = array.getSizeExpr() ? range(array.getSizeExpr()->getSourceRange()) : TextRange{};
        element = array.getElementLoc();
      }
    found.element_type = source_text(element.getSourceRange(), context_);
  }

  void note_shape(std::size_t self, const clang::VarDecl *variable) {
    ArrayShape shape;
    if (const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(variable->getParentFunctionOrMethod());
        function && !variable->hasExternalStorage())
      shape.function = names_.name(function);
    std::vector<ArrayShape> &shapes = result_.shapes[self];
    if (std::any_of(shapes.begin(), shapes.end(),
                    [&](const ArrayShape &known) { return known.function == shape.function; }))
      return;
    clang::QualType type = variable->getType();
    while (const clang::ArrayType *array = context_.getAsArrayType(type)) {
      const auto *constant = llvm::dyn_cast<clang::ConstantArrayType>(array);
      shape.extents.push_back(constant ? constant->getSize().getZExtValue() : 0);
      type = array->getElementType();
    }
    shape.element = bytes(type);
    shapes.push_back(std::move(shape));
  }

  void note_template(const clang::FunctionDecl *function) {
    const clang::TemplateArgumentList *arguments = function->getTemplateSpecializationArgs();
    const clang::FunctionTemplateDecl *primary = function->getPrimaryTemplate();
    if (!arguments || !primary)
      return;
    std::vector<TemplateArgument> found;
    const clang::TemplateParameterList *parameters = primary->getTemplateParameters();
    for (unsigned i = 0; i < arguments->size() && i < parameters->size(); ++i) {
      const clang::TemplateArgument &argument = arguments->get(i);
      TemplateArgument named{parameters->getParam(i)->getNameAsString(), {}, false};
      if (argument.getKind() == clang::TemplateArgument::Integral) {
        const clang::QualType type = argument.getIntegralType();
        named.value = type->isBooleanType() ? (argument.getAsIntegral().getBoolValue() ? "true" : "false")
                      : type->isIntegerType() && !type->isEnumeralType() ? llvm::toString(argument.getAsIntegral(), 10)
                                                                         : std::string();
      } else if (argument.getKind() == clang::TemplateArgument::Type && !argument.getAsType()->isIncompleteType()) {
        named.value = std::to_string(bytes(argument.getAsType()));
        named.type = true;
      }
      if (!named.name.empty() && !named.value.empty())
        found.push_back(std::move(named));
    }
    result_.templates.emplace(names_.name(function), std::move(found));
  }

  /// Drops the variables that no shared array flows to, and flows that lead to no use.
  void keep_shared() {
    std::vector<ArrayVariable> &all = result_.variables;
    std::vector<bool> reached(all.size()), matters(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      reached[i] = all[i].shared;
      matters[i] = all[i].shared || !all[i].uses.empty() || !all[i].pitches.empty() || all[i].rank > 1;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < all.size(); ++i)
        for (const std::size_t to : all[i].flows_to) {
          if (reached[i] && !reached[to])
            changed = reached[to] = true;
          if (matters[to] && !matters[i])
            changed = matters[i] = true;
        }
    }
    std::vector<std::size_t> renamed(all.size(), all.size());
    std::vector<ArrayVariable> kept;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (reached[i] && matters[i]) {
        renamed[i] = kept.size();
        kept.push_back(std::move(all[i]));
      }
    for (ArrayVariable &variable : kept) {
      std::vector<std::size_t> flows;
      for (const std::size_t to : variable.flows_to)
        if (renamed[to] != renamed.size())
          flows.push_back(renamed[to]);
      variable.flows_to = std::move(flows);
    }
    std::map<std::size_t, std::vector<ArrayShape>> shapes;
    for (auto &[variable, shape] : result_.shapes)
      shapes.emplace(renamed[variable], std::move(shape));
    result_.shapes = std::move(shapes);
    all = std::move(kept);
  }

  clang::ASTContext &context_;
  const clang::SourceManager &sources_;
  const IrNames &names_;
  const clang::FunctionDecl *function_ = nullptr;
  std::vector<TextRange> bodies_;
  std::vector<Node> path_;
  std::map<std::pair<unsigned, std::string>, std::size_t> known_;
  llvm::DenseMap<const clang::BinaryOperator *, clang::SourceLocation> begins_; ///< begin_of()
  /// By variable, and where the index begins and ends: places in its `uses`.
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::vector<std::size_t>> known_uses_;
  ArrayUses result_;
};

} // namespace

ArrayUses collect_array_uses(clang::ASTContext &context, const IrNames &names) {
  Collector collector(context, names);
  const clang::SourceManager &sources = context.getSourceManager();
  for (const IrNames::Emitted &one : names.emitted()) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(one.declaration);
    const clang::FunctionDecl *definition = nullptr;
    if (function && function->hasBody(definition) &&
        !sources.isInSystemHeader(sources.getExpansionLoc(definition->getLocation())))
      collector.function(definition);
  }
  return collector.finish();
}

} // namespace smem
