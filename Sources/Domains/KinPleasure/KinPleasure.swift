// The types of other modules in this module's interface.
@_exported public import KinCore
@_exported public import KinIndex
@_exported public import KinLinearAlgebra
