extension InventoryItem.Kind {
    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }
    static let names = ["tool", "space", "expert"]
}

extension InventoryItem.Access {
    /// The name in files and JSON: `public_library`.
    public var name: String { Self.names[rawValue] }
    static let names = ["owned", "peer", "rental", "public_library"]
}

extension InventoryItem.Status {
    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }
    static let names = ["available", "booked", "maintenance"]
}

extension Affordance.Intensity {
    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }
    static let names = ["low", "medium", "high"]
}
