// The catalogue's measurements, for a person and for a program.
#pragma once

#include "program.h"

#include <ostream>
#include <string>
#include <vector>

namespace smem_lint::validate {

// Where and how it was measured; empty texts where that is not known.
struct Provenance {
  std::string gpu, chip, driver, toolkit, date, command;
};

// From the first record that has a session.
Provenance provenance_of(const std::vector<Program> &programs);

void write_text(std::ostream &out, const std::vector<Program> &programs);

// One object: where and how, then one entry a program. See docs/output.md.
void write_json(std::ostream &out, const std::vector<Program> &programs, const Provenance &provenance,
                const Defines &defines);

// "52 of 56 programs measured, 4 not: 4 not measured"
std::string headline(const std::vector<Program> &programs);

} // namespace smem_lint::validate
