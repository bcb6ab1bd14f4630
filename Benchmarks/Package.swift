// swift-tools-version: 6.3

import PackageDescription

/// Settings every Swift target shares with the library; `Sources/README.md` at the top says why each is on.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// A command that measures the library, and what it needs besides.
func bench(_ name: String, _ others: [Target.Dependency] = []) -> Target {
    let all: [Target.Dependency] = [
        .product(name: "Kin", package: "kin"), .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]
    return .executableTarget(name: name, dependencies: all + others, swiftSettings: settings)
}

/// Benchmarks for `swift package benchmark`, and what they need besides.
func benchmarks(_ name: String, _ others: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: others + [.product(name: "Benchmark", package: "benchmark")],
        path: "Benchmarks/\(name)", swiftSettings: settings,
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
    name: "kin-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "ceilings", targets: ["CeilingsTool"]),
        .executable(name: "flat-bench", targets: ["FlatBench"]),
        .executable(name: "cluster-bench", targets: ["ClusterBench"]),
        .executable(name: "interface-bench", targets: ["InterfaceBench"]),
        .executable(name: "answer-bench", targets: ["AnswerBench"]),
        .executable(name: "callers-bench", targets: ["CallersBench"]),
        .executable(name: "ivf-bench", targets: ["IVFBench"]),
        .executable(name: "cliff-bench", targets: ["CliffBench"]),
        .executable(name: "store-bench", targets: ["StoreBench"]),
        .executable(name: "pleasure-bench", targets: ["PleasureBench"]),
        .executable(name: "realms-bench", targets: ["RealmsBench"]),
        .executable(name: "rhythm-bench", targets: ["RhythmBench"]),
        .executable(name: "bandit-bench", targets: ["BanditBench"]),
        .executable(name: "affinity-bench", targets: ["AffinityBench"]),
        .library(name: "KinPeer", type: .dynamic, targets: ["KinPeer"]),
    ],
    dependencies: [
        .package(name: "kin", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // For SQLite alone, beside the store.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its traits, whose hooks would replace the allocator: allocations are counted by CAllocationCounter.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .target(
            name: "CCeilings",
            cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))],
            linkerSettings: [.linkedLibrary("pthread", .when(platforms: [.linux]))]
        ),
        // The same files as the library's tests count with, by a symbolic link.
        .target(name: "CAllocationCounter"),
        // The library's kernels once more, by a symbolic link: other packages cannot call them where they are.
        .target(name: "CKernelsMeasured", cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))]),
        .target(name: "Ceilings", dependencies: ["CCeilings"], swiftSettings: settings),
        .executableTarget(
            name: "CeilingsTool",
            dependencies: [
                "Ceilings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(name: "Measuring", dependencies: [.product(name: "Kin", package: "kin")], swiftSettings: settings),
        bench("FlatBench", ["Ceilings", "Measuring"]),
        bench("IVFBench", ["Ceilings", "Measuring"]),
        bench("CliffBench", ["CAllocationCounter", "Ceilings", "Measuring", .product(name: "KinABI", package: "kin")]),
        bench("ClusterBench", ["Ceilings", "Measuring"]),
        bench(
            "StoreBench",
            [
                "Measuring", .product(name: "KinStore", package: "kin"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        bench("PleasureBench", ["Measuring", .product(name: "KinSamples", package: "kin")]),
        bench("RealmsBench", ["Measuring", .product(name: "KinSamples", package: "kin")]),
        bench("BanditBench", ["Measuring", .product(name: "KinSamples", package: "kin")]),
        bench("RhythmBench", ["Measuring", .product(name: "KinSamples", package: "kin")]),
        bench("AffinityBench", [.product(name: "KinSamples", package: "kin")]),
        bench(
            "AnswerBench",
            ["Measuring", .product(name: "KinEngine", package: "kin"), .product(name: "KinStore", package: "kin")]),
        bench("CallersBench", ["Measuring", .product(name: "KinABI", package: "kin")]),
        bench("InterfaceBench", ["Ceilings", .product(name: "KinABI", package: "kin")]),
        .target(name: "KinPeer", dependencies: [.product(name: "Kin", package: "kin")], swiftSettings: settings),
        benchmarks("FlatBenchmarks", ["CAllocationCounter", .product(name: "Kin", package: "kin")]),
        benchmarks("IVFBenchmarks", ["CAllocationCounter", .product(name: "Kin", package: "kin")]),
        benchmarks("KernelBenchmarks", ["CKernelsMeasured"]),
    ],
    cLanguageStandard: .c11
)
