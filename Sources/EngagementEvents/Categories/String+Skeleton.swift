extension String {
  /// What people see of an identifier: small letters, without blanks, separators and what cannot be seen.
  ///
  /// `Social Post`, `social_post` and `social-post` with a zero-width space in it have one skeleton: they are taken for
  /// each other, and are not the same. The identifier itself where nothing would be left.
  package var skeleton: String {
    var skeleton = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.isInvisible && !"_-.".unicodeScalars.contains(scalar) {
      skeleton.append(scalar)
    }
    return skeleton.isEmpty ? self : String(skeleton).lowercased()
  }
}
