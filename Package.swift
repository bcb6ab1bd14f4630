// swift-tools-version: 6.3

import PackageDescription

/// Settings of every Swift target; `Sources/README.md` has the reasons.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// A module in the folder of its layer.
func module(
    _ name: String, _ layer: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(layer)/\(name)", exclude: exclude)
}

/// The tests of a layer's module.
func tests(_ name: String, _ layer: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(layer)/\(name)")
}

let package = Package(
    name: "kin",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Kin", targets: ["Kin"]),
        .library(name: "KinStore", targets: ["KinStore"]),
        .library(name: "KinEngine", targets: ["KinEngine"]),
        .library(name: "KinFiles", targets: ["KinFiles"]),
        .library(name: "KinSamples", targets: ["KinSamples"]),
        .library(name: "KinDrawings", targets: ["KinDrawings"]),
        .executable(name: "kin", targets: ["KinTool"]),
        // Sources/Interfaces/CKin/install.sh links this into libkin.
        .library(name: "KinABI", type: .static, targets: ["KinABI", "CKin"]),
        // The same and the record lane, for libkin_engine.
        .library(name: "KinEngineABI", type: .static, targets: ["KinEngineABI", "KinABI", "CKin"]),
    ]
        // An app that wants vectors compiles vectors.
        + [
            "KinIndex", "KinClustering", "KinForecasting", "KinBandits", "KinEvaluation", "KinPleasure", "KinAffinity",
            "KinRealms", "KinRhythms", "KinChallenges",
        ].map { .library(name: $0, targets: [$0]) },
    traits: [
        .trait(
            name: "SystemBLAS",
            description:
                "Matrix products and eigenvectors by the system's BLAS and LAPACK; without it by Kin's own plain loops."
        ),
        .default(enabledTraits: ["SystemBLAS"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // `swift package generate-documentation`; nothing of it is built with the library.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // Core: numbers only.
        .target(
            name: "CKinKernels",
            path: "Sources/Core/CKinKernels",
            cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))]
        ),
        .systemLibrary(
            name: "CBLAS",
            path: "Sources/Core/CBLAS",
            providers: [.apt(["libopenblas-dev", "liblapack-dev"])]
        ),
        module("KinLibC", "Core"),
        module("KinCore", "Core", ["KinLibC"]),
        module("KinJSON", "Core", ["KinLibC", "KinCore"]),
        .target(
            name: "KinLinearAlgebra",
            dependencies: [
                "KinLibC", "KinCore", "CKinKernels", .target(name: "CBLAS", condition: .when(traits: ["SystemBLAS"])),
            ],
            path: "Sources/Core/KinLinearAlgebra",
            // The older interface to Accelerate's LAPACK is deprecated.
            cSettings: [.define("ACCELERATE_NEW_LAPACK", .when(platforms: [.macOS, .iOS]))],
            // A property of type Span needs @_lifetime.
            swiftSettings: [.enableExperimentalFeature("Lifetimes")]
        ),

        // Algorithms: general methods.
        module("KinClustering", "Algorithms", ["KinLibC", "KinCore", "KinLinearAlgebra"]),
        module(
            "KinIndex", "Algorithms",
            [
                "KinLibC", "KinCore", "KinLinearAlgebra", "KinClustering",
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], exclude: ["FORMAT.md"]),

        module("KinForecasting", "Algorithms", ["KinLibC", "KinCore"]),

        module("KinBandits", "Algorithms", ["KinLibC", "KinCore", "KinLinearAlgebra"]),
        module("KinEvaluation", "Algorithms", ["KinLibC", "KinCore", "KinLinearAlgebra", "KinBandits"]),

        // Domains: the words of an app.
        module(
            "KinPleasure", "Domains",
            [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinForecasting",
                .product(name: "HashTreeCollections", package: "swift-collections"),
            ]),

        module(
            "KinRealms", "Domains", ["KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex"],
            exclude: ["FORMAT.md"]),
        module("KinRhythms", "Domains", ["KinLibC", "KinCore", "KinJSON", "KinForecasting"]),

        module(
            "KinAffinity", "Domains",
            [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinIndex", "KinRealms",
                .product(name: "HeapModule", package: "swift-collections"),
            ]),

        module(
            "KinChallenges", "Domains",
            ["KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinBandits", "KinEvaluation"]),

        // The store.
        module(
            "KinStore", "Engine",
            [
                "KinCore", "KinJSON", "KinLinearAlgebra", "KinIndex", "KinBandits", "KinPleasure", "KinAffinity",
                "KinRealms", "KinRhythms", "KinChallenges", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),

        // Interfaces.
        module(
            "Kin", "Interfaces",
            [
                "KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinForecasting", "KinBandits",
                "KinEvaluation", "KinPleasure", "KinAffinity", "KinRealms", "KinRhythms", "KinChallenges",
            ], exclude: ["TUTORIAL.md"]),
        module(
            "KinEngine", "Engine",
            [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinBandits",
                "KinEvaluation", "KinPleasure", "KinAffinity", "KinRealms", "KinRhythms", "KinChallenges", "KinStore",
                .product(name: "Logging", package: "swift-log"),
            ], exclude: ["METHODS.md"]),
        module(
            "CKin", "Interfaces",
            exclude: [
                "KinConfig.cmake.in", "KinConfigVersion.cmake.in", "archive.sh", "engine_exports.map", "exports.map",
                "install.sh", "kin.pc.in", "no_icu_data.c", "older_glibc.c",
            ]),
        module(
            "KinABI", "Interfaces",
            [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinBandits",
                "KinEvaluation", "CKin",
            ]),
        module(
            "KinEngineABI", "Interfaces",
            [
                "KinCore", "KinJSON", "KinABI", "KinIndex", "KinStore", "KinEngine", "KinFiles", "KinShell", "CKin",
            ]),
        module(
            "KinFiles", "Interfaces", ["Kin", "KinCore", "KinJSON"]),
        module(
            "KinSamples", "Interfaces",
            [
                "KinLibC", "KinCore", "KinPleasure", "KinAffinity", "KinRealms", "KinRhythms", "KinChallenges",
                "KinFiles",
            ]),
        module("KinDrawings", "Interfaces", ["Kin", "KinCore"]),
        .systemLibrary(
            name: "CLibEdit",
            path: "Sources/Interfaces/CLibEdit",
            providers: [.apt(["libedit-dev"])]
        ),
        module(
            "KinShell", "Interfaces",
            [
                "Kin", "KinCore", "KinDrawings", "KinEngine", "KinFiles", "KinJSON", "KinSamples", "KinStore",
                "CLibEdit",
            ],
            exclude: ["README.md"]),
        .executableTarget(
            name: "KinTool",  // not "kin": on a case-insensitive disk that is the folder and module of "Kin"
            dependencies: ["KinShell"],
            path: "Sources/Interfaces/KinTool"
        ),

        // Tests mirror Sources.
        .target(
            name: "KinTestSupport",
            dependencies: ["KinCore", "KinLinearAlgebra"],
            path: "Tests/KinTestSupport",
            resources: [.copy("Zones")]
        ),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        tests("CKinKernelsTests", "Core", ["CKinKernels", "KinCore"]),
        tests("KinCoreTests", "Core", ["KinCore", "KinTestSupport", "CAllocationCounter"]),
        tests("KinJSONTests", "Core", ["KinCore", "KinJSON", "KinTestSupport"]),
        tests("KinLinearAlgebraTests", "Core", ["KinCore", "KinLinearAlgebra", "KinTestSupport"]),
        tests("KinClusteringTests", "Algorithms", ["KinCore", "KinLinearAlgebra", "KinClustering", "KinTestSupport"]),
        .testTarget(
            name: "KinIndexTests",
            dependencies: [
                "KinLibC", "KinCore", "KinLinearAlgebra", "KinIndex", "KinTestSupport", "CAllocationCounter",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Algorithms/KinIndexTests",
            resources: [.copy("Golden")]
        ),
        tests("KinIndexThreadTests", "Algorithms", ["KinCore", "KinLinearAlgebra", "KinIndex", "KinTestSupport"]),
        tests("KinForecastingTests", "Algorithms", ["KinLibC", "KinCore", "KinForecasting", "KinTestSupport"]),
        tests("KinBanditsTests", "Algorithms", ["KinCore", "KinLinearAlgebra", "KinBandits", "KinTestSupport"]),
        tests(
            "KinEvaluationTests", "Algorithms",
            ["KinCore", "KinLinearAlgebra", "KinBandits", "KinEvaluation", "KinTestSupport"]),
        .testTarget(
            name: "KinRhythmsTests",
            dependencies: ["KinCore", "KinForecasting", "KinJSON", "KinRhythms", "KinSamples", "KinTestSupport"],
            path: "Tests/Domains/KinRhythmsTests",
            resources: [.copy("Golden")]
        ),
        tests(
            "KinPleasureTests", "Domains",
            [
                "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinPleasure", "KinSamples",
                "KinTestSupport",
            ]),
        tests(
            "KinAffinityTests", "Domains",
            ["KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinAffinity", "KinSamples", "KinTestSupport"]),
        .testTarget(
            name: "KinRealmsTests",
            dependencies: [
                "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinRealms", "KinSamples", "KinTestSupport",
            ],
            path: "Tests/Domains/KinRealmsTests",
            resources: [.copy("Golden")]
        ),
        tests(
            "KinChallengesTests", "Domains",
            ["KinBandits", "KinEvaluation", "KinCore", "KinJSON", "KinChallenges", "KinSamples", "KinTestSupport"]),
        // A disk that fails at one step, and a store on it.
        .target(
            name: "CFaultyDisk",
            path: "Tests/Engine/CFaultyDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "KinStoreTrials",
            dependencies: [
                "CFaultyDisk", "KinAffinity", "KinCore", "KinIndex", "KinLinearAlgebra", "KinPleasure", "KinStore",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Engine/KinStoreTrials"
        ),
        .executableTarget(
            name: "KinStoreTrial",
            dependencies: ["KinCore", "KinStoreTrials"],
            path: "Tests/Engine/KinStoreTrial"
        ),
        .executableTarget(
            name: "KinRoutingTrial",
            dependencies: ["KinAffinity", "KinCore", "KinSamples", "KinStore"],
            path: "Tests/Engine/KinRoutingTrial"
        ),
        .testTarget(
            name: "KinStoreTests",
            dependencies: [
                "KinBandits", "KinCore", "KinIndex", "KinLinearAlgebra", "KinPleasure", "KinAffinity", "KinRealms",
                "KinRhythms",
                "KinChallenges", "KinRoutingTrial", "KinSamples", "KinStore", "KinStoreTrial",
                "KinStoreTrials",
                "KinTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Engine/KinStoreTests",
            resources: [.copy("Golden")]
        ),
        // Generated requests to an engine, and properties of every answer.
        .target(
            name: "KinEngineTrials",
            dependencies: [
                "KinAffinity", "KinBandits", "KinChallenges", "KinCore", "KinEngine", "KinJSON", "KinPleasure",
                "KinRealms",
                "KinRhythms", "KinSamples", "KinStore",
            ],
            path: "Tests/Engine/KinEngineTrials"
        ),
        .executableTarget(
            name: "KinEngineTrial",
            dependencies: ["KinEngineTrials"],
            path: "Tests/Engine/KinEngineTrial"
        ),
        tests(
            "KinEngineTests", "Engine",
            [
                "KinAffinity", "KinBandits", "KinChallenges", "KinClustering", "KinCore", "KinEngine", "KinEvaluation",
                "KinEngineTrials", "KinIndex", "KinLinearAlgebra", "KinPleasure", "KinRealms", "KinRhythms",
                "KinSamples", "KinStore", "KinTestSupport", .product(name: "Logging", package: "swift-log"),
            ]),
        tests(
            "KinABITests", "Interfaces",
            [
                "KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinBandits", "KinEvaluation", "CKin",
                "KinABI", "KinTestSupport",
            ]),
        .target(name: "KinNameStubs", path: "Tests/Interfaces/KinNameStubs"),
        tests("KinNameTests", "Interfaces", ["Kin", "KinNameStubs"]),
        tests("KinFilesTests", "Interfaces", ["Kin", "KinFiles", "KinSamples", "KinTestSupport"]),
        tests("KinSamplesTests", "Interfaces", ["Kin", "KinFiles", "KinSamples", "KinTestSupport"]),
        tests("KinDrawingsTests", "Interfaces", ["Kin", "KinDrawings", "KinFiles", "KinSamples", "KinTestSupport"]),
        tests(
            "KinShellTests", "Interfaces",
            [
                "Kin", "KinDrawings", "KinEngine", "KinFiles", "KinIndex", "KinLibC", "KinSamples", "KinShell",
                "KinStore", "KinTestSupport",
            ]),
    ],
    cLanguageStandard: .c11
)

for target in package.targets where target.type != .system && !target.name.hasPrefix("C") {
    target.swiftSettings = settings + (target.swiftSettings ?? [])
}

// Apple's App Store requires the reasons for some calls of the system. On other systems the manifests stay out, because
// Foundation comes with every resource.
for target in package.targets where ["KinIndex", "KinStore", "KinFiles"].contains(target.name) {
    #if os(macOS)
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
    #else
        target.exclude.append("PrivacyInfo.xcprivacy")
    #endif
}

// `KIN_OPTIMISE=1 swift test` optimises the modules that compute, and the tests' own computations, module by module. The engine, the
// interfaces and the tests themselves are not optimised. Tests take a quarter of the time, the build 1.3 times as long. A tool built in
// this way is as fast where it computes, and takes two thirds of the time of a release build. It is not the default, because a package
// with unsafe flags cannot be a dependency.
if Context.environment["KIN_OPTIMISE"] != nil {
    for target in package.targets where target.type == .regular {
        if target.name.hasPrefix("C") {
            target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"])]
        } else if target.name == "KinSamples"
            || !["Engine", "Interfaces"].contains(where: { target.path!.hasPrefix("Sources/\($0)/") })
        {
            target.swiftSettings! += [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"])]
        }
    }
}
