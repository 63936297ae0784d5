#include "smem/program.h"

namespace smem {

bool is_same_in_block(SpecialRegister which) {
  switch (which) {
  case SpecialRegister::BlockX:
  case SpecialRegister::BlockY:
  case SpecialRegister::BlockZ:
  case SpecialRegister::BlockDimX:
  case SpecialRegister::BlockDimY:
  case SpecialRegister::BlockDimZ:
  case SpecialRegister::GridDimX:
  case SpecialRegister::GridDimY:
  case SpecialRegister::GridDimZ:
  case SpecialRegister::WarpSize:
  case SpecialRegister::DynamicSharedSize:
  case SpecialRegister::TotalSharedSize: return true;
  default: return false;
  }
}

} // namespace smem
