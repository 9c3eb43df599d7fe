/// A file of categories: one with a reply and a like that a content extension draws, and one without anything.
package enum CategorySample {
  package static let json = """
    {
      "defaultLocale": "en",
      "categories": [
        {
          "identifier": "social_post", "title": {"en": "Social post", "de": "Beitrag"}, "contentExtension": true,
          "options": ["customDismissAction", "allowInCarPlay"], "replyText": "full",
          "hiddenPreviewsBodyPlaceholder": {"en": "%u posts", "de": "%u Beiträge"},
          "actions": [
            {"identifier": "reply", "title": {"en": "Reply", "de": "Antworten"},
             "options": ["authenticationRequired", "destructive"],
             "textInput": {"buttonTitle": {"en": "Send", "de": "Senden"}, "placeholder": "…"}},
            {"identifier": "like", "title": {"en": "Like", "de": "Gefällt mir"}, "systemImageName": "hand.thumbsup"}
          ]
        },
        {"identifier": "plain", "contentExtension": false, "actions": [
          {"identifier": "open", "title": "Open", "options": ["foreground"], "templateImageName": "door"}]}
      ]
    }
    """
}
