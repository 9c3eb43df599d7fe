// swift-tools-version: 6.2

import PackageDescription

// The rooms of pushlift, and who may look into whom: imports run one way, from the bottom of this list to the top.

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let migrations = [
  "V001_roles.sql", "V002_app.sql", "V003_api_key.sql", "V004_event.sql", "V005_event_partition.sql",
  "V006_reply.sql", "V007_dead_letter.sql", "V008_unit_outcome.sql", "V009_daily_rate.sql",
  "V010_projection_checkpoint.sql", "V011_secret_check.sql", "V012_unit_facts.sql",
  "V013_log_tally.sql", "V014_retired_partition.sql",
  "V015_device_sample.sql", "V016_category_registry.sql",
  "V018_dashboard_role.sql", "V019_dashboard_views.sql", "V020_source_limit.sql",
  "V022_reply_retention.sql", "V023_reply_reader.sql", "V024_erasure.sql",
  "V025_roles.sql", "V026_rights.sql", "V027_app_separation.sql",
  "V028_sample_indexes.sql", "V029_erasure_record.sql",
  "V030_import.sql", "V031_rate_frame.sql", "V032_interaction_index.sql",
  "V033_dead_letter_tally.sql", "V034_orphan_view.sql",
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

// Where Apple's UserNotifications is not: the part of it that the SDK's adapters use, those adapters, and the
// documentation's examples, compiled against that part.
#if os(Linux)
  let standIns: [Target] = [
    standIn("UserNotifications"),
    standIn("UserNotificationsUI", ["UserNotifications"]),
    standIn("UIKit"),
    .target(
      name: "EngagementSDKAdapters",
      dependencies: ["EngagementEvents", "EngagementSDK", "UserNotifications", "UserNotificationsUI"],
      path: "Tests/StandIns/EngagementSDKAdapters",
      swiftSettings: swiftSettings + [.define("PUSHLIFT_STANDIN")]),
    standIn(
      "EngagementSDKExamples", ["EngagementSDKAdapters", "UIKit", "UserNotifications", "UserNotificationsUI"]),
    tests(
      "EngagementSDKAdapterTests",
      [
        "EngagementEvents", "EngagementSDK", "EngagementSDKAdapters", "EngagementSDKExamples", "TestSupport",
        "UserNotifications", "UserNotificationsUI",
      ]),
  ]
#else
  let standIns: [Target] = []
#endif

// Only Apple's tools read it; elsewhere a bundle would be of no use.
#if os(Linux)
  let privacyManifest: (excluded: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#else
  let privacyManifest: (excluded: [String], resources: [Resource]) = (
    [], [.copy("PrivacyInfo.xcprivacy")]
  )
#endif

/// As an app's own code: without the stricter rules of this package.
func standIn(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/StandIns/\(name)")
}

let package = Package(
  name: "pushlift",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "pushlift", targets: ["pushlift"]),
    .executable(name: "pushlift-bench", targets: ["pushlift-bench"]),
    .library(name: "EngagementSDK", targets: ["EngagementSDK", "EngagementEvents"]),
  ],
  targets: [
    // C libraries, each behind the least that Swift needs of it.
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(name: "CProcess"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("gnutls")]),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CBoostMath", linkerSettings: [.linkedLibrary("m")]),

    // The product.
    room("Arguments"),
    room("EngagementEvents"),
    // What apps link. Apple's Foundation deflates by itself.
    .target(
      name: "EngagementSDK",
      dependencies: ["EngagementEvents", .target(name: "CZlib", condition: .when(platforms: [.linux]))],
      exclude: ["Examples"] + privacyManifest.excluded, resources: privacyManifest.resources,
      swiftSettings: swiftSettings),
    .target(
      name: "Schema", path: "Schema", resources: migrations.map { .embedInCode($0) },
      swiftSettings: swiftSettings),
    room("ForeignEvents", ["EngagementEvents"]),
    room("Postgres", ["CPostgres"]),
    room("EventStore", ["EngagementEvents", "ForeignEvents", "Postgres", "Schema", "CSodium"]),
    room("Projections", ["EventStore", "ForeignEvents", "Postgres"]),
    room("Statistics", ["CBoostMath"]),
    .target(
      name: "Dashboards", path: "Dashboards",
      exclude: ["grafana", "prometheus"],
      resources: [
        .embedInCode("page.html"), .embedInCode("report.html"), .embedInCode("login.html"),
        .embedInCode("page.css"), .embedInCode("dashboard.css"),
      ], swiftSettings: swiftSettings),
    room(
      "Reports",
      [
        "Dashboards", "EngagementEvents", "EventStore", "ForeignEvents", "Postgres", "Projections",
        "Statistics",
      ]),
    room("HTTPServer", ["CMicroHTTPD", "CZlib"]),
    room(
      "Ingestion",
      [
        "Arguments", "HTTPServer", "EventStore", "EngagementEvents", "ForeignEvents", "Postgres",
        "Projections",
        "Reports",
        "CSimdjson",
      ]),
    room("Simulation", ["EngagementEvents"]),
    room("Payloads", ["Arguments", "EngagementEvents"]),
    // For measurements and tests: programs that are started, stopped and killed.
    room("Processes"),
    .executableTarget(
      name: "pushlift",
      dependencies: [
        "Arguments", "EngagementEvents", "EventStore", "ForeignEvents", "HTTPServer", "Ingestion", "Payloads",
        "Postgres", "Projections", "Reports", "Simulation", "Statistics", "CProcess",
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "pushlift-bench",
      dependencies: [
        "Arguments", "EngagementEvents", "EventStore", "Ingestion", "Payloads", "Postgres", "Processes",
        "Projections", "Reports", "Simulation", "Statistics",
      ],
      resources: [.embedInCode("Peer/peer_fastapi.py"), .embedInCode("Peer/peer_duckdb.py")],
      swiftSettings: swiftSettings),

    // Tests: a real Postgres, real HTTP over loopback.
    .target(
      name: "TestSupport", dependencies: ["EngagementEvents", "EventStore", "Postgres", "Processes"],
      path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "sdk-probe", dependencies: ["EngagementEvents", "EngagementSDK"], path: "Tests/sdk-probe",
      swiftSettings: swiftSettings),
    tests("EngagementEventsTests", ["EngagementEvents"]),
    tests("EngagementSDKTests", ["CZlib", "EngagementEvents", "EngagementSDK", "TestSupport"]),
    tests("PostgresTests", ["EventStore", "Postgres", "TestSupport"]),
    tests(
      "EventStoreTests",
      ["EngagementEvents", "EventStore", "ForeignEvents", "Postgres", "Schema", "Simulation", "TestSupport"]),
    tests(
      "ProjectionsTests",
      ["EngagementEvents", "EventStore", "Postgres", "Projections", "Simulation", "TestSupport"]),
    tests("StatisticsTests", ["Statistics"], resources: [.copy("golden.csv")]),
    tests(
      "ReportsTests",
      [
        "EngagementEvents", "EventStore", "ForeignEvents", "Postgres", "Projections", "Reports", "Statistics",
        "TestSupport",
      ],
      resources: [.copy("typical.html")]),
    tests("HTTPServerTests", ["HTTPServer", "CZlib", "TestSupport"]),
    tests(
      "IngestionTests",
      [
        "CZlib", "EngagementEvents", "EventStore", "ForeignEvents", "HTTPServer", "Ingestion", "Postgres",
        "Projections", "Reports", "Simulation", "TestSupport",
      ]),
    tests("SimulationTests", ["Simulation"]),
    tests("PayloadsTests", ["EngagementEvents", "Payloads", "Simulation"], resources: [.copy("Fixtures")]),
    tests("BenchTests", ["pushlift-bench"]),
    tests("ArgumentsTests", ["Arguments"]),
    tests(
      "PushliftTests",
      [
        "EngagementEvents", "EngagementSDK", "EventStore", "HTTPServer", "Postgres", "Projections",
        "Simulation",
        "TestSupport",
        "pushlift", "sdk-probe",
      ] + (standIns.isEmpty ? [] : ["EngagementSDKAdapters", "UserNotifications", "UserNotificationsUI"]),
      resources: [.copy("Fixtures")]),
  ] + standIns,
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
