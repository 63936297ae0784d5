// The two inputs. Both throw InputError with a message for a person.
#pragma once

#include "model.h"

#include <istream>
#include <stdexcept>

namespace smem::compare {

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What `smem-lint --format=json` writes.
Prediction read_prediction(std::istream &in, const std::string &name);

/// What `smem-validate measure` writes: one JSON object a line. A last line that was cut off costs that launch only.
Measurement read_measurement(std::istream &in, const std::string &name);

} // namespace smem::compare
