// Texts that an editor has not saved yet.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace smem {

/// Reads a JSON object with a text for each path, as --for-editor takes it; by normalised path. Nothing, with an error text, if it is not one.
std::optional<std::map<std::string, std::string>> parse_unsaved(std::string_view json, std::string &error);

} // namespace smem
