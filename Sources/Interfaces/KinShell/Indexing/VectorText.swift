/// A typed vector, in the units of the data, before scaling.
enum VectorText: Equatable {
    /// All coordinates in the order of the dimensions.
    case numbers([Double])
    /// Some coordinates, by the names of their dimensions; the others have their neutral value.
    case named([String: Double])

    /// Reads a list of numbers, or an object of numbers by the names of dimensions.
    init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in
            if reader.isAtArray() {
                return .numbers(try reader.list { reader throws(KinError) in try reader.number() })
            }
            guard reader.isAtObject() else { throw KinError(.invalidArgument, "'\(json)' is not a vector") }
            var values: [String: Double] = [:]
            try reader.eachMember { reader, name throws(KinError) in values[name] = try reader.number() }
            return .named(values)
        }
    }
}

/// The dimensions that a search compares if the query names only some of them.
enum ComparedDimensions: String, CaseIterable {
    /// The dimensions that the vector names.
    case named
    /// All dimensions; the others are 0 in the vector, or their column's mean in a scaled index.
    case all

    static let parameter = ParameterDescription.option(
        "compare", .choice(allCases.map(\.rawValue)), default: "\"named\"",
        "The dimensions to compare if the vector names only some: the named ones, or all.")
}

/// The query of a search: an id, or a vector.
enum Target: Equatable {
    case id(VectorID)
    case vector(VectorText)
}
