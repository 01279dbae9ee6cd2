// swift-tools-version: 6.2
import PackageDescription

// A package of its own: whoever uses Sluice neither resolves nor builds what only fuzzes it. The library's sources are compiled
// here a second time, through links, because every edge of them is counted, and every access to memory checked.
let checked = ["-sanitize=fuzzer,address", "-parse-as-library", "-enable-testing"]
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(checked + ["-assert-config", "Debug"]),
]
let checkedC: [CSetting] = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=undefined"])]

let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "fuzz", targets: ["Harness"])],
    targets: [
        .systemLibrary(name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .target(name: "CISAL", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "CScan", cSettings: checkedC),
        .target(name: "SluiceSystem", swiftSettings: strict),
        .target(name: "SluiceCore", dependencies: ["CYajl", "CScan", "SluiceSystem"], swiftSettings: strict),
        // As the trait of this name does.
        .target(
            name: "SluiceCompression", dependencies: ["SluiceCore", "CISAL", "CZlib", "CZstd"],
            swiftSettings: strict + [.define("Compression")]),
        .target(name: "SluiceSchema", dependencies: ["SluiceCore"], swiftSettings: strict),
        .target(
            name: "SluiceFeed", dependencies: ["SluiceCore", "SluiceCompression", "SluiceSchema", "SluiceSystem"],
            swiftSettings: strict),
        .target(name: "CAllocationCounter", cSettings: checkedC),
        .target(
            name: "SluiceTestSupport", dependencies: ["SluiceCore", "CAllocationCounter"], swiftSettings: strict),
        .target(name: "Models", dependencies: ["SluiceCore", "SluiceTestSupport"], swiftSettings: strict),
        .target(name: "CFuzz"),
        .executableTarget(
            name: "Harness",
            dependencies: ["SluiceCore", "SluiceCompression", "SluiceFeed", "CYajl", "SluiceTestSupport", "Models", "CFuzz"],
            swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
)
