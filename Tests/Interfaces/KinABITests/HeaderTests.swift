import CKin
import Foundation
import Testing

@testable import KinABI
@testable import KinBandits
@testable import KinClustering
@testable import KinIndex
@testable import KinLinearAlgebra

/// kin.h is the contract: related values in other files must match it.
struct HeaderTests {
    private let header: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let folder = root.appendingPathComponent("Sources/Interfaces/CKin")
        header = try String(contentsOf: folder.appendingPathComponent("include/kin.h"), encoding: .utf8)
    }

    /// The functions that the header declares, each with the line before its declaration.
    private var functions: [(name: String, before: String)] {
        let lines = header.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.indices.compactMap { i in
            guard let match = lines[i].firstMatch(of: /^[a-z][a-z0-9_ ]*[ *](kin_[a-z0-9_]+)\(/) else { return nil }
            return (String(match.1), lines[i - 1])
        }
    }

    @Test func everyFunctionIsDescribed() {
        #expect(functions.count > 50)
        for function in functions { #expect(function.before.hasPrefix("///"), "\(function.name) has no description") }
    }

    @Test func codesEqualSwift() {
        #expect(unsafe String(cString: kin_status_name(kin_status(KIN_OK))) == "ok")
        for number in Int32(1)...14 {
            let code = KinError.Code(rawValue: number)
            #expect(unsafe String(cString: kin_status_name(number)) == code.description)
            // The constant has the name of the code: KIN_DIMENSION_MISMATCH is "dimension mismatch".
            let words = code.description.uppercased().replacing(/[ \/]/, with: "_")
            #expect(header.contains("KIN_\(words) = \(number),"), "KIN_\(words)")
        }
        #expect(KinError.Code(rawValue: 15).description == "code 15", "a new code belongs into kin.h too")
        #expect(unsafe String(cString: kin_status_name(15)) == "unknown status")
        #expect(unsafe String(cString: kin_status_name(-1)) == "unknown status")
    }

    @Test func everyKindOfPolicyHasItsConstant() {
        for (number, kind) in PolicyKind.allCases.enumerated() {
            let name = kind.rawValue.uppercased().replacing("-", with: "_")
            #expect(header.contains("KIN_POLICY_\(name) = \(number),"), "KIN_POLICY_\(name)")
        }
    }

    @Test(arguments: Metric.allCases)
    func metricsHaveTheirNumbers(_ metric: Metric) {
        #expect(header.contains("KIN_METRIC_\(metric.rawValue.uppercased()) = \(metric.number),"))
        #expect(Metric(number: metric.number) == metric)
    }

    @Test func versionsAgree() {
        let parts = KIN_VERSION.split(separator: ".").compactMap { Int($0) }
        #expect(parts.count == 3 && Int(KIN_VERSION_NUMBER) == parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2])
        #expect(kin_version_number() == UInt32(KIN_VERSION_NUMBER))
        #expect(kin_abi_version() == UInt32(KIN_ABI_VERSION))
    }

    /// Numbers in the header's sentences, found by the words around them, equal those in the code.
    @Test(arguments: [
        ("numbers in every vector, 1 ... ", RowLayout.largestDimension, ""),
        ("most threads to use, 1 ... ", mostThreads, ""),
        ("or has less than ", RecallCalibration.smallestCount, " vectors, is searched exactly"),
        ("more than ", AttributeSchema.largestCount, " attributes"),
        ("more than ", FilterExpression.largestTextBytes >> 20, " MiB"),
        ("bytes of vectors to hold in memory at a time, ", IndexBuilder.leastMemory >> 20, " MB or more"),
        (" MB or more; 0 for ", IndexBuilder.defaultMemory >> 30, " GB"),
        ("on 8-bit codes from ", CentroidSearch.minimumCodedCount, " clusters on"),
        ("more than ", SymmetricEigen.maximumOrder, " columns"),
        ("or with arms of the context, 1 ... ", PolicySettings.maximumWidth - 1, ""),
    ])
    func numbersInTheHeaderEqualTheCode(before: String, number: Int, after: String) {
        let text = header.replacing(/\n *\/\/\/<? */, with: " ")
        let found = text.ranges(of: before).compactMap { range -> Int? in
            let digits = text[range.upperBound...].prefix { $0.isNumber || $0 == "," }
            guard text[digits.endIndex...].hasPrefix(after) else { return nil }
            return Int(digits.replacing(",", with: ""))
        }
        #expect(!found.isEmpty && found.allSatisfy { $0 == number }, "\(before)…\(after): \(found), not \(number)")
    }

    @Test func sizesOfTheFirstOptionsNeverShrink() {
        // The first release's sizes; structures only ever grow.
        unsafe #expect(kin_search_options.smallestSize == 40 && MemoryLayout<kin_search_options>.size >= 40)
        unsafe #expect(kin_recommendation.smallestSize == 136 && MemoryLayout<kin_recommendation>.size >= 136)
        unsafe #expect(kin_kmeans_options.smallestSize == 80 && MemoryLayout<kin_kmeans_options>.size >= 80)
        #expect(kin_minibatch_kmeans_options.smallestSize == 40)
        #expect(MemoryLayout<kin_minibatch_kmeans_options>.size >= 40)
        unsafe #expect(kin_policy_options.smallestSize == 80 && MemoryLayout<kin_policy_options>.size >= 80)
    }
}
