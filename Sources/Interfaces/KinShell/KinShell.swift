// Every file of this module sees these modules.
@_exported public import KinDrawings
@_exported public import KinEngine
@_exported public import KinFiles
@_exported public import KinSamples
