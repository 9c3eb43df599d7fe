/// A statement, or a piece of one, with its bound values.
///
/// Interpolating a value always binds it: `"select \(id)"` sends `select $1`. Text is spliced in only by name: `\(identifier:)` quotes
/// a name, and `\(unsafeRaw:)` takes text as it is. A `SQL` interpolated into another brings its values along.
package struct SQL: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case text(String)
    case parameter(Parameter)
  }

  var pieces: [Piece]

  /// Whether the statement is prepared once a connection and then reused by its text.
  package var isPrepared = false

  init(pieces: [Piece]) { self.pieces = pieces }

  /// Takes text as it is, without binding anything: only for text that no user wrote.
  package init(unsafeRaw text: String) { pieces = [.text(text)] }

  /// The same statement, prepared once a connection and then reused. For texts that repeat: each text is kept as long as the connection.
  package var prepared: SQL {
    var statement = self
    statement.isPrepared = true
    return statement
  }

  /// The text that is sent, with `$1`, `$2` … where values are bound.
  package var text: String {
    var text = ""
    var number = 0
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .parameter:
        number += 1
        text += "$\(number)"
      }
    }
    return text
  }

  /// The bound values, in order.
  package var parameters: [Parameter] {
    pieces.compactMap { piece in
      if case .parameter(let parameter) = piece { parameter } else { nil }
    }
  }

  package static func + (left: SQL, right: SQL) -> SQL {
    var sum = SQL(pieces: left.pieces + right.pieces)
    sum.isPrepared = left.isPrepared || right.isPrepared
    return sum
  }

  package static func += (left: inout SQL, right: SQL) { left = left + right }
}

extension SQL: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { pieces = [.text(text)] }

  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  package struct StringInterpolation: StringInterpolationProtocol {
    var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }

    /// Binds a value.
    package mutating func appendInterpolation(_ value: some PostgresEncodable) {
      pieces.append(.parameter(value.parameter))
    }

    /// Binds a value or NULL. (Without this, the compiler takes an optional here for a slip.)
    package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
      pieces.append(.parameter(value.parameter))
    }

    /// Splices in a piece of SQL with its values.
    package mutating func appendInterpolation(_ fragment: SQL) { pieces += fragment.pieces }

    /// Splices in text as it is: only for text that no user wrote.
    package mutating func appendInterpolation(unsafeRaw text: String) { pieces.append(.text(text)) }

    /// Splices in a quoted name, of a schema and a table for instance where two are given.
    package mutating func appendInterpolation(identifier names: String...) {
      pieces.append(.text(names.map(SQL.quoted).joined(separator: ".")))
    }
  }

  /// A name in double quotes, any quote in it doubled.
  package static func quoted(_ name: String) -> String {
    var quoted = "\""
    for character in name.unicodeScalars {
      if character == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }
}
