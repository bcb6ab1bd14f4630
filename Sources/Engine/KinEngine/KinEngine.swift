// The types of other modules in this module's interface.
@_exported public import KinEvaluation
@_exported public import KinStore
