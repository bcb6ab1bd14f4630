import Kin

/// The limits of one caller.
///
/// Bodies have 16 MiB at most (``ServiceContext/maxUploadSize``), the headers of a request 16 KiB.
package struct ServiceLimits: Sendable {
    /// The largest number of open connections; more wait until one is closed.
    package var connections = 128
    /// How long a connection may go without a whole head of a request.
    package var idle = Duration.seconds(30)
    /// How long the body of a request may take after its head.
    package var body = Duration.seconds(30)
    /// How long the work for a request may take, which ends with status 503 then; nothing has changed.
    package var work = Duration.seconds(60)
    /// The largest size of an answer in bytes.
    package var answerBytes = 16 << 20

    package init() {}

    /// Runs the work for a request, which ends with `.cancelled` when its time is over.
    func limitingWork<Answer>(_ operation: () async throws -> Answer) async throws -> Answer {
        let end = ContinuousClock.now + work
        return try await withProgressHandler(operation: operation) { _, _ in ContinuousClock.now < end }
    }
}
