#pragma once
template <class T> struct LacksMember {
  at::NotInTheStandIn<T> member;
};
template <class T> __global__ void of_header(const LacksMember<T> members, float *p) { p[threadIdx.x] = 1; }
