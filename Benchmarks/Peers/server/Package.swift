// swift-tools-version: 6.2
import PackageDescription

// The server of Benchmarks/http.
let package = Package(
    name: "http-coders",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../../..", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .executableTarget(
            name: "http-coders",
            dependencies: [
                .product(name: "SluiceCodable", package: "sluice"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/HTTPCoders")
    ]
)
