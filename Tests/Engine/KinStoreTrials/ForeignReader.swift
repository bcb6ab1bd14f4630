import CFaultyDisk
import Foundation
import GRDB

/// A program other than Kin that opens, reads and closes the database of an open store.
package enum ForeignReader: Int, CaseIterable, Sendable {
    /// A second SQLite library in the writer's process.
    case library
    /// A different process.
    case process
    /// A different process, after the writer's process opened and closed the database as a file.
    case processAfterCopy
    /// A different process, after the second library in the writer's process.
    case processAfterLibrary

    /// Whether the second library can be loaded here.
    package static var hasLibrary: Bool { unsafe foreign_sqlite_read(":memory:") == 1 }

    /// Reads a database.
    ///
    /// - Parameter program: `KinStoreTrial`, started as the different process.
    package func read(_ database: String, program: String) throws {
        if self == .library || self == .processAfterLibrary {
            guard unsafe foreign_sqlite_read(database) == 1 else {
                throw Failure(message: "the second library reads nothing")
            }
        }
        if self == .processAfterCopy { unsafe foreign_open_and_close(database) }
        guard self != .library else { return }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["read", database]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(message: "the other process reads nothing") }
    }

    /// Runs a body while a second library has a database open.
    package static func whileOpen(_ database: String, _ body: () async throws -> Void) async throws {
        guard let connection = unsafe foreign_sqlite_open(database) else {
            throw Failure(message: "the second library reads nothing")
        }
        defer { unsafe foreign_sqlite_close(connection) }
        try await body()
    }

    /// Reads the database with plain SQLite, as the different process does.
    package static func readHere(_ database: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: database, configuration: configuration)
        _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        try queue.close()
    }

    private struct Failure: Error { let message: String }
}
