#!/usr/bin/env bash
# Is every C++ file of the project as clang-format 19 writes it?   check_format.sh [--fix]
# Not the kernels: their expectations stand beside the lines that they are about.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v clang-format-19 >/dev/null || { echo "check_format: clang-format-19 is not installed"; exit 77; }
files() { git ls-files -z '*.cpp' '*.h' '*.h.in' ':!examples' ':!kernels' ':!tests/lit'; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "check_format: not a git checkout"; exit 77; }
if [ "${1:-}" = --fix ]; then files | xargs -0 clang-format-19 -i
else files | xargs -0 clang-format-19 --dry-run --Werror
fi
