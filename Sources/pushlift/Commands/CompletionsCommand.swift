internal import Arguments

/// `pushlift completions`.
enum CompletionsCommand {
  private static let shell = Argument<Shell>("shell", .choice, help: "bash, zsh or fish.")

  static let command: Command = Command(
    "completions", abstract: "Print the script by which a shell completes command lines.",
    examples: [
      "pushlift completions bash > ~/.local/share/bash-completion/completions/pushlift",
      "pushlift completions zsh > ~/.zfunc/_pushlift",
      "pushlift completions fish > ~/.config/fish/completions/pushlift.fish",
    ],
    arguments: [shell]
  ) { arguments in
    try Terminal.write(Array(CompletionScript(Pushlift.root).text(for: arguments[shell]).utf8))
  }
}
