import Foundation
public import Kin

/// Names and scales of an index's dimensions, by which people's numbers become stored ones.
///
/// They are kept beside the index, in `profiles.kin.columns.json` for `profiles.kin`, where an index needs it: with names that are not
/// the sixteen of a profile, or with scaling.
public struct VectorSpace: Sendable, Equatable {
    /// The number of dimensions.
    public let dimension: Int
    /// One name for each dimension, or none at all.
    public let names: [String]
    /// The scale of each dimension; nil where numbers are stored as they are.
    public let scaling: ColumnScaling?

    /// Creates a space; without names, sixteen dimensions have those of a profile.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions.
    ///   - names: One name for each.
    ///   - scaling: The scale of each.
    public init(dimension: Int, names: [String]? = nil, scaling: ColumnScaling? = nil) {
        self.dimension = dimension
        self.scaling = scaling
        let profile = Pleasure.Dimension.names
        self.names = names ?? (dimension == profile.count ? profile : [])
    }

    /// Reads the space of an index from the file beside it; where there is none it is the plain one.
    ///
    /// - Parameters:
    ///   - index: The path of the index.
    ///   - dimension: The index's dimension.
    /// - Throws: `.malformedInput` with the `file` when it is damaged or of another index.
    public init(beside index: String, dimension: Int) throws(KinError) {
        let path = Self.path(beside: index)
        guard let data = FileManager.default.contents(atPath: path) else {
            self.init(dimension: dimension)
            return
        }
        do throws(KinError) {
            let file = try ColumnsFile(decoding: data, dimension: dimension)
            self.init(dimension: dimension, names: file.names, scaling: try file.scaling())
        } catch {
            throw error.within("file", path)
        }
    }

    /// Writes the file beside an index, or removes an old one where the index needs none.
    ///
    /// - Parameter index: The path of the index.
    /// - Throws: `.inputOutput` with the `output` when the file cannot be written; `.invalidArgument` when there is a file that is not one of
    ///   columns, outside of `withOverwriting`.
    public func write(beside index: String) throws {
        try requireReplaceable(beside: index)
        let path = Self.path(beside: index)
        guard needsFile else {
            try? FileManager.default.removeItem(atPath: path)
            return
        }
        let text = try ColumnsFile(self).text()
        try withOverwriting { try WholeFile.make(path, text: text) }
    }

    /// Requires that the file of columns is missing, or a file of columns.
    ///
    /// - Throws: `.invalidArgument`, outside of `withOverwriting`.
    func requireReplaceable(beside index: String) throws(KinError) {
        let path = Self.path(beside: index)
        guard !ColumnsFile.isOne(path) else { return }
        try Kin.requireReplaceable(path)
    }

    /// The path of the file beside an index.
    ///
    /// - Parameter index: The path of the index.
    public static func path(beside index: String) -> String { index + ".columns.json" }

    /// Whether the vectors are profiles of the sixteen named dimensions, each from 0 to 1.
    public var isProfile: Bool { names == Pleasure.Dimension.names && scaling == nil }

    /// Whether a file must stand beside the index for it to be understood again.
    public var needsFile: Bool { self != VectorSpace(dimension: dimension) }

    /// A stored vector in the units of the data.
    ///
    /// - Parameter stored: As many numbers as there are dimensions.
    public func raw(_ stored: [Float]) -> [Double] {
        stored.enumerated().map { scaling?.raw($1, column: $0) ?? Double($1) }
    }

    /// A vector in the units of the data as it is stored.
    ///
    /// - Parameter raw: As many numbers as there are dimensions.
    public func stored(_ raw: [Double]) -> [Float] {
        raw.enumerated().map { scaling?.scaled($1, column: $0) ?? Float($1) }
    }

    /// Brings a table of vectors in the units of the data to stored ones, in place.
    ///
    /// - Parameter table: A table of this space's dimension.
    public func scale(_ table: inout VectorTable) { scaling?.apply(to: &table) }
}
