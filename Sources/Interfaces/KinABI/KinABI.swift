// Every file of this module sees these modules.
@_exported public import CKin
@_exported public import KinClustering
@_exported public import KinEvaluation
@_exported public import KinIndex
