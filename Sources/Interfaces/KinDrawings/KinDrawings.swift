// The types of other modules in this module's interface.
@_exported public import Kin
