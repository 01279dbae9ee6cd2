// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// A package of its own, so that a project that uses Sluice does not resolve or build what only the benchmarks need.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // The generator of events is the tool's, and several models are the tests'. Links bring their sources here: the tool's target would
    // bring GRDB with it, and models of tests are no product of the package.
    .define("CommandLine"),
    .define("Macros"),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "benchmark", targets: ["Benchmark"]),
        .executable(name: "coordinates", targets: ["Coordinates"]),
        .executable(name: "feature-costs", targets: ["FeatureCosts"]),
    ],
    dependencies: [
        .package(name: "sluice", path: "..", traits: ["Macros"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CYajlSystem", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
        .target(name: "CBaselines", dependencies: ["CYajlSystem"]),
        .target(name: "CAllocationCounter"),
        .macro(
            name: "NoTableMacro",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        .target(
            name: "CodableModels", dependencies: [.product(name: "Sluice", package: "sluice"), "NoTableMacro"],
            swiftSettings: strict),
        .executableTarget(
            name: "Benchmark",
            dependencies: [
                .product(name: "Sluice", package: "sluice"), .product(name: "SluiceCodable", package: "sluice"), "CodableModels",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), "CBaselines", "CAllocationCounter",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "Coordinates", dependencies: [.product(name: "Sluice", package: "sluice")], swiftSettings: strict),
        .executableTarget(
            name: "FeatureCosts", dependencies: [.product(name: "Sluice", package: "sluice")], swiftSettings: strict),
    ]
)
