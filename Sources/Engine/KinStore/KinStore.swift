// The types of other modules in this module's interface. Every file of this module sees these modules.
@_exported public import KinAffinity
@_exported public import KinBandits
@_exported public import KinChallenges
@_exported public import KinCore
@_exported public import KinIndex
@_exported public import KinLinearAlgebra
@_exported public import KinPleasure
@_exported public import KinRealms
@_exported public import KinRhythms
