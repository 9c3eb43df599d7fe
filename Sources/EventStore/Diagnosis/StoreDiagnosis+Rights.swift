internal import Postgres

extension StoreDiagnosis {
  /// What no role may do but those named, told where somebody has granted it.
  private struct Ban {
    /// For a message, after the role's name.
    let what: String
    /// The roles that may, beside the owner.
    var exempt: [String] = []
    /// What is looked up for a role: its column `role`.
    let isBroken: SQL
    /// How to take it back; `ROLE` stands for the role.
    let remedy: String
  }

  /// Every role but the owner's.
  private static let roles = [
    "pushlift_runtime", "pushlift_writer", "pushlift_aggregator", "pushlift_analyst", "pushlift_reader",
    "pushlift_replies", "pushlift_dashboard",
  ]

  private static let bans = [
    Ban(
      what: "may read the texts of replies", exempt: ["pushlift_replies"],
      isBroken: "has_column_privilege(role, 'reply', 'text', 'select')",
      remedy: "revoke select (text) on reply from ROLE, and see who had granted it."),
    Ban(
      what: "may change or remove events",
      isBroken: """
        exists (
          select from pg_class
          where (oid = 'event'::regclass or oid in (select inhrelid from pg_inherits where inhparent = 'event'::regclass))
            and (has_table_privilege(role, oid, 'delete, truncate') or has_any_column_privilege(role, oid, 'update')))
        """,
      remedy:
        "revoke update, delete, truncate on event and its partitions from ROLE, and see who had granted it."),
    Ban(
      what: "may read the hashes of keys", exempt: ["pushlift_runtime", "pushlift_writer"],
      isBroken: "has_column_privilege(role, 'api_key', 'secret_hash', 'select')",
      remedy: "revoke select (secret_hash) on api_key from ROLE, and see who had granted it."),
    Ban(
      what: "may act as the owner", isBroken: "pg_has_role(role, 'pushlift_owner', 'member')",
      remedy: "revoke pushlift_owner from ROLE, and see who had granted it."),
    Ban(
      what: "passes by the separation of apps",
      isBroken: "(select rolsuper or rolbypassrls from pg_roles where rolname = role)",
      remedy: "alter role ROLE nosuperuser nobypassrls"),
    Ban(
      what: "may do more than read one app's rows", exempt: roles.filter { $0 != "pushlift_reader" },
      isBroken: """
        exists (
          select from pg_class
          where relnamespace = 'pushlift'::regnamespace and relkind in ('r', 'p')
            and (has_table_privilege(role, oid, 'insert, update, delete, truncate')
              or has_any_column_privilege(role, oid, 'select') and not relrowsecurity
                and relname <> 'projection_checkpoint'))
        """,
      remedy:
        "alter table … enable row level security where pushlift_reader may read, and revoke what migrations have not granted."
    ),
  ]

  func checkRights() throws -> [Finding] {
    let connection = try store.connect(.asking)
    let findings = try Self.bans.flatMap { ban in
      try connection.query(
        """
        select role from unnest(\(Self.roles)) with ordinality known (role, number)
        where role <> all (\(ban.exempt)) and \(ban.isBroken) order by number
        """
      ).map { row in
        let role = try row.value(0, as: String.self)
        return Finding(
          .fault, "rights", "\(role) \(ban.what).",
          remedy: ban.remedy.replacing("ROLE", with: role))
      }
    }
    guard findings.isEmpty else { return findings }
    return [
      Finding(
        .ok, "rights",
        "No role but the owner changes or removes events; texts of replies, keys and other apps' rows are read by those alone who shall."
      )
    ]
  }
}
