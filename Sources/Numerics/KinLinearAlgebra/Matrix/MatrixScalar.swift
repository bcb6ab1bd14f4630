/// A floating-point type that a ``Matrix`` holds: `Float` for data, `Double` for sums and factorisations.
public protocol MatrixScalar: BinaryFloatingPoint, BitwiseCopyable, Sendable {}

extension Float: MatrixScalar {}
extension Double: MatrixScalar {}
