internal import CPostgres

/// Where a Postgres is and how a session there starts.
///
/// What is not given is found by libpq as `psql` finds it: in the PG* environment, the service file and the password file.
package struct ConnectionConfiguration: Sendable, Hashable {
  /// libpq's keywords, as they were given.
  private(set) var keywords: [String: String]

  /// The name that the server shows in `pg_stat_activity` and its log.
  package var applicationName = "pushlift"

  /// The role that the session acts as from its start, so that `RESET ROLE` returns to it; nil for the user's own.
  package var role: String?

  /// Run-time settings that the session starts with, such as `statement_timeout`; milliseconds where no unit is given.
  package var settings: [String: String] = [:]

  /// - Parameter text: a `postgres://` URL or a string of keywords such as `host=/run/postgresql dbname=pushlift`.
  package init(_ text: String) throws(PostgresError) {
    var complaint: UnsafeMutablePointer<CChar>?
    guard !text.utf8.contains(0), let options = PQconninfoParse(text, &complaint) else {
      var error = PostgresError(
        .usage, "the database is given neither as a postgres:// URL nor as keywords such as host=… dbname=…")
      // libpq quotes the string, which can hold a password.
      error.detail = complaint.map { String(cString: $0) }
      PQfreemem(complaint)
      throw error
    }
    defer { PQconninfoFree(options) }
    keywords = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { keywords[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    if let name = keywords.removeValue(forKey: "application_name") { applicationName = name }
  }

  /// - Parameter host: a host's name or address, or the folder of a Unix socket.
  package init(
    host: String, port: Int = 5432, user: String? = nil, password: String? = nil, database: String? = nil
  ) {
    // An empty address keeps PGHOSTADDR from sending the session elsewhere.
    keywords = ["host": host, "hostaddr": "", "port": "\(port)"]
    keywords["user"] = user
    keywords["password"] = password
    keywords["dbname"] = database
  }

  /// The database that the PG* environment names; nil where it names none.
  package init?(environment: [String: String]) {
    let names = [
      "PGHOST": "host", "PGHOSTADDR": "hostaddr", "PGPORT": "port", "PGUSER": "user",
      "PGPASSWORD": "password",
      "PGDATABASE": "dbname", "PGSERVICE": "service",
    ]
    let deciding = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]
    guard deciding.contains(where: { environment[$0]?.isEmpty == false }) else { return nil }
    keywords = [:]
    for (name, keyword) in names where environment[name]?.isEmpty == false {
      keywords[keyword] = environment[name]
    }
  }

  package var host: String? { keywords["host"] }
  package var user: String? { keywords["user"] }
  package var database: String? { keywords["dbname"] }

  package func with(role: String?) -> ConnectionConfiguration {
    var copy = self
    copy.role = role
    return copy
  }

  package func with(database: String) -> ConnectionConfiguration {
    var copy = self
    copy.keywords["dbname"] = database
    return copy
  }

  package func with(user: String) -> ConnectionConfiguration {
    var copy = self
    copy.keywords["user"] = user
    return copy
  }

  package func with(applicationName: String) -> ConnectionConfiguration {
    var copy = self
    copy.applicationName = applicationName
    return copy
  }

  package func with(setting name: String, _ value: String) -> ConnectionConfiguration {
    var copy = self
    copy.settings[name] = value
    return copy
  }
}

extension ConnectionConfiguration {
  /// The keyword string for libpq, password included.
  var connectionString: String {
    var all = Self.defaults.merging(keywords) { _, given in given }
    all["client_encoding"] = "UTF8"
    all["application_name"] = applicationName
    all["options"] = options
    return all.sorted { $0.key < $1.key }
      .map { "\($0.key)='\(Self.escaped($0.value, ["'", "\\"]))'" }
      .joined(separator: " ")
  }

  /// A dead peer is noticed within a minute or so, not after hours.
  private static var defaults: [String: String] {
    [
      "connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
      "tcp_user_timeout": "60000",
    ]
  }

  private var options: String {
    var all = settings
    all["role"] = role
    let given = keywords["options"].map { [$0] } ?? []
    let added = all.sorted { $0.key < $1.key }
      .map { "-c " + Self.escaped("\($0.key)=\($0.value)", [" ", "\\", "\t", "\n"]) }
    return (given + added).joined(separator: " ")
  }

  private static func escaped(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if special.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}

extension ConnectionConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Where it leads and as whom; never a password.
  package var description: String {
    let shown = ["service", "host", "hostaddr", "port", "user", "dbname"]
    var parts = shown.compactMap { name in
      keywords[name].flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
    }
    if let role { parts.append("role=\(role)") }
    return parts.isEmpty ? "the default database" : parts.joined(separator: " ")
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
