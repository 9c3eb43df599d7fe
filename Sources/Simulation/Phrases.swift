/// What simulated people type, and where they are.
enum Phrases {
  /// Emoji with joiners, right-to-left scripts, line breaks, quotation marks, a formula, combining marks, nothing.
  static let replies = [
    "Thanks!", "On my way 🚲", "👩🏽‍🚀👨‍👩‍👧‍👦", "شكرا جزيلا", "תודה רבה", "first line\nsecond line", "ok", "",
    "日本語でお願いします", "Größe, \"bitte\"", "=1+1", "e\u{301}té", "win\r\nlines\tand tabs", "c:\\dir", "🇩🇪🇫🇷",
    "see you at 8; or 9, maybe?",
  ]

  static let locales = ["en_US", "de_DE", "fr_FR", "ja_JP", "ar_EG", "he_IL", "pt_BR"]
  static let appVersions = ["5.1.0", "5.2.0", "5.2.1"]
  /// Minutes east of UTC, and how a time ends there.
  static let offsets = [
    (minutes: 0, suffix: "Z"), (60, "+01:00"), (120, "+02:00"), (-300, "-05:00"), (-480, "-08:00"),
    (330, "+05:30"), (540, "+09:00"),
  ]
}
