import Kin

/// The limits of one caller.
///
/// Bodies have at most 16 MiB (``ServiceContext/maxUploadSize``), the headers of a request at most 16 KiB.
package struct ServiceLimits: Sendable {
    /// The largest number of open connections; more wait until one is closed.
    package var connections = 128
    /// The longest time of a connection without a complete request head.
    package var idle = Duration.seconds(30)
    /// The longest time of a request's body after its head.
    package var body = Duration.seconds(30)
    /// The longest time of the work for a request. After that the answer is status 503, and nothing has changed.
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
