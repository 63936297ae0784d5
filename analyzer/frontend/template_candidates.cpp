#include "frontend/template_candidates.h"

#include <array>
#include <string_view>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include "syntax/ast_visitor.h"

namespace smem {
namespace {

/// What the parameters of one candidate have in common.
struct Scheme {
  unsigned type = 0; ///< row of kTypes
  int integer = 0;   ///< 0: by the parameters' names
  bool flag = false;
};

constexpr std::array<std::string_view, 6> kTypes{"float", "half", "int", "double", "unsigned char", "float4"};
constexpr std::array<int, 10> kIntegers{0, 32, 16, 8, 4, 64, 128, 2, 1, 256};

/// The first rounds vary what fails most often: sizes that a static_assert relates, then the type, then both.
std::optional<Scheme> scheme(std::size_t number) {
  const std::size_t flags = 2, sizes = kIntegers.size() * flags;
  if (number < sizes)
    return Scheme{0, kIntegers[number / flags], number % flags != 0};
  number -= sizes;
  if (number < (kTypes.size() - 1) * 2)
    return Scheme{static_cast<unsigned>(1 + number / 2), number % 2 ? 32 : 0, false};
  return std::nullopt;
}

bool contains(std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string lower = llvm::StringRef(name).lower();
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// What a size is called says how large it usually is.
int usual_size(std::string_view name) {
  if (contains(name, {"warps", "num_warp", "nwarp"}))
    return 4;
  if (contains(name, {"stage", "dimension", "ndim", "rank"}))
    return 2;
  if (contains(name, {"per_thread", "perthread", "items", "unroll", "vec", "ilp", "pack", "coarse", "radius"}))
    return 4;
  if (contains(name, {"bits", "rows"}))
    return 8;
  if (contains(name, {"tile", "warp"}))
    return 32;
  if (contains(name, {"head"}))
    return 64;
  if (contains(name, {"block_m", "block_n", "block_k", "blockm", "blockn", "blockk"}))
    return 32;
  if (contains(name, {"thread", "block", "cta"}))
    return 256;
  return 32;
}

clang::QualType named_type(clang::ASTContext &context, llvm::StringRef name) {
  for (const clang::NamedDecl *declaration : context.getTranslationUnitDecl()->lookup(&context.Idents.get(name)))
    if (const auto *type = llvm::dyn_cast<clang::TypeDecl>(declaration))
      return context.getTypeDeclType(type);
  return {};
}

clang::QualType type_for(clang::ASTContext &context, llvm::StringRef name, unsigned row) {
  if (row == 0) {
    if (contains(name.str(), {"index", "idx", "offset", "size", "count", "int"}))
      return context.IntTy;
    if (contains(name.str(), {"half"}))
      if (const clang::QualType half = named_type(context, "__half"); !half.isNull())
        return half;
    if (contains(name.str(), {"double"}))
      return context.DoubleTy;
  }
  switch (row) {
  case 1: return named_type(context, "__half");
  case 2: return context.IntTy;
  case 3: return context.DoubleTy;
  case 4: return context.UnsignedCharTy;
  case 5: return named_type(context, "float4");
  default: return context.FloatTy;
  }
}

/// Whether a template calls what has the type of a parameter: `op(a, b)`, `Op()(a, b)`.
class Calls : public AstVisitor {
public:
  explicit Calls(const clang::TemplateTypeParmDecl *parameter) : parameter_(parameter) {}
  bool found = false;

  void visit(clang::Stmt *statement) override {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
    const clang::Expr *callee = call ? call->getCallee()->IgnoreParenImpCasts() : nullptr;
    const auto *type = callee ? callee->getType().getNonReferenceType()->getAs<clang::TemplateTypeParmType>() : nullptr;
    found |= type && type->getDepth() == parameter_->getDepth() && type->getIndex() == parameter_->getIndex();
  }

private:
  const clang::TemplateTypeParmDecl *parameter_;
};

bool is_called(const clang::FunctionTemplateDecl *pattern, const clang::TemplateTypeParmDecl *parameter) {
  Calls calls(parameter);
  calls.walk(pattern->getTemplatedDecl()->getBody());
  return calls.found;
}

std::optional<clang::TemplateArgumentLoc> value_for(clang::Sema &sema, const clang::NonTypeTemplateParmDecl *parameter,
                                                    const Scheme &scheme, clang::SourceLocation place) {
  clang::ASTContext &context = sema.Context;
  clang::QualType type = parameter->getType().getUnqualifiedType();
  if (type->isDependentType() || type->getContainedAutoType())
    type = context.IntTy;
  std::int64_t value;
  if (type->isBooleanType()) {
    value = scheme.flag;
  } else if (const auto *enumeration = type->getAs<clang::EnumType>()) {
    const auto first = enumeration->getDecl()->enumerator_begin();
    if (first == enumeration->getDecl()->enumerator_end())
      return std::nullopt;
    return sema.getTrivialTemplateArgumentLoc(clang::TemplateArgument(context, first->getInitVal(), type), type, place);
  } else if (type->isIntegerType()) {
    value = scheme.integer ? scheme.integer : usual_size(parameter->getName());
  } else {
    return std::nullopt;
  }
  const llvm::APSInt number(llvm::APInt(context.getIntWidth(type), static_cast<std::uint64_t>(value)),
                            type->isUnsignedIntegerOrEnumerationType());
  return sema.getTrivialTemplateArgumentLoc(clang::TemplateArgument(context, number, type), type, place);
}

bool has_default(const clang::NamedDecl *parameter) {
  if (const auto *type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter))
    return type->hasDefaultArgument();
  if (const auto *value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter))
    return value->hasDefaultArgument();
  return llvm::cast<clang::TemplateTemplateParmDecl>(parameter)->hasDefaultArgument();
}

} // namespace

std::optional<clang::TemplateArgumentListInfo> template_candidate(clang::Sema &sema,
                                                                  clang::FunctionTemplateDecl *pattern,
                                                                  const WrittenArguments &written, std::size_t number) {
  const std::optional<Scheme> chosen = scheme(number);
  if (!chosen)
    return std::nullopt;
  const clang::SourceLocation place = pattern->getLocation();
  clang::TemplateArgumentListInfo arguments(place, place);
  const clang::TemplateParameterList *parameters = pattern->getTemplateParameters();
  for (unsigned i = 0; i < parameters->size(); ++i) {
    const clang::NamedDecl *parameter = parameters->getParam(i);
    if (parameter->isTemplateParameterPack() || has_default(parameter))
      break; // what follows has a default, is a pack, or can be deduced from none
    if (i < written.size() && !written[i].getArgument().isNull()) {
      arguments.addArgument(written[i]);
    } else if (const auto *type_parameter = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter)) {
      const clang::QualType type = is_called(pattern, type_parameter)
                                       ? named_type(sema.Context, "smem_lint_callable")
                                       : type_for(sema.Context, parameter->getName(), chosen->type);
      if (type.isNull())
        return clang::TemplateArgumentListInfo(); // fits nothing, the next one may
      arguments.addArgument(sema.getTrivialTemplateArgumentLoc(clang::TemplateArgument(type), {}, place));
    } else if (const auto *value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter)) {
      const auto argument = value_for(sema, value, *chosen, place);
      if (!argument)
        return std::nullopt;
      arguments.addArgument(*argument);
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

} // namespace smem
