// Surface accesses do not go through shared memory or the global sectors that are counted; a declaration is enough for the
// kernel around them.
#pragma once

#ifndef cudaSurfaceType1D
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC
#endif

inline namespace smem_lint_surface_unit { // by which the analysis knows them
#define SL_SURFACE template <typename T> __attribute__((device))
SL_SURFACE T surf1Dread(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE T surf2Dread(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf2Dread(T *to, cudaSurfaceObject_t surface, int x, int y,
                           cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf1Dread(T *to, cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf3Dread(T *to, cudaSurfaceObject_t surface, int x, int y, int z,
                           cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE T surf3Dread(cudaSurfaceObject_t surface, int x, int y, int z,
                        cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf1Dwrite(T value, cudaSurfaceObject_t surface, int x,
                            cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y,
                            cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf3Dwrite(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                            cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE T surf1DLayeredread(cudaSurfaceObject_t surface, int x, int layer,
                               cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE T surf2DLayeredread(cudaSurfaceObject_t surface, int x, int y, int layer,
                               cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE T surfCubemapread(cudaSurfaceObject_t surface, int x, int y, int face,
                             cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf1DLayeredwrite(T value, cudaSurfaceObject_t surface, int x, int layer,
                                   cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surf2DLayeredwrite(T value, cudaSurfaceObject_t surface, int x, int y, int layer,
                                   cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
SL_SURFACE void surfCubemapwrite(T value, cudaSurfaceObject_t surface, int x, int y, int face,
                                 cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
#undef SL_SURFACE
} // namespace smem_lint_surface_unit
