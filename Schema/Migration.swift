/// The migrations of the store, in the order in which they apply, carried inside the binary.
///
/// A released file never changes: what it did is recorded with a checksum in `pushlift.schema_migration`.
package struct Migration: Sendable, Hashable {
  /// 1 for the first; ascending, where a number may be left out.
  package let version: Int
  /// The file's name, such as `V004_event.sql`.
  package let name: String
  /// The file's bytes, UTF-8.
  package let sql: String

  /// Whether it runs as the login itself, which alone may make roles, and not as their owner.
  package let makesRoles: Bool

  init(_ version: Int, _ name: String, _ bytes: [UInt8], makesRoles: Bool = false) {
    self.makesRoles = makesRoles
    self.version = version
    self.name = name
    self.sql = String(decoding: bytes, as: UTF8.self)
  }

  /// All migrations this binary knows, ascending by version.
  package static let all: [Migration] = [
    Migration(1, "V001_roles.sql", PackageResources.V001_roles_sql, makesRoles: true),
    Migration(2, "V002_app.sql", PackageResources.V002_app_sql),
    Migration(3, "V003_api_key.sql", PackageResources.V003_api_key_sql),
    Migration(4, "V004_event.sql", PackageResources.V004_event_sql),
    Migration(5, "V005_event_partition.sql", PackageResources.V005_event_partition_sql),
    Migration(6, "V006_reply.sql", PackageResources.V006_reply_sql),
    Migration(7, "V007_dead_letter.sql", PackageResources.V007_dead_letter_sql),
    Migration(8, "V008_unit_outcome.sql", PackageResources.V008_unit_outcome_sql),
    Migration(9, "V009_daily_rate.sql", PackageResources.V009_daily_rate_sql),
    Migration(10, "V010_projection_checkpoint.sql", PackageResources.V010_projection_checkpoint_sql),
    Migration(11, "V011_secret_check.sql", PackageResources.V011_secret_check_sql),
    Migration(12, "V012_unit_facts.sql", PackageResources.V012_unit_facts_sql),
    Migration(13, "V013_log_tally.sql", PackageResources.V013_log_tally_sql),
    Migration(14, "V014_retired_partition.sql", PackageResources.V014_retired_partition_sql),
    Migration(15, "V015_device_sample.sql", PackageResources.V015_device_sample_sql),
    Migration(16, "V016_category_registry.sql", PackageResources.V016_category_registry_sql),
    Migration(18, "V018_dashboard_role.sql", PackageResources.V018_dashboard_role_sql, makesRoles: true),
    Migration(19, "V019_dashboard_views.sql", PackageResources.V019_dashboard_views_sql),
    Migration(20, "V020_source_limit.sql", PackageResources.V020_source_limit_sql),
    Migration(22, "V022_reply_retention.sql", PackageResources.V022_reply_retention_sql),
    Migration(23, "V023_reply_reader.sql", PackageResources.V023_reply_reader_sql, makesRoles: true),
    Migration(24, "V024_erasure.sql", PackageResources.V024_erasure_sql),
    Migration(25, "V025_roles.sql", PackageResources.V025_roles_sql, makesRoles: true),
    Migration(26, "V026_rights.sql", PackageResources.V026_rights_sql),
    Migration(27, "V027_app_separation.sql", PackageResources.V027_app_separation_sql),
    Migration(28, "V028_sample_indexes.sql", PackageResources.V028_sample_indexes_sql),
    Migration(29, "V029_erasure_record.sql", PackageResources.V029_erasure_record_sql),
    Migration(30, "V030_import.sql", PackageResources.V030_import_sql),
    Migration(31, "V031_rate_frame.sql", PackageResources.V031_rate_frame_sql),
    Migration(32, "V032_interaction_index.sql", PackageResources.V032_interaction_index_sql),
    Migration(33, "V033_dead_letter_tally.sql", PackageResources.V033_dead_letter_tally_sql),
    Migration(34, "V034_orphan_view.sql", PackageResources.V034_orphan_view_sql),
  ]
}
