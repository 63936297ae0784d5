// Part of memcpy_async.
#pragma once
#include "memcpy_async.h"
