/// The shells that complete command lines.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// A script by which a shell completes commands, options and the values that can be listed, made from the tree of commands.
package struct CompletionScript: Sendable {
  let root: Command

  package init(_ root: Command) { self.root = root }

  /// The script, ended by a line break.
  package func text(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A command with the words that lead to it.
  struct Node {
    let path: [String]
    let command: Command

    /// Words that may follow: subcommands with what they do, or options.
    var words: [(word: String, help: String)] {
      guard command.subcommands.isEmpty else {
        return command.subcommands.map { ($0.name, $0.abstract) } + [("help", "Show help.")]
      }
      return command.options.map { ($0.spelling, $0.help) } + [("--help", "Show help.")]
    }
  }

  /// Every command, groups before what is in them.
  var nodes: [Node] { Self.nodes(Node(path: [root.name], command: root)) }

  private static func nodes(_ node: Node) -> [Node] {
    [node] + node.command.subcommands.flatMap { nodes(Node(path: node.path + [$0.name], command: $0)) }
  }

  /// What can stand for the value of an option.
  enum Values: Equatable {
    case choices([String])
    case files
    /// Nothing that could be listed.
    case any
  }

  static func values(of option: OptionDefinition) -> Values? {
    guard let name = option.valueName else { return nil }
    if name.contains("|") { return .choices(name.split(separator: "|").map(String.init)) }
    return name == "path" || name == "folder" ? .files : .any
  }

  // MARK: bash

  private var bash: [String] {
    let name = root.name
    return [
      "# Completion of \(name) for bash: \(name) completions bash > ~/.local/share/bash-completion/completions/\(name)",
      "_\(name)() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path=\(name) words= index",
    ] + pathLoop("COMP_CWORD", "${COMP_WORDS[index]}", first: 1) + [
      "  COMPREPLY=()", "  case \"$path $previous\" in",
    ]
      + nodes.flatMap { node in
        node.command.options.compactMap { option -> String? in
          let pattern = "    \"\((node.path + [option.spelling]).joined(separator: " "))\")"
          switch Self.values(of: option) {
          case nil: return nil
          case .choices(let choices):
            return
              "\(pattern) COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\")); return ;;"
          case .files: return "\(pattern) COMPREPLY=($(compgen -f -- \"$current\")); return ;;"
          case .any: return "\(pattern) return ;;"
          }
        }
      } + ["  esac", "  case \"$path\" in"]
      + nodes.map { node in
        "    \"\(node.path.joined(separator: " "))\") words=\"\(node.words.map(\.word).joined(separator: " "))\" ;;"
      } + [
        "  esac", "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))", "}",
        "complete -o default -F _\(name) \(name)",
      ]
  }

  /// Walks the words typed so far down the tree, into `path`.
  private func pathLoop(_ end: String, _ word: String, first: Int) -> [String] {
    let paths = nodes.dropFirst().map { "\"\($0.path.joined(separator: " "))\"" }.joined(separator: "|")
    return [
      "  for ((index = \(first); index < \(end); index++)); do", "    case \"$path \(word)\" in",
      "      \(paths)) path=\"$path \(word)\" ;;", "    esac", "  done",
    ]
  }

  // MARK: zsh

  private var zsh: [String] {
    let name = root.name
    return [
      "#compdef \(name)",
      "# Completion of \(name) for zsh: put this as _\(name) into a folder of $fpath.",
      "_\(name)() {",
      "  local path_=\(name) index", "  local -a items",
    ] + pathLoop("CURRENT", "${words[index]}", first: 2).map { $0.replacingPath() } + [
      "  case \"$path_ ${words[CURRENT-1]}\" in"
    ]
      + nodes.flatMap { node in
        node.command.options.compactMap { option -> String? in
          let pattern = "    \"\((node.path + [option.spelling]).joined(separator: " "))\")"
          switch Self.values(of: option) {
          case nil: return nil
          case .choices(let choices):
            return "\(pattern) compadd -- \(choices.joined(separator: " ")); return ;;"
          case .files: return "\(pattern) _files; return ;;"
          case .any: return "\(pattern) return ;;"
          }
        }
      } + ["  esac", "  case \"$path_\" in"]
      + nodes.map { node in
        let items = node.words.map { Self.quoted("\($0.word):\($0.help)") }.joined(separator: " ")
        return "    \"\(node.path.joined(separator: " "))\") items=(\(items)) ;;"
      } + [
        "  esac", "  _describe \(name) items || _files", "}", "if [ \"$funcstack[1]\" = \"_\(name)\" ]; then",
        "  _\(name) \"$@\"", "else", "  compdef _\(name) \(name)", "fi",
      ]
  }

  // MARK: fish

  private var fish: [String] {
    let name = root.name
    return [
      "# Completion of \(name) for fish: \(name) completions fish > ~/.config/fish/completions/\(name).fish",
      "complete -c \(name) -f",
    ]
      + nodes.flatMap { node -> [String] in
        let inner = node.path.dropFirst()
        let others = node.command.subcommands.map(\.name).joined(separator: " ")
        let seen = inner.map { "__fish_seen_subcommand_from \($0)" }
        guard node.command.subcommands.isEmpty else {
          let condition = (seen + ["not __fish_seen_subcommand_from \(others)"]).joined(separator: "; and ")
          return node.words.map { word, help in
            "complete -c \(name) -n '\(condition)' -a \(word) -d \(Self.quoted(help))"
          }
        }
        return node.command.options.map { option in
          var line = "complete -c \(name) -n '\(seen.joined(separator: "; and "))' -l \(option.name)"
          switch Self.values(of: option) {
          case nil: break
          case .choices(let choices): line += " -x -a '\(choices.joined(separator: " "))'"
          case .files: line += " -r -F"
          case .any: line += " -x"
          }
          return line + " -d \(Self.quoted(option.help))"
        }
      }
  }

  /// In single quotes, which all three shells read alike but for the quote itself.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’") + "'"
  }
}

extension String {
  /// zsh ties `path` to the search path for programs.
  fileprivate func replacingPath() -> String {
    split(separator: "path", omittingEmptySubsequences: false).joined(separator: "path_")
  }
}
