// swift-tools-version: 6.2
import PackageDescription

// Sluice beside the libraries that servers and tools are written with. A package of its own: none of them becomes a dependency of Sluice.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "billing", targets: ["Billing"]),
        .executable(name: "http-feed", targets: ["HTTPFeed"]),
        .executable(name: "ingest-service", targets: ["IngestService"]),
        .executable(name: "json-column", targets: ["JSONColumn"]),
        .executable(name: "top-actors", targets: ["TopActors"]),
    ],
    dependencies: [
        .package(name: "sluice", path: "..", traits: [.defaults, "SQLite", "Services"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        .executableTarget(name: "Billing", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .target(name: "Events", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .executableTarget(
            name: "HTTPFeed",
            dependencies: [
                "Events",
                .product(name: "Sluice", package: "sluice"),
                .product(name: "SluiceCodable", package: "sluice"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "IngestService",
            dependencies: [
                .product(name: "SluiceService", package: "sluice"),
                .product(name: "SluiceSQLite", package: "sluice"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(
            name: "JSONColumn",
            dependencies: [
                .product(name: "SluiceCodable", package: "sluice"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "TopActors",
            dependencies: [
                "Events",
                .product(name: "Sluice", package: "sluice"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)
