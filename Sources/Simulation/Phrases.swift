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
  /// Minutes east of UTC.
  static let offsets = [0, 60, 120, -300, -480, 330, 540]
}
