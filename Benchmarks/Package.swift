// swift-tools-version: 6.3

import PackageDescription

/// Settings that every Swift target shares with the library; `Sources/README.md` at the top gives the reason for each.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// The commands that measure the library: `flat-bench` is built from `FlatBench`.
let commands = [
    "Flat", "IVF", "Cliff", "Store", "Pleasure", "Realms", "Bandit", "Affinity", "Answer", "Callers",
]

/// The modules that only some commands need.
let others: [String: [Target.Dependency]] = [
    "Cliff": [.product(name: "KinABI", package: "kin")],
    "Store": [.product(name: "KinStore", package: "kin"), .product(name: "GRDBSQLite", package: "GRDB.swift")],
    "Answer": [
        "CRuntimeCounter", .product(name: "KinEngine", package: "kin"), .product(name: "KinStore", package: "kin"),
    ],
    "Callers": [.product(name: "KinABI", package: "kin")],
]

func target(of command: String) -> Target {
    let shared: [Target.Dependency] = [
        "Ceilings", "Measuring", .product(name: "Kin", package: "kin"), .product(name: "KinSamples", package: "kin"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]
    return .executableTarget(
        name: "\(command)Bench", dependencies: shared + others[command, default: []], swiftSettings: settings)
}

let package = Package(
    name: "kin-benchmarks",
    platforms: [.macOS(.v15)],
    products: commands.map { .executable(name: "\($0.lowercased())-bench", targets: ["\($0)Bench"]) } + [
        .executable(name: "ceilings", targets: ["CeilingsTool"]),
        .library(name: "KinPeer", type: .dynamic, targets: ["KinPeer"]),
    ],
    dependencies: [
        .package(name: "kin", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // For SQLite alone, as a comparison with the store.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: commands.map(target) + [
        .target(
            name: "CCeilings",
            cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))],
            linkerSettings: [.linkedLibrary("pthread", .when(platforms: [.linux]))]
        ),
        .target(name: "CRuntimeCounter", cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))]),
        .target(name: "Ceilings", dependencies: ["CCeilings"], swiftSettings: settings),
        .executableTarget(
            name: "CeilingsTool",
            dependencies: [
                "Ceilings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Measuring",
            dependencies: [
                .product(name: "Kin", package: "kin"), .product(name: "KinFiles", package: "kin"),
                .product(name: "KinSamples", package: "kin"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(name: "KinPeer", dependencies: [.product(name: "KinABI", package: "kin")], swiftSettings: settings),
    ],
    cLanguageStandard: .c11
)
