package import KinCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clock on the wall.
package enum SystemClock {
    /// The present.
    ///
    /// - Throws: `.invalidArgument` when the clock is set to a year after 9999.
    package static func now() throws(KinError) -> Timestamp {
        var time = timespec()
        // It fails only for a clock that there is not.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return try Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
