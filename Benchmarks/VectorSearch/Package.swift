// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "vector-search",
    platforms: [.macOS(.v15)],
    // In another package: .package(url: "https://github.com/…/kin", from: "0.3.0").
    dependencies: [.package(name: "kin", path: "../..")],
    targets: [
        .executableTarget(name: "VectorSearch", dependencies: [.product(name: "KinIndex", package: "kin")])
    ]
)
