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

let package = Package(
    name: "kin-service",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "kin-service", targets: ["KinServiceTool"]),
        .executable(name: "http-ceiling", targets: ["HTTPCeiling"]),
    ],
    dependencies: [
        .package(name: "kin", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
        // Without its traits: the service needs neither all of Foundation nor settings from files.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        .target(
            name: "KinService",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Kin", package: "kin"),
                .product(name: "KinEngine", package: "kin"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "KinServiceTool",
            dependencies: [
                "KinService", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Kin", package: "kin"), .product(name: "KinEngine", package: "kin"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // The same server with a fixed answer, as a comparison with the service.
        .executableTarget(
            name: "HTTPCeiling",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "KinServiceTests",
            dependencies: [
                "KinService", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Kin", package: "kin"), .product(name: "KinEngine", package: "kin"),
                .product(name: "KinSamples", package: "kin"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ]
)
