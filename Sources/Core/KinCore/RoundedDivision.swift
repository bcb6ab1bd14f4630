extension SignedInteger {
    /// The quotient rounded towards −∞, and the remainder, 0 or more.
    func dividingRoundingDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Int {
    /// The quotient rounded up: the number of blocks of a size that contain this number of elements.
    ///
    /// - Precondition: The number is at least 0, the divisor at least 1, and their sum fits in an Int.
    @inlinable
    package func dividedRoundingUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }

    /// The smallest multiple of a size that is at least this number.
    ///
    /// - Precondition: As for ``dividedRoundingUp(by:)``.
    @inlinable
    package func roundedUp(toMultipleOf size: Int) -> Int { dividedRoundingUp(by: size) * size }
}
