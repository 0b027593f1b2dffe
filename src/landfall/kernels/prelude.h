// What every kernel begins with: types, Python's rounding, and the checks of the debug build.
#ifdef __CUDACC_RTC__
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#else
#include <stdint.h>
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef long long i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
#endif
#ifdef __CUDACC__
#define FUNCTION static __device__
#define CONSTANT static __device__ const
#ifdef LARGE_GAME
#define SHARED_FUNCTION static __device__ __noinline__
#else
#define SHARED_FUNCTION static __device__
#endif
#else
#define SHARED_FUNCTION static
#define FUNCTION static
#define CONSTANT static const
#endif
#define TABLE(field) (work->table->field)
#ifdef DEBUG_KERNEL
#include <stdio.h>
#include <stdlib.h>
static i64 broken(i64 number, i64 least, i64 most, const char *place) {
    fprintf(stderr, "%s: %lld is not between %lld and %lld\n", place, number, least, most);
    abort();
}
static inline i64 checked(i64 number, i64 least, i64 most, const char *place) {
    return number < least || number > most ? broken(number, least, most, place) : number;
}
#define CHECK(number, least, most, place) checked(number, least, most, place)
#define INDEX(number, length, place) checked(number, 0, (length) - 1, place)
#define FIT32(number, place) ((i32)checked(number, -2147483647LL - 1, 2147483647LL, place))
#define FIT64(number, place) (number)
#define FAIL(place) broken(0, 1, 0, place)
#else
#define CHECK(number, least, most, place) (number)
#define INDEX(number, length, place) (number)
#define FIT32(number, place) (number)
#define FIT64(number, place) (number)
#define FAIL(place)
#endif
FUNCTION inline i32 floor_divide32(i32 a, i32 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
FUNCTION inline i64 floor_divide64(i64 a, i64 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
FUNCTION inline i32 modulo32(i32 a, i32 b) { i32 r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }
FUNCTION inline i64 modulo64(i64 a, i64 b) { i64 r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }
FUNCTION inline i32 minimum32(i32 a, i32 b) { return b < a ? b : a; }
FUNCTION inline i64 minimum64(i64 a, i64 b) { return b < a ? b : a; }
FUNCTION inline i32 maximum32(i32 a, i32 b) { return b > a ? b : a; }
FUNCTION inline i64 maximum64(i64 a, i64 b) { return b > a ? b : a; }
FUNCTION inline i32 absolute32(i32 a) { return a < 0 ? -a : a; }
FUNCTION inline i64 absolute64(i64 a) { return a < 0 ? -a : a; }
