// The C library of the system under one name: its mathematical functions and system calls.
//
// A file that needs one imports KinLibC; the call is the C function itself, so that neither its bits nor its speed
// depend on this module.

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
