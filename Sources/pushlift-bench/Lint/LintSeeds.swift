/// Files for the linters: payloads as senders write them, good and odd, and categories.
enum LintSeeds {
  static let payloads = [
    #"{"aps":{"alert":{"title":"Anna","subtitle":"a friend","body":"posted a picture 📷"},"badge":3,"sound":"default","category":"social_post","mutable-content":1,"thread-id":"anna","interruption-level":"time-sensitive","relevance-score":0.5},"media-url":"https://example.com/photos/3f2504e0.jpg","id":"n-1"}"#,
    #"{"aps":{"alert":{"loc-key":"POSTED","loc-args":["Anna","Berlin"],"title-loc-key":"NEW"},"mutable-content":1,"category":"social_post"},"os_data":{"i":"5b2f","att":{"id":"https://example.com/a.png"}},"custom":{"i":"5b2f","a":{"k":"v"}}}"#,
    "{\n  \"Simulator Target Bundle\": \"com.example.app\",\n  \"aps\": {\n    \"alert\": \"제목 가나다\",\n    \"mutable-content\": \"1\",\n    \"Category\": \"Social Post\"\n  },\n  \"fcm_options\": {\"image\": \"http://example.com/image\"}\n}\n",
    #"{"aps":{"content-available":1,"alert":"x","sound":{"critical":1,"name":"a.caf","volume":1.0}},"data":{"list":[1,2.5e3,true,null,"{{name}}"],"token":"abc"}}"#,
    "{'aps': {'alert': 'a', // a comment\n 'badge': '1',},}",
    "{\n    aps =     {\n        alert = \"Hi\";\n        category = post;\n        \"mutable-content\" = 1;\n    };\n    \"media-url\" = \"https://example.com/a.gif\";\n}",
    #"[AnyHashable("aps"): {\n    alert = "K\U00e4se";\n    "mutable-content" = 1;\n}, AnyHashable("imageUrl"): https://example.com/a.jpg]"#,
    #"curl -d '{"aps":{"alert":"Hi {{name}}","badge":+1},"images":["https://example.com/a"]}' https://example.com"#,
    #"{"to":"ExponentPushToken[x]","title":"a","body":"b","_richContent":{"image":"https://example.com/a.webp"}}"#,
  ].map { Array($0.utf8) }

  static let categories = [
    #"{"defaultLocale":"en","categories":[{"identifier":"social_post","title":{"en":"Social post","de":"Beitrag"},"contentExtension":true,"options":["customDismissAction"],"replyText":"length","intentIdentifiers":["INSendMessageIntent"],"hiddenPreviewsBodyPlaceholder":{"en":"%u posts","de":"%u Beiträge"},"categorySummaryFormat":"%u","actions":[{"identifier":"reply","title":{"en":"Reply","de":"Antworten"},"options":["authenticationRequired"],"textInput":{"buttonTitle":{"en":"Send","de":"Senden"},"placeholder":"…"}},{"identifier":"like","title":"👍","systemImageName":"hand.thumbsup"}]},{"identifier":"plain"}]}"#,
    #"[{"identifier":"social_post"},{"identifier":"promo","contentExtension":false,"actions":[{"identifier":"open","title":"Open","options":["foreground","destructive"],"templateImageName":"door"}]}]"#,
  ].map { Array($0.utf8) }
}
