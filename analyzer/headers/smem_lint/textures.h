// Texture fetches do not go through shared memory or the global sectors that are counted; a declaration is enough for the
// kernel around them. What they read are memory's contents, so that stores may not pass them.
#pragma once

#ifndef cudaTextureType1D
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#endif

inline namespace smem_lint_texture_unit { // by which the analysis knows them
#define SL_TEXTURE template <typename T> __attribute__((device))
#define SL_FETCH(NAME, ...)                                                                                            \
  SL_TEXTURE __attribute__((pure)) T NAME(cudaTextureObject_t texture, __VA_ARGS__);                                   \
  SL_TEXTURE void NAME(T *to, cudaTextureObject_t texture, __VA_ARGS__);
SL_FETCH(tex1Dfetch, int x)
SL_FETCH(tex1D, float x)
SL_FETCH(tex2D, float x, float y)
SL_FETCH(tex3D, float x, float y, float z)
SL_FETCH(tex1DLayered, float x, int layer)
SL_FETCH(tex2DLayered, float x, float y, int layer)
SL_FETCH(texCubemap, float x, float y, float z)
SL_FETCH(texCubemapLayered, float x, float y, float z, int layer)
SL_FETCH(tex1DLod, float x, float level)
SL_FETCH(tex2DLod, float x, float y, float level)
SL_FETCH(tex3DLod, float x, float y, float z, float level)
SL_FETCH(tex2DLayeredLod, float x, float y, int layer, float level)
SL_FETCH(tex1DGrad, float x, float dx, float dy)
SL_FETCH(tex2DGrad, float x, float y, float2 dx, float2 dy)
SL_FETCH(tex3DGrad, float x, float y, float z, float4 dx, float4 dy)
SL_FETCH(tex2Dgather, float x, float y, int component = 0)
#undef SL_FETCH
#undef SL_TEXTURE
} // namespace smem_lint_texture_unit
