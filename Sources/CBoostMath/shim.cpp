#include "CBoostMath.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <limits>

namespace {

namespace policies = boost::math::policies;

// Errors come back as values: NaN for a bad argument, infinity for an overflow, the best estimate where a
// series stops short. Doubles are promoted to long double where that is wider, which the incomplete beta
// function needs at shapes of 1e9.
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>, policies::evaluation_error<policies::ignore_error>,
    policies::rounding_error<policies::ignore_error>, policies::indeterminate_result_error<policies::ignore_error>,
    policies::promote_double<true>>;

// What the policy does not cover (an allocation, a bug in the library) must not cross into Swift either.
template <typename Body>
double guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

extern "C" {

double boostNormalQuantile(double p) {
  return guarded([=] { return quantile(boost::math::normal_distribution<double, Quiet>(0, 1), p); });
}

double boostChiSquaredSurvival(double x, double degreesOfFreedom) {
  return guarded([=] { return boost::math::gamma_q(degreesOfFreedom / 2, x / 2, Quiet()); });
}

double boostStudentSurvival(double t, double degreesOfFreedom) {
  using boost::math::complement;
  return guarded([=] {
    return cdf(complement(boost::math::students_t_distribution<double, Quiet>(degreesOfFreedom), t));
  });
}

double boostStudentUpperQuantile(double upperTail, double degreesOfFreedom) {
  using boost::math::complement;
  return guarded([=] {
    return quantile(
        complement(boost::math::students_t_distribution<double, Quiet>(degreesOfFreedom), upperTail));
  });
}

double boostBetaCumulative(double x, double a, double b) {
  return guarded([=] { return boost::math::ibeta(a, b, x, Quiet()); });
}

double boostBetaSurvival(double x, double a, double b) {
  return guarded([=] { return boost::math::ibetac(a, b, x, Quiet()); });
}

double boostLogGamma(double x) {
  return guarded([=] { return boost::math::lgamma(x, Quiet()); });
}

}
