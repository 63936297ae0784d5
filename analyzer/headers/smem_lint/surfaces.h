// Surface accesses do not go through shared memory or the global sectors that are counted; a declaration is enough for the
// kernel around them.
#pragma once

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
