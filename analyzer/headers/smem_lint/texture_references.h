// Texture and surface references, which CUDA had until version 12: `texture<float, 1> t;` at namespace scope, and the functions that take
// them. As with objects (textures.h, surfaces.h), declarations are enough.
// Included for sources that use the names, as newer ones have other uses for them.
#pragma once

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
};

template <class T, int kind = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp);
  texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format);
};
template <class T, int kind = cudaSurfaceType1D> struct __attribute__((device_builtin_surface_type)) surface
    : surfaceReference {
  surface();
};

/// What a fetch returns: numbers that are read as fractions are floating-point.
template <class T, cudaTextureReadMode mode> struct smem_lint_texel {
  using type = T;
};
#define SL_FRACTIONS(ELEMENT, FRACTION)                                                                                \
  template <> struct smem_lint_texel<ELEMENT, cudaReadModeNormalizedFloat> {                                           \
    using type = FRACTION;                                                                                             \
  };
#define SL_VECTOR_FRACTIONS(PREFIX)                                                                                    \
  SL_FRACTIONS(PREFIX##1, float1) SL_FRACTIONS(PREFIX##2, float2) SL_FRACTIONS(PREFIX##4, float4)
SL_FRACTIONS(char, float)
SL_FRACTIONS(signed char, float)
SL_FRACTIONS(unsigned char, float)
SL_FRACTIONS(short, float)
SL_FRACTIONS(unsigned short, float)
SL_VECTOR_FRACTIONS(char)
SL_VECTOR_FRACTIONS(uchar)
SL_VECTOR_FRACTIONS(short)
SL_VECTOR_FRACTIONS(ushort)
#undef SL_VECTOR_FRACTIONS
#undef SL_FRACTIONS

inline namespace smem_lint_texture_unit {
#define SL_FETCH(NAME, KIND, ...)                                                                                      \
  template <class T, cudaTextureReadMode mode>                                                                         \
  __attribute__((device, pure)) typename smem_lint_texel<T, mode>::type NAME(const texture<T, KIND, mode> &from,       \
                                                                             __VA_ARGS__);
SL_FETCH(tex1Dfetch, cudaTextureType1D, int x)
SL_FETCH(tex1D, cudaTextureType1D, float x)
SL_FETCH(tex2D, cudaTextureType2D, float x, float y)
SL_FETCH(tex3D, cudaTextureType3D, float x, float y, float z)
SL_FETCH(texCubemap, cudaTextureTypeCubemap, float x, float y, float z)
SL_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered, float x, float y, float z, int layer)
SL_FETCH(tex1DLayered, cudaTextureType1DLayered, float x, int layer)
SL_FETCH(tex2DLayered, cudaTextureType2DLayered, float x, float y, int layer)
SL_FETCH(tex1DLod, cudaTextureType1D, float x, float level)
SL_FETCH(tex2DLod, cudaTextureType2D, float x, float y, float level)
SL_FETCH(tex3DLod, cudaTextureType3D, float x, float y, float z, float level)
SL_FETCH(tex1DGrad, cudaTextureType1D, float x, float dx, float dy)
SL_FETCH(tex2DGrad, cudaTextureType2D, float x, float y, float2 dx, float2 dy)
SL_FETCH(tex3DGrad, cudaTextureType3D, float x, float y, float z, float4 dx, float4 dy)
SL_FETCH(tex2Dgather, cudaTextureType2D, float x, float y, int component = 0)
#undef SL_FETCH
} // namespace smem_lint_texture_unit

inline namespace smem_lint_surface_unit {
#define SL_SURFACE(NAME, KIND, ...)                                                                                    \
  template <class T> __attribute__((device)) void NAME##write(T value, const surface<void, KIND> &to, __VA_ARGS__,     \
                                                              cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);         \
  template <class T> __attribute__((device)) T NAME##read(const surface<void, KIND> &from, __VA_ARGS__,                \
                                                          cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);             \
  template <class T> __attribute__((device)) void NAME##read(T *to, const surface<void, KIND> &from, __VA_ARGS__,      \
                                                             cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE(surf1D, cudaSurfaceType1D, int x)
SL_SURFACE(surf2D, cudaSurfaceType2D, int x, int y)
SL_SURFACE(surf3D, cudaSurfaceType3D, int x, int y, int z)
SL_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, int x, int layer)
SL_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, int x, int y, int layer)
SL_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, int x, int y, int face)
#undef SL_SURFACE
} // namespace smem_lint_surface_unit

template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, mode> &to, const void *pointer,
                            const cudaChannelFormatDesc &format, size_t bytes = 0xffffffff);
template <class T, int kind, cudaTextureReadMode mode> cudaError_t
cudaBindTexture(size_t *offset, const texture<T, kind, mode> &to, const void *pointer, size_t bytes = 0xffffffff);
cudaError_t cudaBindTexture(size_t *offset, const textureReference *to, const void *pointer,
                            const cudaChannelFormatDesc *format, size_t bytes = 0xffffffff);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, kind, mode> &to, const void *pointer,
                              const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, kind, mode> &to, const void *pointer, size_t width,
                              size_t height, size_t pitch);
cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *to, const void *pointer,
                              const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch);
template <class T, int kind, cudaTextureReadMode mode> cudaError_t
cudaBindTextureToArray(const texture<T, kind, mode> &to, cudaArray_const_t array, const cudaChannelFormatDesc &format);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, kind, mode> &to, cudaArray_const_t array);
cudaError_t cudaBindTextureToArray(const textureReference *to, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *format);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, kind, mode> &from);
cudaError_t cudaUnbindTexture(const textureReference *from);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, kind, mode> &of);
cudaError_t cudaGetTextureReference(const textureReference **reference, const void *symbol);
template <class T, int kind> cudaError_t cudaBindSurfaceToArray(const surface<T, kind> &to, cudaArray_const_t array,
                                                                const cudaChannelFormatDesc &format);
template <class T, int kind> cudaError_t cudaBindSurfaceToArray(const surface<T, kind> &to, cudaArray_const_t array);
cudaError_t cudaBindSurfaceToArray(const surfaceReference *to, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *format);
cudaError_t cudaGetSurfaceReference(const surfaceReference **reference, const void *symbol);
