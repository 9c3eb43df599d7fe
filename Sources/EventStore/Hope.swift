/// Whether a writer expects its next batch to be new as a whole.
///
/// Nearly all batches are, and a plain insert, which fails at the first row that is there already, spends a third less of
/// Postgres's time than one that looks for each row first. Retries come in clusters, so that one duplicate makes the
/// writer look for a while.
///
/// For one thread, as its writer is.
final class Hope {
  private var carefulBatches = 0

  /// Batches that are looked through after one that had a duplicate.
  private static let memory = 32

  var isJustified: Bool { carefulBatches == 0 }

  /// Tells of a batch that was looked through.
  func learn(hadDuplicates: Bool) {
    carefulBatches = hadDuplicates ? Self.memory : max(0, carefulBatches - 1)
  }
}
