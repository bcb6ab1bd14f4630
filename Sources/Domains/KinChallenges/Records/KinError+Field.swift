import KinCore

extension KinError {
    /// An error about the value of a field.
    static func field(_ name: String, _ message: String, _ code: Code = .invalidArgument) -> KinError {
        KinError(code, message).within("field", name)
    }
}
