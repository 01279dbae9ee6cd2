// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Traits keep the users of one part free of what the others need. `Macros`, the default, brings in swift-syntax; `SQLite` brings in
// GRDB, `CommandLine` that and ArgumentParser, `PostgreSQL` libpq, `Compression` zlib and zstd, `Services` the packages of SluiceService. The
// Makefile builds the tool and the tests with the traits they need.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Products of swift-syntax, needed only for the macro.
func syntax(_ products: [String]) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }
}

/// Products of the packages that servers have in common.
func service(_ products: (name: String, package: String)...) -> [Target.Dependency] {
    products.map { .product(name: $0.name, package: $0.package, condition: .when(traits: ["Services"])) }
}

let package = Package(
    name: "sluice",
    // Linux and macOS: no other platform has yajl.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceCore", targets: ["SluiceCore"]),
        .library(name: "SluiceCodable", targets: ["SluiceCodable"]),
        .library(name: "SluiceSchema", targets: ["SluiceSchema"]),
        .library(name: "SluiceArrow", type: .dynamic, targets: ["SluiceArrow"]),
        .library(name: "SluiceIngest", targets: ["SluiceIngest"]),
        .library(name: "SluiceSQLite", targets: ["SluiceSQLite"]),
        .library(name: "SluicePostgres", targets: ["SluicePostgres"]),
        .library(name: "SluiceService", targets: ["SluiceService"]),
        .library(name: "SinkConformance", targets: ["SinkConformance"]),
        .executable(name: "sluice", targets: ["SluiceMain"]),
    ],
    traits: [
        .trait(name: "Macros", description: "The @JSONModel macro; brings in swift-syntax."),
        .trait(name: "SQLite", description: "Ingests into SQLite; brings in GRDB."),
        .trait(
            name: "CommandLine", description: "The command-line tool; brings in ArgumentParser and GRDB.",
            enabledTraits: ["SQLite"]),
        .trait(name: "Compression", description: "Feeds that are compressed with gzip or zstd; brings in zlib and libzstd."),
        .trait(name: "PostgreSQL", description: "Tables of PostgreSQL; brings in libpq."),
        .trait(
            name: "Services",
            description: "Ingests as services of a server; brings in swift-service-lifecycle, swift-log and swift-metrics."),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CYajl",
            path: "CYajl",
            pkgConfig: "yajl",
            providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
        ),
        .systemLibrary(
            name: "CZlib", path: "Sources/System/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CZstd", path: "Sources/System/CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/System/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "CScan"),
        .target(name: "CISAL", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "CFileStatus"),
        .target(name: "SluiceSystem", swiftSettings: strict),
        .target(name: "SluiceCore", dependencies: ["CYajl", "CScan", "SluiceSystem"], swiftSettings: strict),
        .target(
            name: "SluiceCompression",
            dependencies: [
                "SluiceCore",
                .target(name: "CISAL", condition: .when(traits: ["Compression"])),
                .target(name: "CZlib", condition: .when(traits: ["Compression"])),
                .target(name: "CZstd", condition: .when(traits: ["Compression"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SluiceFeed", dependencies: ["SluiceCore", "SluiceCompression", "SluiceSchema", "SluiceSystem"],
            swiftSettings: strict),
        .target(
            name: "SluicePostgres",
            dependencies: [
                "SluiceCore", "SluiceFeed", "SluiceIngest", "SluiceSQL",
                .target(name: "CPostgres", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: strict
        ),
        .target(name: "CArrow"),
        .target(
            name: "SluiceArrow",
            dependencies: ["CArrow", "SluiceCore", "SluiceCompression", "SluiceFeed", "SluiceSchema", "SluiceSystem"],
            swiftSettings: strict),
        .target(name: "SluiceCodable", dependencies: ["SluiceCore"], swiftSettings: strict),
        .target(name: "SluiceSchema", dependencies: ["SluiceCore"], swiftSettings: strict),
        .target(
            name: "Sluice",
            dependencies: [
                "SluiceCore",
                "SluiceCompression",
                "SluiceFeed",
                .target(name: "SluiceMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: strict
        ),
        .macro(
            name: "SluiceMacros",
            dependencies: syntax([
                "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftDiagnostics", "SwiftCompilerPlugin",
                "SwiftParser",
            ]),
            swiftSettings: strict
        ),
        .target(
            name: "SluiceIngest", dependencies: ["CFileStatus", "SluiceCore", "SluiceCompression", "SluiceFeed", "SluiceSchema"],
            swiftSettings: strict),
        .target(name: "SluiceSQL", dependencies: ["SluiceCore", "SluiceIngest"], swiftSettings: strict),
        .target(
            name: "SluiceSQLite",
            dependencies: [
                "SluiceCore",
                "SluiceFeed",
                "SluiceIngest",
                "SluiceSQL",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict
        ),
        .target(name: "SinkConformance", dependencies: ["SluiceCore", "SluiceIngest"], swiftSettings: strict),
        .target(
            name: "SluiceService",
            dependencies: ["SluiceCore", "SluiceIngest"]
                + service(
                    ("ServiceLifecycle", "swift-service-lifecycle"), ("Logging", "swift-log"), ("CoreMetrics", "swift-metrics")),
            swiftSettings: strict),
        .executableTarget(name: "SluiceMain", dependencies: ["SluiceTool"], swiftSettings: strict),
        .target(
            name: "SluiceTool",
            dependencies: [
                "SluiceCore",
                "SluiceFeed",
                "SluiceCompression",
                "SluiceArrow",
                "SluiceIngest",
                "SluiceSchema",
                "SluiceSQLite",
                "SluicePostgres",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "SluiceCoreTests", dependencies: ["SluiceCore", "SluiceTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SluiceFeedTests", dependencies: ["SluiceFeed", "SluiceCompression", "SluiceTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SluiceCompressionTests", dependencies: ["SluiceCompression", "SluiceFeed", "SluiceTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SluiceArrowTests",
            dependencies: ["SluiceArrow", "CArrow", "SluiceCompression", "SluiceFeed", "SluiceTestSupport"], swiftSettings: strict
        ),
        .testTarget(
            name: "SluicePostgresTests",
            dependencies: [
                "SluicePostgres", "SinkConformance", "SluiceIngest", "SluiceSQLite", "SluiceFeed", "SluiceTestSupport",
                "PostgresIngest",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict),
        .testTarget(name: "SluiceSchemaTests", dependencies: ["SluiceSchema", "SluiceTestSupport"], swiftSettings: strict),
        .testTarget(name: "SluiceCodableTests", dependencies: ["SluiceCodable", "SluiceTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SluiceTests",
            dependencies: [
                "Sluice", "SluiceCodable", "SluiceSchema", "SluiceArrow", "SluiceIngest", "SluiceSQLite", "SluicePostgres",
                "SluiceService", "SinkConformance", "SluiceTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]
                + service(
                    ("ServiceLifecycle", "swift-service-lifecycle"), ("UnixSignals", "swift-service-lifecycle"),
                    ("Logging", "swift-log")),
            // These tests, and with them the code of the articles, see what a package sees that uses Sluice.
            packageAccess: false,
            swiftSettings: strict),
        .testTarget(
            name: "SluiceAdoptionTests", dependencies: ["Sluice", "SluiceCodable", "SluiceTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SluiceMacrosTests",
            dependencies: [
                .target(name: "SluiceMacros", condition: .when(traits: ["Macros"]))
            ]
                + syntax([
                    "SwiftSyntax", "SwiftParser", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion", "SwiftDiagnostics",
                    "SwiftSyntaxMacrosGenericTestSupport",
                ]),
            swiftSettings: strict
        ),
        .testTarget(
            name: "SluiceToolTests",
            dependencies: [
                "SluiceTool", "SluiceIngest", "SluiceSQL", "SluiceSQLite", "SluiceFeed", "SluiceCompression", "SluiceTestSupport",
                .target(name: "CFaultyVFS", condition: .when(traits: ["CommandLine"])),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["CommandLine"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["CommandLine"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SluiceIngestTests",
            dependencies: [
                "SluiceCore", "SluiceCompression", "SluiceFeed", "SluiceIngest", "SluiceSQLite", "SluicePostgres",
                "SinkConformance",
                "SluiceTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SluiceServiceTests",
            dependencies: [
                "SluiceService", "SluiceIngest", "SluiceSQLite", "SluiceTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]
                + service(
                    ("ServiceLifecycle", "swift-service-lifecycle"), ("ServiceLifecycleTestKit", "swift-service-lifecycle"),
                    ("Logging", "swift-log"), ("InMemoryLogging", "swift-log"), ("MetricsTestKit", "swift-metrics")),
            swiftSettings: strict),
        .executableTarget(
            name: "PostgresIngest", dependencies: ["SluiceCore", "SluiceIngest", "SluicePostgres"],
            path: "Tests/Load/PostgresIngest",
            swiftSettings: strict),
        .executableTarget(
            name: "LinearTime",
            dependencies: ["SluiceCore", "SluiceFeed", "SluiceIngest", "SluiceSQLite", "SluicePostgres", "SluiceTool"],
            path: "Tests/Net/linear", exclude: ["run"],
            swiftSettings: strict),
        .executableTarget(
            name: "FeedMemory", dependencies: ["SluiceCore", "SluiceCompression", "SluiceFeed", "SluiceIngest", "SluiceTool"],
            path: "Tests/Net/memory", exclude: ["run"], swiftSettings: strict),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(name: "CFaultyVFS", path: "Tests/Load/CFaultyVFS"),
        .target(
            name: "SluiceTestSupport", dependencies: ["SluiceCore", "CAllocationCounter"], path: "Tests/SluiceTestSupport",
            swiftSettings: strict),
    ]
)

// `.ci/run` stops at a warning. A newer compiler may give warnings that are not known here, and those stop nobody else.
if Context.environment["SLUICE_STRICT"] != nil {
    for target in package.targets where [.regular, .executable, .macro, .test].contains(target.type) {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}

// The storeys (.github/CONTRIBUTING.md). A target that is in none of these folders names its own above.
for (folder, names) in [
    "Sources/Engine": [
        "CScan", "SluiceCore", "SluiceFeed", "SluiceCompression", "SluiceCodable", "SluiceSchema", "SluiceMacros", "Sluice",
    ],
    "Sources/Load": [
        "SluiceIngest", "SluiceSQL", "SluiceSQLite", "SluicePostgres", "SinkConformance", "SluiceService", "SluiceTool",
        "SluiceMain",
    ],
    "Sources/Lake": ["CArrow", "SluiceArrow"],
    "Sources/System": ["CFileStatus", "CISAL", "SluiceSystem"],
    "Tests/Engine": [
        "SluiceCoreTests", "SluiceFeedTests", "SluiceCompressionTests", "SluiceCodableTests", "SluiceSchemaTests",
        "SluiceMacrosTests",
        "SluiceTests", "SluiceAdoptionTests",
    ],
    "Tests/Load": ["SluiceIngestTests", "SluiceToolTests", "SluicePostgresTests", "SluiceServiceTests"],
    "Tests/Lake": ["SluiceArrowTests"],
] {
    for target in package.targets where names.contains(target.name) { target.path = "\(folder)/\(target.name)" }
}

// The tests read millions of documents: `make test` optimises the library, not the tests, and keeps its assertions.
if Context.environment["SLUICE_OPTIMIZED"] != nil {
    for target in package.targets
    where target.name == "SluiceTestSupport" || target.type == .regular && target.path?.hasPrefix("Sources/") == true {
        target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
        if target.name == "CScan" { target.cSettings = [.unsafeFlags(["-O2"], .when(configuration: .debug))] }
    }
}

// While working on one module, `SLUICE_TESTS=SluiceFeedTests` keeps the tests of the others from being built; `-SluiceMacrosTests` stands
// for all but those. The tests of the macro link it, so SwiftPM builds whatever is built with them for the host, as it builds macros:
// `make test` builds them on their own, and the other tests share their objects with the tool.
if let chosen = Context.environment["SLUICE_TESTS"] {
    let names = chosen.split(separator: ",").map(String.init)
    let isExclusion = chosen.hasPrefix("-")
    package.targets.removeAll { $0.type == .test && (isExclusion ? names.contains("-" + $0.name) : !names.contains($0.name)) }
}

// Tests/Net/adoption generates models, and asks for nothing but the test that compares them.
if Context.environment["SLUICE_ADOPTION"] != nil {
    package.targets.removeAll { $0.type == .test }
    let adoption = Target.testTarget(name: "Adoption", dependencies: ["Sluice", "SluiceCodable"], path: "Tests/Adoption")
    package.targets.append(adoption)
}

// `make docs` asks for the plugin that builds the documentation; whoever uses Sluice does not resolve it.
if Context.environment["SLUICE_DOCUMENTATION"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
