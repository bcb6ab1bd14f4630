// The system's C library under one name: its mathematical functions and system calls.
//
// Import KinLibC to use them. The calls are the C functions themselves, so this module changes neither their results
// nor their speed.

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
