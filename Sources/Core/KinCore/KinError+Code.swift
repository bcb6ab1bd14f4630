extension KinError {
    /// The kind of a failure. The set is open: later releases may add codes but never renumber them.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number of the code, the same in Swift, C and Python.
        public let rawValue: Int32

        /// Creates a code from its number, including numbers that this release does not define.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// An argument is outside the range that the call accepts.
        public static let invalidArgument = Code(rawValue: 1)
        /// A vector has a different number of dimensions than the index.
        public static let dimensionMismatch = Code(rawValue: 2)
        /// A number is NaN or infinite.
        public static let notFinite = Code(rawValue: 3)
        /// A zero vector was passed, but a direction is needed (cosine).
        public static let zeroVector = Code(rawValue: 4)
        /// An id appears twice in one call.
        public static let duplicateID = Code(rawValue: 5)
        /// No record or vector has this id.
        public static let unknownID = Code(rawValue: 6)
        /// A text does not have the required format.
        public static let malformedInput = Code(rawValue: 7)
        /// A file's bytes violate its format or its checksums.
        public static let corruptFile = Code(rawValue: 8)
        /// A file has a format or version that this release does not read.
        public static let unsupportedFormat = Code(rawValue: 9)
        /// The operating system refused a file operation.
        public static let inputOutput = Code(rawValue: 10)
        /// A limit of the library is exceeded.
        public static let capacityExceeded = Code(rawValue: 11)
        /// A numerical method failed (a matrix that is not positive definite, no convergence).
        public static let numericalFailure = Code(rawValue: 12)
        /// A resource is in use: a different process is writing the store, or a reader has it open.
        public static let busy = Code(rawValue: 13)
        /// The progress handler or the task cancelled the work; nothing has changed.
        public static let cancelled = Code(rawValue: 14)
    }
}

extension KinError.Code: CustomStringConvertible {
    /// The name of the code, for example "dimension mismatch"; "code" with its number for codes of later releases.
    public var description: String {
        switch self {
        case .invalidArgument: "invalid argument"
        case .dimensionMismatch: "dimension mismatch"
        case .notFinite: "not finite"
        case .zeroVector: "zero vector"
        case .duplicateID: "duplicate id"
        case .unknownID: "unknown id"
        case .malformedInput: "malformed input"
        case .corruptFile: "corrupt file"
        case .unsupportedFormat: "unsupported format"
        case .inputOutput: "input/output"
        case .capacityExceeded: "capacity exceeded"
        case .numericalFailure: "numerical failure"
        case .busy: "busy"
        case .cancelled: "cancelled"
        default: "code \(rawValue)"
        }
    }
}
