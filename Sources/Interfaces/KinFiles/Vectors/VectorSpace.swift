import Foundation

/// Names and scales of an index's dimensions, which convert numbers in units of the data to stored ones.
///
/// They are saved next to the index if it needs them, in `profiles.kin.columns.json` for `profiles.kin`: if the names
/// are not the sixteen of a profile, or if there is scaling.
public struct VectorSpace: Sendable, Equatable {
    /// The number of dimensions.
    public let dimension: Int
    /// The names of the dimensions; empty if there are none.
    public let names: [String]
    /// The scale of each dimension; nil if numbers are stored unscaled.
    public let scaling: ColumnScaling?

    /// Creates a space; without names, sixteen dimensions get the names of a profile.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions.
    ///   - names: One name for each dimension.
    ///   - scaling: The scale of each dimension.
    public init(dimension: Int, names: [String]? = nil, scaling: ColumnScaling? = nil) {
        self.dimension = dimension
        self.scaling = scaling
        let profile = Pleasure.Dimension.names
        self.names = names ?? (dimension == profile.count ? profile : [])
    }

    /// Reads the space of an index from the file next to it; without a file, the plain space.
    ///
    /// - Parameters:
    ///   - index: The path of the index.
    ///   - dimension: The index's dimension.
    /// - Throws: `.malformedInput` with the `file` if it is damaged or belongs to a different index.
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

    /// Writes the file next to an index, or removes an old one if the index needs none.
    ///
    /// - Parameter index: The path of the index.
    /// - Throws: `.inputOutput` with the `output` if the file cannot be written; `.invalidArgument` if the existing
    ///   file is not a columns file, outside of `withOverwriting`.
    public func write(beside index: String) throws { try write(beside: index) {} }

    /// As ``write(beside:)``, but an older file is replaced only after `saving` has written the index.
    func write(beside index: String, saving: () throws -> Void) throws {
        let path = Self.path(beside: index)
        if !ColumnsFile.isOne(path) { try requireReplaceable(path) }
        guard needsFile else {
            try saving()
            try? FileManager.default.removeItem(atPath: path)
            return
        }
        try WholeFile.make(path, text: ColumnsFile(self).text(), replacing: [FileContent(of: path)], after: saving)
    }

    /// The path of the file next to an index.
    ///
    /// - Parameter index: The path of the index.
    public static func path(beside index: String) -> String { index + ".columns.json" }

    /// Whether the vectors are profiles of the sixteen named dimensions, each from 0 to 1.
    public var isProfile: Bool { names == Pleasure.Dimension.names && scaling == nil }

    /// Whether the index needs a columns file, without which it would lose its names or scales.
    public var needsFile: Bool { self != VectorSpace(dimension: dimension) }

    /// Converts a stored vector to the units of the data.
    ///
    /// - Parameter stored: One number for each dimension.
    public func raw(_ stored: [Float]) -> [Double] {
        stored.enumerated().map { scaling?.raw($1, column: $0) ?? Double($1) }
    }

    /// Converts a vector from the units of the data to its stored form.
    ///
    /// - Parameter raw: One number for each dimension.
    public func stored(_ raw: [Double]) -> [Float] {
        raw.enumerated().map { scaling?.scaled($1, column: $0) ?? Float($1) }
    }

    /// Converts a table of vectors from the units of the data to stored form, in place.
    ///
    /// - Parameter table: A table of this space's dimension.
    public func scale(_ table: inout VectorTable) { scaling?.apply(to: &table) }
}
