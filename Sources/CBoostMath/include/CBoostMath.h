// Special functions for `Statistics`. The elementary ones come from <math.h>, which this header brings along;
// the distributions come from Boost.Math.
//
// No function raises, sets errno or lets a C++ exception out: whatever goes wrong inside is answered with
// NaN.

#ifndef PUSHLIFT_CBOOSTMATH_H
#define PUSHLIFT_CBOOSTMATH_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The standard normal quantile of `p`, 0 < p < 1.
double boostNormalQuantile(double p);

/// P(X > x) for chi-square with `degreesOfFreedom`.
double boostChiSquaredSurvival(double x, double degreesOfFreedom);

/// P(T > t) for Student's t with `degreesOfFreedom`.
double boostStudentSurvival(double t, double degreesOfFreedom);

/// The t that Student's t with `degreesOfFreedom` exceeds with probability `upperTail`.
double boostStudentUpperQuantile(double upperTail, double degreesOfFreedom);

/// P(X <= x) for a beta distribution with shapes `a` and `b`.
double boostBetaCumulative(double x, double a, double b);

/// P(X > x) for a beta distribution with shapes `a` and `b`.
double boostBetaSurvival(double x, double a, double b);

/// log Gamma(x), x > 0; unlike lgamma(3) it touches no global sign.
double boostLogGamma(double x);

#ifdef __cplusplus
}
#endif

#endif
