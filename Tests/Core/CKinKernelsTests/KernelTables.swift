import CKinKernels
import Foundation
import Testing

/// A table of kernels, by name, that this CPU can run.
struct KernelTable: CustomTestStringConvertible, Sendable {
    let name: String

    var testDescription: String { name }

    /// The C table. It lives as long as the process and is never written after its construction.
    var functions: kin_kernels {
        var number = 0
        while let table = unsafe kin_kernels_at(number) {
            if unsafe String(cString: table.pointee.name) == name { return unsafe table.pointee }
            number += 1
        }
        preconditionFailure("this CPU has no table \(name)")
    }

    var codeBits: Int { Int(unsafe functions.code_bits) }

    static var all: [KernelTable] {
        var tables: [KernelTable] = []
        while let table = unsafe kin_kernels_at(tables.count) {
            tables.append(unsafe KernelTable(name: String(cString: table.pointee.name)))
        }
        return tables
    }

    static let serial = KernelTable(name: "serial")

    /// The name of the last table.
    static var best: String { all.last?.name ?? "none" }
}

@Suite("Choice of the kernel table")
struct KernelTableTests {
    @Test("the serial table is first, and every table has its own name")
    func names() {
        let tables = KernelTable.all
        #expect(tables.first?.name == "serial")
        #expect(Set(tables.map(\.name)).count == tables.count)
        for table in tables { #expect(table.codeBits == 8 || table.codeBits == 6) }
        #expect(unsafe kin_kernels_at(tables.count) == nil)
    }

    @Test("every thread sees the same active table")
    func active() async {
        let first = unsafe UInt(bitPattern: kin_kernels_active())
        let seen = await withTaskGroup(of: UInt.self) { group in
            for _ in 0..<8 { group.addTask { unsafe UInt(bitPattern: kin_kernels_active()) } }
            return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
        }
        #expect(seen == [first])
        #expect(KernelTable.all.indices.contains { unsafe UInt(bitPattern: kin_kernels_at($0)) == first })
    }

    /// The choice is made once per process, so each of these runs in a separate process.
    @Test("KIN_SIMD selects the table, and an unknown or empty one the best", arguments: ["serial", "abacus", ""])
    func forced(simd: String) async {
        await #expect(processExitsWith: .success) { [simd = simd as String] in
            #expect(table(forcing: simd) == (simd == "serial" ? simd : KernelTable.best))
        }
    }
}

/// The table that a process with this KIN_SIMD uses.
private func table(forcing simd: String) -> String {
    unsafe setenv("KIN_SIMD", simd, 1)
    return unsafe String(cString: kin_kernels_active().pointee.name)
}
