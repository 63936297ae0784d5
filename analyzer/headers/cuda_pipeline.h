// The pipeline primitives; the class interface is <cuda/pipeline>.
#pragma once
#include "cuda_pipeline_primitives.h"
