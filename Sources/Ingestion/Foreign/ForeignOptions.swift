package import ForeignEvents

/// How records of another system are read.
package struct ForeignOptions: Sendable {
  /// What the source does not carry; nil where nothing is told beside.
  package var campaigns: Campaigns?
  /// Leaves out what is only known to be sent.
  package var ignoresSent = false
  /// For CSV whose columns are not named as the contract has them.
  package var mapping: ColumnMapping?

  package init() {}
}
