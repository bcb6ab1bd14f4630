import KinLibC
import Synchronization

extension BLAS {
    /// Runs `body` with a single-threaded BLAS and then restores the BLAS's number of threads.
    ///
    /// For work that the caller splits into threads: two levels of threads would compete for the cores, and a sum that
    /// the BLAS splits differently has different last bits. Scopes nest and overlap freely; the last scope to end
    /// restores the number that the first one found. OpenBLAS has one number of threads for the whole process, so other
    /// users of it in the process are single-threaded during this time. A BLAS without this setting just runs `body`:
    /// the reference BLAS has no threads, and Accelerate schedules on the same pool as this library.
    package static func withOneThread<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let openBLAS = OpenBLAS.inThisProcess else { return try body() }
        oneThreadScopes.withLock { $0.enter(threads: &openBLAS.threads) }
        defer { oneThreadScopes.withLock { $0.leave(threads: &openBLAS.threads) } }
        return try body()
    }

    /// The number of threads that the BLAS may use now; nil if the BLAS does not report it.
    package static var threadCount: Int? { OpenBLAS.inThisProcess.map { Int($0.threads) } }

    /// The name of the BLAS in use: OpenBLAS with its version and settings, "Accelerate", "the system's BLAS", or
    /// "plain loops" without a BLAS.
    package static var name: String {
        #if canImport(Accelerate)
            "Accelerate"
        #elseif !SystemBLAS
            "plain loops"
        #else
            OpenBLAS.inThisProcess?.configuration ?? "the system's BLAS"
        #endif
    }

    /// The open scopes, for the whole process because OpenBLAS's setting is.
    private static let oneThreadScopes = Mutex(OneThreadScopes())
}

/// The number of open one-thread scopes, and the number of threads to restore after the last.
package struct OneThreadScopes: Sendable {
    private var open = 0
    private var threadsBefore: Int32 = 1

    /// Creates a counter without open scopes.
    package init() {}

    /// Opens a scope; the first scope stores the number of threads and sets it to 1.
    package mutating func enter(threads: inout Int32) {
        if open == 0 {
            threadsBefore = threads
            threads = 1
        }
        open += 1
    }

    /// Closes a scope; the last scope restores the number of threads.
    package mutating func leave(threads: inout Int32) {
        open -= 1
        if open == 0 { threads = threadsBefore }
    }
}

/// The functions of OpenBLAS, looked up by name at run time so that any other BLAS also links.
@safe
private struct OpenBLAS: Sendable {
    private let getThreads: @convention(c) () -> Int32
    private let setThreads: @convention(c) (Int32) -> Void
    private let getConfiguration: @convention(c) () -> UnsafePointer<CChar>?

    /// The functions in this process; nil if it uses a different BLAS.
    ///
    /// The look-up (a NULL handle is RTLD_DEFAULT with glibc and musl) begins with this library's own dependencies. A
    /// process that loads this library as a plug-in, as Python does, would not see them with `dlopen(nil)`.
    static let inThisProcess: OpenBLAS? = {
        // Without the trait, an OpenBLAS in the process was loaded by other code and is not this library's BLAS.
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

    /// The configuration, for example "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64".
    var configuration: String { unsafe getConfiguration().map { unsafe String(cString: $0) } ?? "OpenBLAS" }
}
