/// A number that a ``Matrix`` holds: `Float` for data, `Double` where sums and factorisations need the digits.
public protocol MatrixScalar: BinaryFloatingPoint, BitwiseCopyable, Sendable {}

extension Float: MatrixScalar {}
extension Double: MatrixScalar {}
