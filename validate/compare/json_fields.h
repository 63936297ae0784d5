// Reading fields of a JSON object with errors that name them.
#pragma once

#include "read.h"

#include <nlohmann/json.hpp>

namespace smem::compare {

using Json = nlohmann::json;

inline const Json *find(const Json &object, const char *key) {
  if (!object.is_object())
    return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

inline std::string text_of(const Json &object, const char *key) {
  const Json *value = find(object, key);
  if (value && !value->is_string())
    throw InputError(std::string("'") + key + "' is not a text");
  return value ? value->get<std::string>() : std::string();
}

/// Zero if absent or null.
inline std::uint64_t count_of(const Json &object, const char *key) {
  const Json *value = find(object, key);
  if (!value)
    return 0;
  if (!value->is_number_unsigned())
    throw InputError(std::string("'") + key + "' is not a count");
  return value->get<std::uint64_t>();
}

inline std::uint64_t required_count(const Json &object, const char *key) {
  if (!find(object, key))
    throw InputError(std::string("'") + key + "' is missing");
  return count_of(object, key);
}

/// An empty array if absent.
inline const Json &array_of(const Json &object, const char *key) {
  static const Json none = Json::array();
  const Json *value = find(object, key);
  if (value && !value->is_array())
    throw InputError(std::string("'") + key + "' is not an array");
  return value ? *value : none;
}

inline Dim3 dim_of(const Json &object, const char *key) {
  const Json &value = array_of(object, key);
  if (value.size() != 3 || !value[0].is_number_unsigned() || !value[1].is_number_unsigned() ||
      !value[2].is_number_unsigned())
    throw InputError(std::string("'") + key + "' is not an array of three counts");
  return {value[0].get<std::uint64_t>(), value[1].get<std::uint64_t>(), value[2].get<std::uint64_t>()};
}

inline Place place_of(const Json &object) {
  return {text_of(object, "file"), static_cast<std::uint32_t>(count_of(object, "line"))};
}

/// The place of the object, then those of its `inlined_at`.
inline std::vector<Place> chain_of(const Json &object) {
  std::vector<Place> chain;
  if (Place place = place_of(object); place.line != 0)
    chain.push_back(std::move(place));
  for (const Json &frame : array_of(object, "inlined_at"))
    if (Place place = place_of(frame); place.line != 0)
      chain.push_back(std::move(place));
  return chain;
}

/// `sources`: the versions of the source files that an input is about.
inline Hashes hashes_of(const Json &object) {
  Hashes hashes;
  for (const Json &source : array_of(object, "sources"))
    if (const std::string hash = text_of(source, "sha256"); !hash.empty())
      hashes[text_of(source, "file")] = hash;
  return hashes;
}

} // namespace smem::compare
