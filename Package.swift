// swift-tools-version: 6.3

import PackageDescription

/// Settings every Swift target shares; `Sources/README.md` says why each is on.
let house: [SwiftSetting] = [
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
        .executable(name: "kin", targets: ["KinTool"]),
        // What Sources/Edges/CKin/install.sh links into libkin.
        .library(name: "KinABI", type: .static, targets: ["KinABI", "CKin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        // Floor 1: numbers only.
        .target(
            name: "CKinKernels",
            path: "Sources/Numerics/CKinKernels",
            cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))]
        ),
        .systemLibrary(
            name: "CBLAS",
            path: "Sources/Numerics/CBLAS",
            providers: [.apt(["libopenblas-dev", "liblapack-dev"])]
        ),
        .target(name: "KinCore", path: "Sources/Numerics/KinCore", swiftSettings: house),
        .target(
            name: "KinLinearAlgebra",
            dependencies: ["KinCore", "CKinKernels", "CBLAS"],
            path: "Sources/Numerics/KinLinearAlgebra",
            // The older interface to Accelerate's LAPACK is deprecated.
            cSettings: [.define("ACCELERATE_NEW_LAPACK", .when(platforms: [.macOS, .iOS]))],
            // A property of type Span needs @_lifetime.
            swiftSettings: house + [.enableExperimentalFeature("Lifetimes")]
        ),

        // Floor 2: general methods.
        .target(
            name: "KinClustering",
            dependencies: ["KinCore", "KinLinearAlgebra"],
            path: "Sources/Engines/KinClustering",
            swiftSettings: house
        ),
        .target(
            name: "KinIndex",
            dependencies: [
                "KinCore", "KinLinearAlgebra", "KinClustering",
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Engines/KinIndex",
            exclude: ["FORMAT.md"],
            swiftSettings: house
        ),

        .target(
            name: "KinForecasting",
            dependencies: ["KinCore"],
            path: "Sources/Engines/KinForecasting",
            swiftSettings: house
        ),

        // Floor 3: the domains.
        .target(
            name: "KinRhythms",
            dependencies: ["KinCore", "KinForecasting"],
            path: "Sources/Domains/KinRhythms",
            swiftSettings: house
        ),

        // The doors.
        .target(
            name: "Kin",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinClustering", "KinIndex", "KinForecasting", "KinRhythms"],
            path: "Sources/Edges/Kin",
            swiftSettings: house
        ),
        .target(
            name: "CKin",
            path: "Sources/Edges/CKin",
            exclude: ["KinConfig.cmake.in", "exports.map", "install.sh", "kin.pc.in"]
        ),
        .target(
            name: "KinABI",
            dependencies: ["Kin", "KinIndex", "KinLinearAlgebra", "CKin"],
            path: "Sources/Edges/KinABI",
            swiftSettings: house
        ),
        .systemLibrary(
            name: "CLibEdit",
            path: "Sources/Edges/CLibEdit",
            providers: [.apt(["libedit-dev"])]
        ),
        .target(
            name: "KinShell",
            dependencies: [
                "Kin", "CLibEdit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ],
            path: "Sources/Edges/KinShell",
            swiftSettings: house
        ),
        .executableTarget(
            name: "KinTool",  // not "kin": on a case-insensitive disk that is the folder and module of "Kin"
            dependencies: ["KinShell"],
            path: "Sources/Edges/KinTool",
            swiftSettings: house
        ),

        // Tests mirror Sources.
        .target(
            name: "KinTestSupport",
            dependencies: ["KinCore", "KinLinearAlgebra"],
            path: "Tests/KinTestSupport",
            swiftSettings: house
        ),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .testTarget(
            name: "CKinKernelsTests",
            dependencies: ["CKinKernels", "KinCore"],
            path: "Tests/Numerics/CKinKernelsTests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinCoreTests",
            dependencies: ["KinCore", "KinTestSupport"],
            path: "Tests/Numerics/KinCoreTests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinLinearAlgebraTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinTestSupport"],
            path: "Tests/Numerics/KinLinearAlgebraTests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinClusteringTests",
            dependencies: ["KinCore", "KinLinearAlgebra", "KinClustering", "KinTestSupport"],
            path: "Tests/Engines/KinClusteringTests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinIndexTests",
            dependencies: [
                "KinCore", "KinLinearAlgebra", "KinIndex", "KinTestSupport", "CAllocationCounter",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Engines/KinIndexTests",
            resources: [.copy("Golden")],
            swiftSettings: house
        ),
        .testTarget(
            name: "KinForecastingTests",
            dependencies: ["KinCore", "KinForecasting"],
            path: "Tests/Engines/KinForecastingTests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinRhythmsTests",
            dependencies: ["KinCore", "KinRhythms"],
            path: "Tests/Domains/KinRhythmsTests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinABITests",
            dependencies: ["Kin", "CKin", "KinABI", "KinTestSupport"],
            path: "Tests/Edges/KinABITests",
            swiftSettings: house
        ),
        .testTarget(
            name: "KinShellTests",
            dependencies: ["Kin", "KinShell", "KinTestSupport"],
            path: "Tests/Edges/KinShellTests",
            swiftSettings: house
        ),
    ],
    cLanguageStandard: .c11
)
