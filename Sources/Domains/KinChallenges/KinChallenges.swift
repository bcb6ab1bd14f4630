// The types of other modules in this module's interface. Every file of this module sees these modules.
@_exported public import KinBandits
@_exported public import KinCore
@_exported public import KinEvaluation
@_exported public import KinJSON
