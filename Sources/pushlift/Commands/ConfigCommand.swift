internal import Arguments
internal import EventStore
internal import Postgres
internal import Reports

/// `pushlift config`.
enum ConfigCommand {
  private static let options: [any DeclaredOption] = SharedOptions.store + ServeOptions.all

  static let group = Command(
    "config", abstract: "Look at the settings that commands go by.", subcommands: [show])

  private static let show = Command(
    "show", abstract: "Show every setting with its value and where that comes from.",
    discussion: """
      A setting is an option that can be set beside the command line: first by its variable of the environment, then in \
      the file that PUSHLIFT_CONFIG names, or else in /etc/pushlift.conf. There a line is name = value, with the name of \
      the option without its dashes; # begins a remark. Passwords are not shown.
      """,
    examples: ["pushlift config show", "PUSHLIFT_CONFIG=shop.conf pushlift config show --format json"],
    options: options + [format]
  ) { arguments in
    var listing = Listing(["setting", "value", "from"])
    let location = SharedOptions.location(arguments)
    let resolved = [
      SharedOptions.database.definition.name: database(location),
      SharedOptions.data.definition.name: location.folder,
    ]
    for option in options { listing.append(row(option, arguments, resolved[option.definition.name])) }
    try listing.print(arguments[format], empty: "")
  }

  private static let format = Option<Listing.Format>(
    "format", .choice, default: .table, help: "How to print the settings.")

  /// The database as it is found, also where what names it is faulty.
  private static func database(_ location: StoreLocation) -> String {
    do {
      guard let named = try location.namedDatabase else {
        return "pushlift's own Postgres in the data folder"
      }
      return location.database == nil ? "\(named) (PG* variables)" : named.description
    } catch {
      return "(\((error as? StoreError)?.message ?? "\(error)"))"
    }
  }

  /// - Parameter resolved: what the setting comes to, whether or not it is set; nil where that is its own text.
  private static func row(
    _ option: any DeclaredOption, _ arguments: ParsedArguments, _ resolved: String?
  ) -> [Listing.Cell] {
    let definition = option.definition
    let origin =
      switch arguments.origin(of: option) {
      case .commandLine: "command line"
      case .environment(let variable): variable
      case .file(let path, let line): "\(path), line \(line)"
      case .byDefault: "default"
      }
    let texts = resolved.map { [$0] } ?? arguments.texts(of: option)
    let isHidden = definition.isSecret && !texts.isEmpty && resolved == nil
    return [
      .text(definition.name),
      isHidden ? .text("(not shown)") : .init(texts.isEmpty ? nil : texts.joined(separator: ", ")),
      .text(origin),
    ]
  }
}
