// What extensions of PyTorch call in the host code around their kernels, declared and nothing more: sizes are not known.
#pragma once

#include <smem_lint_host/logging.h> // c10 has it
#include <smem_lint_host/torch_device.h>
#include <smem_lint_host/torch_dispatch.h>
#include <smem_lint_host/torch_module.h>
#include <smem_lint_host/torch_tensor.h>
#include <smem_lint_host/torch_tensor_info.h>
