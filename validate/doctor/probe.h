// Asks the driver what it sees, in the way in which a program would that is being measured.
#pragma once

#include <ostream>
#include <string>

namespace smem_lint::validate {

// Writes one JSON object: `load_error` if `library` cannot be loaded, `driver` (its CUDA version), `error` of its
// initialisation, `devices`. Then makes a context on the first device, so that the library, which the environment names to CUDA
// like for any program, opens a session and writes what came of it to its own file.
void probe(const std::string &library, std::ostream &out);

} // namespace smem_lint::validate
