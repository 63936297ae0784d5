// Clang includes this file by name; toolkits from CUDA 13 on no longer have it.
