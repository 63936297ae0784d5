#include "extension.h" // IWYU pragma: export
