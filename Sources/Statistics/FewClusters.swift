/// What few clusters cost.
package enum FewClusters {
  /// How many times larger the variance between `count` clusters has to be taken than that between `many`, for a normal interval
  /// to hold as well: by Student's t, as Korn and Graubard (1998, Surv Methodol 24:193) take it off the effective counts, and by
  /// the factor G / (G − 1) of each.
  ///
  /// - Returns: 1 for as many clusters; `nil` for fewer than two, which tell of no variance.
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package static func inflation(
    _ count: Int, of many: Int, _ level: ConfidenceLevel
  ) throws(StatisticsError) -> Double? {
    guard count > 1 else { return nil }
    guard count < many else { return 1 }
    func scale(_ count: Int) throws(StatisticsError) -> Double {
      let degreesOfFreedom = Double(count - 1)
      let critical = try SpecialFunctions.studentCriticalValue(level, degreesOfFreedom: degreesOfFreedom)
      return Double(count) / degreesOfFreedom * critical * critical
    }
    return try scale(count) / scale(many)
  }
}
