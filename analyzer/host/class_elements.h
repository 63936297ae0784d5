// How the fields and bases of a class are numbered in an Aggregate: bases first.
#pragma once

#include <cstdint>
#include <vector>

namespace clang {
class CastExpr;
class FieldDecl;
} // namespace clang

namespace smem {

std::uint32_t field_element(const clang::FieldDecl *field);

/// Element numbers of the bases that a cast goes through, outermost first. Empty for virtual bases and the like.
std::vector<std::uint32_t> base_elements(const clang::CastExpr *cast);

} // namespace smem
