// The functions of kin.h as one dynamic library, which Benchmarks/peers loads to measure Kin on the arrays of the other libraries.
@_exported public import KinABI
