extension Ceilings {
    /// The ceilings as a Markdown table.
    public var table: String {
        var table = Table(["resource", "threads", "rate", "at 16 dimensions"])
        for row in arithmetic {
            table.add([
                "float, \(row.level): \(row.floatInstruction)", "\(row.threads)",
                "\((2e-9 * row.floatMultiplyAdds).shown) GFLOP/s",
                "\((1e-9 * row.floatMultiplyAdds / 16).shown) Gpair/s",
            ])
            table.add([
                "byte, \(row.level): \(row.byteInstruction)", "\(row.threads)",
                "\((1e-9 * row.byteMultiplyAdds).shown) Gmult-add/s",
                "\((1e-9 * row.byteMultiplyAdds / 16).shown) Gpair/s",
            ])
        }
        for row in reading {
            table.add([
                "read, \(row.place.rawValue) (\(row.bytesPerThread >> 10) KiB a thread)", "\(row.threads)",
                "\((1e-9 * row.bytesPerSecond).shown) GB/s",
                "\((1e-9 * row.bytesPerSecond / 16).shown) Gcode/s",
            ])
        }
        return table.description
    }
}
