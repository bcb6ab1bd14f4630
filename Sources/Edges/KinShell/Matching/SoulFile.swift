import Foundation
import Kin
import KinJSON
import KinStore

/// Souls from a file of JSON lines, from standard input, or from a store.
enum SoulFile {
    /// Reads all souls of the file.
    ///
    /// - Parameter path: A store's database, a file of JSON lines, or - for standard input.
    static func read(_ path: String) throws -> [Soul] {
        if path != "-", StoreFile.isStore(path) {
            let souls = try Store(at: path, for: .reading, check: .brief).souls()
            guard !souls.isEmpty else { throw noSouls(path) }
            return souls
        }
        let reader = try ByteReader(path: path)
        var souls: [Soul] = []
        var rest: [UInt8] = []
        var line = 1
        while case let piece = try reader.read(upTo: 1 << 22), !piece.isEmpty {
            rest += piece
            guard let end = rest.lastIndex(of: 0x0A) else { continue }
            line += try append(rest[...end], firstLine: line, path: reader.name, to: &souls)
            rest.removeFirst(end + 1)
        }
        _ = try append(rest[...], firstLine: line, path: reader.name, to: &souls)
        return souls
    }

    /// A matcher of them: of a store by the model that it keeps, of a file by the standard one.
    ///
    /// - Parameters:
    ///   - weights: Others than those.
    ///   - everyGoalAlike: Whether goals count the same, however rare; as the model says when it is false.
    static func matcher(
        _ path: String, weights: AffinityWeights?, everyGoalAlike: Bool, threads: Int
    ) throws -> SoulMatcher {
        if path != "-", StoreFile.isStore(path) {
            let store = try Store(at: path, for: .reading, check: .brief)
            let matcher = try store.matcher(
                weights: weights, everyGoalAlike: everyGoalAlike ? true : nil, threads: threads)
            guard matcher.count > 0 else { throw noSouls(path) }
            return matcher
        }
        return try SoulMatcher(
            read(path), model: AffinityModel(weights: weights ?? .standard),
            rarity: everyGoalAlike ? .asInModel : .automatic, threads: threads)
    }

    private static func noSouls(_ path: String) -> Failure {
        Failure(.dataError, KinError(.unknownID, "the store has no souls; import some").within("file", path))
    }

    /// Reads the souls of some whole lines.
    ///
    /// - Returns: How many lines there were.
    private static func append(
        _ bytes: ArraySlice<UInt8>, firstLine: Int, path: String, to souls: inout [Soul]
    ) throws(KinError) -> Int {
        do throws(KinError) {
            return try JSONLines.forEach(in: bytes, firstLine: firstLine) { reader, _ throws(KinError) in
                souls.append(try Soul(from: &reader))
            }
        } catch {
            throw error.within("file", path)
        }
    }
}
