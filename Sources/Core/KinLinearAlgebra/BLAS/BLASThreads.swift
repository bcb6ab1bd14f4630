import KinLibC
import Synchronization

extension BLAS {
    /// Runs `body` while the BLAS computes on the calling thread only, and restores its number of threads afterwards.
    ///
    /// For work that is split into threads by the caller: two levels of threads would compete for the cores, and a sum
    /// that the BLAS splits differently has other last bits. Scopes nest and overlap freely; the last one to end
    /// restores the number that the first one found. OpenBLAS has one number of threads for the whole process, so other
    /// users of it in the process run single-threaded meanwhile. A BLAS without that setting (the reference BLAS has no
    /// threads, Accelerate schedules on the same pool as this library) just runs `body`.
    package static func withOneThread<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let openBLAS = OpenBLAS.inThisProcess else { return try body() }
        oneThreadScopes.withLock { $0.enter(threads: &openBLAS.threads) }
        defer { oneThreadScopes.withLock { $0.leave(threads: &openBLAS.threads) } }
        return try body()
    }

    /// The number of threads that the BLAS may use now; nil when it does not expose one.
    package static var threadCount: Int? { OpenBLAS.inThisProcess.map { Int($0.threads) } }

    /// The name of the BLAS in use: OpenBLAS with its version and settings, "Accelerate", "the system's BLAS" or
    /// "plain loops" without one.
    package static var name: String {
        #if canImport(Accelerate)
            "Accelerate"
        #elseif !SystemBLAS
            "plain loops"
        #else
            OpenBLAS.inThisProcess?.configuration ?? "the system's BLAS"
        #endif
    }

    /// The open scopes of the process; process-wide because OpenBLAS's setting is.
    private static let oneThreadScopes = Mutex(OneThreadScopes())
}

/// The number of open one-thread scopes, and the number of threads to restore after the last.
package struct OneThreadScopes: Sendable {
    private var open = 0
    private var threadsBefore: Int32 = 1

    /// Creates a counter without open scopes.
    package init() {}

    /// Opens a scope; the first one stores the number of threads and sets it to 1.
    package mutating func enter(threads: inout Int32) {
        if open == 0 {
            threadsBefore = threads
            threads = 1
        }
        open += 1
    }

    /// Closes a scope; the last one restores the number of threads.
    package mutating func leave(threads: inout Int32) {
        open -= 1
        if open == 0 { threads = threadsBefore }
    }
}

/// The functions of OpenBLAS, looked up by name at run time so that any other BLAS links as well.
@safe
private struct OpenBLAS: Sendable {
    private let getThreads: @convention(c) () -> Int32
    private let setThreads: @convention(c) (Int32) -> Void
    private let getConfiguration: @convention(c) () -> UnsafePointer<CChar>?

    /// The functions found in this process; nil when it uses another BLAS.
    ///
    /// The look-up (a NULL handle is RTLD_DEFAULT with glibc and musl) begins at this library's own dependencies: a
    /// process that has loaded it as a plug-in, as Python does, does not see them by `dlopen(nil)`.
    static let inThisProcess: OpenBLAS? = {
        // Without the trait one that somebody else has loaded is none of ours.
        guard isWanted, let get = unsafe dlsym(nil, "openblas_get_num_threads"),
            let set = unsafe dlsym(nil, "openblas_set_num_threads"),
            let configuration = unsafe dlsym(nil, "openblas_get_config")
        else { return nil }
        return unsafe OpenBLAS(
            getThreads: unsafeBitCast(get, to: (@convention(c) () -> Int32).self),
            setThreads: unsafeBitCast(set, to: (@convention(c) (Int32) -> Void).self),
            getConfiguration: unsafeBitCast(configuration, to: (@convention(c) () -> UnsafePointer<CChar>?).self))
    }()

    #if SystemBLAS
        private static let isWanted = true
    #else
        private static let isWanted = false
    #endif

    var threads: Int32 {
        get { getThreads() }
        nonmutating set { setThreads(newValue) }
    }

    /// The configuration, as in "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64".
    var configuration: String { unsafe getConfiguration().map { unsafe String(cString: $0) } ?? "OpenBLAS" }
}
