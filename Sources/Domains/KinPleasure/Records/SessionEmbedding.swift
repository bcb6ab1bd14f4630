/// An embedding of a session's transcript or note: a vector that a model computed from the words.
///
/// A session may have one embedding of each model. All vectors of a model have the same dimension, which the store
/// enforces. They are compared by direction, so their lengths do not matter.
public struct SessionEmbedding: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The id of the session.
    public let sessionID: String
    /// The label of the model, such as `transcript` or the model's name.
    public let model: String
    /// The vector as it was passed.
    public let vector: [Float]

    /// The numbers of dimensions that a vector may have.
    public static let dimensions = 1...4096
    /// The largest length of a model's label, in bytes of UTF-8.
    public static let longestModel = 64

    /// Creates an embedding, and checks it.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - sessionID: The id of the session.
    ///   - model: The label of the model, an id of at most ``longestModel`` bytes.
    ///   - vector: 1 to 4,096 finite numbers that are not all zero.
    /// - Throws: `.invalidArgument`, `.notFinite` or `.zeroVector`, naming the field.
    public init(userID: String, sessionID: String, model: String, vector: [Float]) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.sessionID = try RecordID.checked(sessionID, field: "session_id")
        self.model = try Self.checked(model: model)
        do throws(KinError) { try Self.check(vector) } catch { throw error.within("field", "vector") }
        self.vector = vector
    }

    /// The label of a model in normal form.
    static func checked(model: String) throws(KinError) -> String {
        let model = try RecordID.checked(model, field: "model")
        guard model.utf8.count <= longestModel else {
            throw .field("model", "it has \(model.utf8.count) bytes, and a model's label at most \(longestModel)")
        }
        return model
    }

    /// Requires a valid number of finite coordinates that are not all zero.
    static func check(_ vector: [Float]) throws(KinError) {
        guard dimensions.contains(vector.count) else {
            throw KinError(.invalidArgument, "it has \(vector.count) numbers, and an embedding has 1 to 4,096")
        }
        if let place = vector.firstIndex(where: { !$0.isFinite }) {
            throw KinError(.notFinite, "number \(place + 1) is \(vector[place])")
        }
        guard vector.contains(where: { $0 != 0 }) else {
            throw KinError(.zeroVector, "all numbers are 0, so it has no direction")
        }
    }

    /// The vector divided by its length, computed in double precision.
    static func unit(_ vector: [Float]) -> [Float] {
        let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return vector.map { Float(Double($0) / length) }
    }
}

extension SessionEmbedding: DeclaredRecord {
    package static let form = RecordSchema<SessionEmbedding>(
        "session embedding", id: "session_id",
        .required("user_id", \.userID, .id),
        .required("session_id", \.sessionID, .id),
        .required("model", \.model, .id),
        .required("vector", \.vector, .vector),
        make: SessionEmbedding.init(userID:sessionID:model:vector:))
}

extension JSONForm<[Float]> {
    /// A vector: a list of numbers, or the Base64 of little-endian 32-bit floats. It is written as Base64.
    ///
    /// 384 numbers take 2,048 characters this way, about half of their shortest decimal digits.
    package static let vector = JSONForm(
        "vector: list of numbers, or Base64 of little-endian 32-bit floats",
        read: { reader throws(KinError) in
            guard reader.isAtString() else {
                return try reader.list { reader throws(KinError) in Float(try reader.number()) }
            }
            return try reader.parsed { text throws(KinError) in
                let bytes = try Base64.bytes(text)
                guard bytes.count % 4 == 0 else {
                    throw KinError(.malformedInput, "\(bytes.count) bytes are not a whole number of 32-bit floats")
                }
                return stride(from: 0, to: bytes.count, by: 4).map { start in
                    var bits: UInt32 = 0
                    for place in 0..<4 { bits |= UInt32(bytes[start + place]) << UInt32(8 * place) }
                    return Float(bitPattern: bits)
                }
            }
        },
        write: { vector, writer in
            var bytes = LittleEndianWriter()
            for number in vector { bytes.write(number) }
            writer.string(Base64.text(bytes.bytes))
        })
}
