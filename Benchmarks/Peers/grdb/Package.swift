// swift-tools-version: 6.2
import PackageDescription

// What GRDB's users write without Sluice: Codable records and `insert`.
let package = Package(
    name: "grdb-insert",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0")],
    targets: [
        .executableTarget(
            name: "grdb-insert", dependencies: [.product(name: "GRDB", package: "GRDB.swift")], path: "Sources/GRDBInsert")
    ]
)
