// Destructors of host code: what they assign counts as well.
#include "host/interpreter.h"

namespace smem {

namespace {

/// The destructor of `type` if it, or one of a part, may run code of the program's own; elements of arrays are not looked at one by one.
const clang::CXXDestructorDecl *destructor_of(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->getDefinition() || record->isDependentContext() || record->hasTrivialDestructor())
    return nullptr;
  return record->getDestructor();
}

} // namespace

/// The object lives until the block that is being executed ends.
void Interpreter::keep_alive(const Place &place, clang::QualType type) {
  if (destructor_of(type))
    frame().alive.emplace_back(place, type);
}

/// Destroys what has been constructed since `alive` had this size, the last first.
void Interpreter::end_lifetimes(std::size_t size, std::size_t early) {
  while (frame().alive.size() > size) {
    const auto [place, type] = frame().alive.back();
    frame().alive.pop_back();
    if (stopped())
      continue;
    const bool uncertain =
        frame().early.size() > early; // on paths that returned before it ran, too, but with other values
    const std::size_t mark = store_.begin();
    destroy(place, type);
    if (uncertain)
      store_.forget(store_.changes_since(mark), "depends on a destructor, and on whether the function returned before");
    store_.keep();
  }
}

void Interpreter::destroy(const Place &place, clang::QualType type) {
  const clang::CXXDestructorDecl *destructor = destructor_of(type);
  if (!destructor || in_system_header(destructor->getParent()) || stopped())
    return;
  const clang::CXXRecordDecl *record = destructor->getParent();
  if (!destructor->isImplicit() && !destructor->isDefaulted())
    call_function(destructor, {}, place, nullptr);
  std::vector<std::pair<std::uint32_t, clang::QualType>> parts;
  std::uint32_t index = 0;
  for (const clang::CXXBaseSpecifier &base : record->bases())
    parts.emplace_back(index++, base.getType());
  for (const clang::FieldDecl *field : record->fields())
    parts.emplace_back(index++, field->getType());
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    Place inner = place;
    inner.path.push_back(part->first);
    destroy(inner, part->second);
  }
}

} // namespace smem
