// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin

@c @implementation
public func kin_index_search_radius(
    _ index: OpaquePointer!, _ queries: UnsafePointer<Float>!, _ count: Int, _ stride: Int, _ radius: Double,
    _ options: UnsafePointer<kin_search_options>!, _ matches: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe kin_index_range_search(index, queries, count, stride, radius, options, matches)
}

@c @implementation
public func kin_policy_lessons(_ policy: OpaquePointer!) -> UInt64 { unsafe kin_policy_observations(policy) }

@c @implementation
public func kin_policy_fade(_ policy: OpaquePointer!, _ share: Double) -> kin_status {
    unsafe kin_policy_discount(policy, share)
}
