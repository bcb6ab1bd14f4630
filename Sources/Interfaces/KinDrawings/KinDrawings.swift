// The types of other modules in this module's interface. Its other files see these modules without importing them.
@_exported public import Kin
