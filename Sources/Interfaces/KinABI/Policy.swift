// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The object of a `kin_policy` handle.
typealias PolicyHandle = Locked<BanditPolicy>

/// The current value of a handle's policy.
func policy(_ handle: OpaquePointer?) throws(KinError) -> BanditPolicy {
    try unsafe object(PolicyHandle.self, handle, "policy").snapshot
}

// MARK: - Creating, copying, freeing

@c @implementation
public func kin_policy_create(
    _ kind: kin_policy_kind, _ dimension: Int, _ options: UnsafePointer<kin_policy_options>!,
    _ policy: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: policy, "policy") { () throws(KinError) in
        let options = try unsafe kin_policy_options.read(options)
        return PolicyHandle(try BanditPolicy(unsafe options.settings(kind: kind, dimension: dimension)))
    }
}

@c @implementation
public func kin_policy_decode(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ policy: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: policy, "policy") { () throws(KinError) in
        try unsafe PolicyHandle(BanditPolicy(decoding: copy(bytes, count: count, "bytes")))
    }
}

@c @implementation
public func kin_policy_encode(
    _ policy: OpaquePointer!, _ bytes: UnsafeMutablePointer<UInt8>!, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>!
) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe write(KinABI.policy(policy).encoded(), to: bytes, capacity: capacity, count: count)
    }
}

@c @implementation
public func kin_policy_copy(_ policy: OpaquePointer!, _ copy: UnsafeMutablePointer<OpaquePointer?>!) -> kin_status {
    unsafe attempt(making: copy, "copy") { () throws(KinError) in
        try unsafe PolicyHandle(KinABI.policy(policy))
    }
}

@c @implementation
public func kin_policy_free(_ policy: OpaquePointer!) { unsafe release(PolicyHandle.self, policy) }

// MARK: - Facts

@c @implementation
public func kin_policy_dimension(_ policy: OpaquePointer!) -> Int {
    unsafe (try? KinABI.policy(policy))?.dimension ?? 0
}

@c @implementation
public func kin_policy_arms(_ policy: OpaquePointer!) -> Int { unsafe (try? KinABI.policy(policy))?.arms ?? 0 }

@c @implementation
public func kin_policy_observations(_ policy: OpaquePointer!) -> UInt64 {
    unsafe (try? KinABI.policy(policy))?.observations ?? 0
}

// MARK: - Options

extension kin_policy_options: @unsafe SizedOptions {
    package static var defaults: kin_policy_options { unsafe kin_policy_options_defaults() }
    package static var smallestSize: Int { 80 }

    func settings(kind: kin_policy_kind, dimension: Int) throws(KinError) -> PolicySettings {
        let hasPairs = try unsafe flag(pairs, "pairs")
        guard dimension >= 1, dimension < 4096 else {
            throw KinError(.invalidArgument, "the dimension must be 1 to 4,095, not \(UInt(bitPattern: dimension))")
        }
        guard kind >= 0, let named = PolicyKind.allCases.dropFirst(Int(kind)).first else {
            throw KinError(.invalidArgument, "there is no kind of policy \(kind); use a constant KIN_POLICY_...")
        }
        let algorithm = unsafe named.algorithm(dimension: dimension, hasPairs: hasPairs, hasArms: arms != 0)
            .with(amount: exploration < 0 ? nil : exploration, epsilon: epsilon < 0 ? nil : epsilon)
        let weights =
            try unsafe prior_weights == nil ? [] : copy(prior_weights, count: dimension, "prior_weights")
        return unsafe PolicySettings(
            algorithm, dimension: dimension, arms: arms == 0 ? nil : arms, hasPairs: hasPairs,
            priorPrecision: prior_precision == 0 ? nil : prior_precision, priorWeights: weights,
            priorIntercept: prior_intercept, effectiveWindow: effective_window == 0 ? .infinity : effective_window,
            seed: seed)
    }
}
