#pragma once
#include <smem_lint_host/torch.h>
