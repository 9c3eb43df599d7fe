import EngagementSDKAdapters

// On Apple's systems these are EngagementSDK's own; here they live in a module beside it, and the examples, which a
// reader copies as they are, must not know.
typealias EngagementNotificationDelegate = EngagementSDKAdapters.EngagementNotificationDelegate
typealias NotificationServiceRecorder = EngagementSDKAdapters.NotificationServiceRecorder
typealias NotificationContentRecorder = EngagementSDKAdapters.NotificationContentRecorder
