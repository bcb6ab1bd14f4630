// swift-tools-version: 6.3

import PackageDescription

/// Settings every Swift target shares; `Sources/README.md` says why each is on.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

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
        // What Sources/Interfaces/CKin/install.sh links into libkin.
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
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
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
        .target(name: "KinLibC", path: "Sources/Core/KinLibC"),
        .target(
            name: "KinCore", dependencies: ["KinLibC"], path: "Sources/Core/KinCore"),
        .target(
            name: "KinJSON",
            dependencies: ["KinLibC", "KinCore"],
            path: "Sources/Core/KinJSON"
        ),
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
        .target(
            name: "KinClustering",
            dependencies: ["KinLibC", "KinCore", "KinLinearAlgebra"],
            path: "Sources/Algorithms/KinClustering"
        ),
        .target(
            name: "KinIndex",
            dependencies: [
                "KinLibC", "KinCore", "KinLinearAlgebra", "KinClustering",
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Algorithms/KinIndex",
            exclude: ["FORMAT.md"]
        ),

        .target(
            name: "KinForecasting",
            dependencies: ["KinLibC", "KinCore"],
            path: "Sources/Algorithms/KinForecasting"
        ),

        .target(
            name: "KinBandits",
            dependencies: ["KinLibC", "KinCore", "KinLinearAlgebra"],
            path: "Sources/Algorithms/KinBandits"
        ),
        .target(
            name: "KinEvaluation",
            dependencies: ["KinLibC", "KinCore", "KinLinearAlgebra", "KinBandits"],
            path: "Sources/Algorithms/KinEvaluation"
        ),

        // Domains: the words of an app.
        .target(
            name: "KinPleasure",
            dependencies: [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex",
                .product(name: "HashTreeCollections", package: "swift-collections"),
            ],
            path: "Sources/Domains/KinPleasure"
        ),

        .target(
            name: "KinRealms",
            dependencies: ["KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex"],
            path: "Sources/Domains/KinRealms",
            exclude: ["FORMAT.md"]
        ),
        .target(
            name: "KinRhythms",
            dependencies: ["KinLibC", "KinCore", "KinJSON", "KinForecasting"],
            path: "Sources/Domains/KinRhythms"
        ),

        .target(
            name: "KinAffinity",
            dependencies: ["KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinIndex", "KinRealms"],
            path: "Sources/Domains/KinAffinity"
        ),

        .target(
            name: "KinChallenges",
            dependencies: ["KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinBandits", "KinEvaluation"],
            path: "Sources/Domains/KinChallenges"
        ),

        // The store.
        .target(
            name: "KinStore",
            dependencies: [
                "KinCore", "KinJSON", "KinLinearAlgebra", "KinIndex", "KinBandits", "KinPleasure", "KinAffinity",
                "KinRealms",
                "KinRhythms", "KinChallenges",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Engine/KinStore"
        ),

        // Interfaces.
        .target(
            name: "Kin",
            dependencies: [
                "KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinForecasting", "KinBandits",
                "KinEvaluation",
                "KinPleasure", "KinAffinity", "KinRealms", "KinRhythms", "KinChallenges",
            ],
            path: "Sources/Interfaces/Kin",
            exclude: ["TUTORIAL.md"]
        ),
        .target(
            name: "KinEngine",
            dependencies: [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinBandits",
                "KinEvaluation", "KinPleasure",
                "KinAffinity", "KinRealms", "KinRhythms", "KinChallenges", "KinStore",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Engine/KinEngine",
            exclude: ["METHODS.md"]
        ),
        .target(
            name: "CKin",
            path: "Sources/Interfaces/CKin",
            exclude: [
                "KinConfig.cmake.in", "archive.sh", "engine_exports.map", "exports.map", "install.sh", "kin.pc.in",
                "no_icu_data.c",
            ]
        ),
        .target(
            name: "KinABI",
            dependencies: [
                "KinLibC", "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinBandits",
                "KinEvaluation", "CKin",
            ],
            path: "Sources/Interfaces/KinABI"
        ),
        .target(
            name: "KinEngineABI",
            dependencies: ["KinCore", "KinJSON", "KinABI", "KinStore", "KinEngine", "CKin"],
            path: "Sources/Interfaces/KinEngineABI"
        ),
        .target(
            name: "KinFiles",
            dependencies: ["Kin", "KinCore", "KinJSON", .product(name: "SwiftCSV", package: "SwiftCSV")],
            path: "Sources/Interfaces/KinFiles"
        ),
        .target(
            name: "KinSamples",
            dependencies: [
                "KinLibC", "KinCore", "KinPleasure", "KinAffinity", "KinRealms", "KinRhythms", "KinChallenges",
                "KinFiles",
            ],
            path: "Sources/Interfaces/KinSamples"
        ),
        .target(
            name: "KinDrawings",
            dependencies: ["Kin"],
            path: "Sources/Interfaces/KinDrawings"
        ),
        .systemLibrary(
            name: "CLibEdit",
            path: "Sources/Interfaces/CLibEdit",
            providers: [.apt(["libedit-dev"])]
        ),
        .target(
            name: "KinShell",
            dependencies: [
                "Kin", "KinDrawings", "KinEngine", "KinFiles", "KinJSON", "KinSamples", "KinStore", "CLibEdit",
            ],
            path: "Sources/Interfaces/KinShell",
            exclude: ["README.md"]
        ),
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
        .testTarget(
            name: "CKinKernelsTests",
            dependencies: ["CKinKernels", "KinCore"],
            path: "Tests/Core/CKinKernelsTests"
        ),
        .testTarget(
            name: "KinCoreTests",
            dependencies: ["KinCore", "KinTestSupport", "CAllocationCounter"],
            path: "Tests/Core/KinCoreTests"
        ),
        .testTarget(
            name: "KinJSONTests",
            dependencies: ["KinCore", "KinJSON", "KinTestSupport"],
            path: "Tests/Core/KinJSONTests"
        ),
        .testTarget(
            name: "KinLinearAlgebraTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinTestSupport"],
            path: "Tests/Core/KinLinearAlgebraTests"
        ),
        .testTarget(
            name: "KinClusteringTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinClustering", "KinTestSupport"],
            path: "Tests/Algorithms/KinClusteringTests"
        ),
        .testTarget(
            name: "KinIndexTests",
            dependencies: [
                "KinLibC", "KinCore", "KinLinearAlgebra", "KinIndex", "KinTestSupport", "CAllocationCounter",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Algorithms/KinIndexTests",
            resources: [.copy("Golden")]
        ),
        .testTarget(
            name: "KinIndexThreadTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinIndex", "KinTestSupport"],
            path: "Tests/Algorithms/KinIndexThreadTests"
        ),
        .testTarget(
            name: "KinForecastingTests",
            dependencies: ["KinLibC", "KinCore", "KinForecasting"],
            path: "Tests/Algorithms/KinForecastingTests"
        ),
        .testTarget(
            name: "KinBanditsTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinBandits", "KinTestSupport"],
            path: "Tests/Algorithms/KinBanditsTests"
        ),
        .testTarget(
            name: "KinEvaluationTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinBandits", "KinEvaluation", "KinTestSupport"],
            path: "Tests/Algorithms/KinEvaluationTests"
        ),
        .testTarget(
            name: "KinRhythmsTests",
            dependencies: ["KinCore", "KinForecasting", "KinRhythms", "KinSamples", "KinTestSupport"],
            path: "Tests/Domains/KinRhythmsTests",
            resources: [.copy("Golden")]
        ),
        .testTarget(
            name: "KinPleasureTests",
            dependencies: [
                "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinPleasure", "KinSamples",
                "KinTestSupport",
            ],
            path: "Tests/Domains/KinPleasureTests"
        ),
        .testTarget(
            name: "KinAffinityTests",
            dependencies: [
                "KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinAffinity", "KinSamples",
                "KinTestSupport",
            ],
            path: "Tests/Domains/KinAffinityTests"
        ),
        .testTarget(
            name: "KinRealmsTests",
            dependencies: [
                "KinCore", "KinJSON", "KinLinearAlgebra", "KinClustering", "KinRealms", "KinSamples", "KinTestSupport",
            ],
            path: "Tests/Domains/KinRealmsTests",
            resources: [.copy("Golden")]
        ),
        .testTarget(
            name: "KinChallengesTests",
            dependencies: [
                "KinBandits", "KinEvaluation", "KinCore", "KinJSON", "KinChallenges", "KinSamples", "KinTestSupport",
            ],
            path: "Tests/Domains/KinChallengesTests"
        ),
        .executableTarget(
            name: "KinChallengesTrial",
            dependencies: ["KinBandits", "KinChallenges", "KinCore", "KinSamples"],
            path: "Tests/Domains/KinChallengesTrial"
        ),
        // A disk on which one step goes wrong, and a store that has to live with it.
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
                "KinChallenges", "KinSamples", "KinStore", "KinStoreTrial",
                "KinStoreTrials",
                "KinTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Engine/KinStoreTests",
            resources: [.copy("Golden")]
        ),
        // Generated requests to an engine, and what holds of every answer.
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
        .testTarget(
            name: "KinEngineTests",
            dependencies: [
                "KinAffinity", "KinBandits", "KinChallenges", "KinClustering", "KinCore", "KinEngine", "KinEvaluation",
                "KinEngineTrials", "KinIndex",
                "KinLinearAlgebra", "KinPleasure", "KinRealms", "KinRhythms", "KinSamples", "KinStore",
                "KinTestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Engine/KinEngineTests"
        ),
        .testTarget(
            name: "KinABITests",
            dependencies: [
                "KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinBandits", "KinEvaluation", "CKin",
                "KinABI",
                "KinTestSupport",
            ],
            path: "Tests/Interfaces/KinABITests"
        ),
        .target(name: "KinNameStubs", path: "Tests/Interfaces/KinNameStubs"),
        .testTarget(
            name: "KinNameTests",
            dependencies: ["Kin", "KinNameStubs"],
            path: "Tests/Interfaces/KinNameTests"
        ),
        .testTarget(
            name: "KinFilesTests",
            dependencies: ["Kin", "KinFiles", "KinSamples", "KinTestSupport"],
            path: "Tests/Interfaces/KinFilesTests"
        ),
        .testTarget(
            name: "KinSamplesTests",
            dependencies: ["Kin", "KinFiles", "KinSamples", "KinTestSupport"],
            path: "Tests/Interfaces/KinSamplesTests"
        ),
        .testTarget(
            name: "KinDrawingsTests",
            dependencies: ["Kin", "KinDrawings", "KinFiles", "KinSamples", "KinTestSupport"],
            path: "Tests/Interfaces/KinDrawingsTests"
        ),
        .testTarget(
            name: "KinShellTests",
            dependencies: [
                "Kin", "KinDrawings", "KinEngine", "KinFiles", "KinIndex", "KinLibC", "KinSamples", "KinShell",
                "KinStore",
                "KinTestSupport",
            ],
            path: "Tests/Interfaces/KinShellTests"
        ),
    ],
    cLanguageStandard: .c11
)

for target in package.targets where target.type != .system && !target.name.hasPrefix("C") {
    target.swiftSettings = settings + (target.swiftSettings ?? [])
}

// `KIN_OPTIMISE=1 swift test`: what computes and what tests compute with is optimised, module by module; the engine, the interfaces
// and the tests themselves are not. They take a quarter of the time, the build a third as long again. It has to be asked for, because a
// package with flags of its own cannot be a dependency.
if Context.environment["KIN_OPTIMISE"] != nil {
    for target in package.targets where target.type == .regular {
        if target.name.hasPrefix("C") {
            target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"])]
        } else if !["Engine", "Interfaces"].contains(where: { target.path!.hasPrefix("Sources/\($0)/") }) {
            target.swiftSettings! += [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"])]
        }
    }
}
