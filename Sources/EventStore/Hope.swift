/// Whether a writer expects its next batch to be new as a whole.
///
/// Nearly all batches are, and a plain insert, which fails at the first row that is there already, spends a third less of
/// Postgres's time than one that looks for each row first. Retries come in clusters, and so do the events of a device that
/// was erased and goes on sending, so that one of them makes the writer look for a while.
///
/// For one thread, as its writer is.
final class Hope {
  private var carefulBatches = 0

  /// Batches that are looked through after one that was not new as a whole.
  private static let memory = 32

  var isJustified: Bool { carefulBatches == 0 }

  /// Tells that a plain insert has failed.
  func lose() { carefulBatches = Self.memory }

  /// Tells of a batch that was looked through, whether a plain insert of it would have gone well.
  func learn(wasNew: Bool) {
    carefulBatches = wasNew ? max(0, carefulBatches - 1) : Self.memory
  }
}
