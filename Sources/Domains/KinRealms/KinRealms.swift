// The types of other modules in this module's interface. Every file of this module sees these modules.
@_exported public import KinClustering
@_exported public import KinCore
@_exported public import KinIndex
@_exported public import KinJSON
@_exported public import KinLinearAlgebra
