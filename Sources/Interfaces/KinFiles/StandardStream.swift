import Foundation

/// Standard output or standard error: writes everything, or throws if the stream is closed or its disk is full.
package struct StandardStream: Sendable {
    package static let output = StandardStream(descriptor: STDOUT_FILENO, name: "standard output")
    package static let error = StandardStream(descriptor: STDERR_FILENO, name: "standard error")

    private let descriptor: Int32
    private let name: String

    /// Writes all of the bytes.
    ///
    /// - Throws: `.inputOutput` with the stream's name.
    package func write(_ bytes: [UInt8]) throws(KinError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw KinError(.inputOutput, "\(name) cannot be written: \(unsafe String(cString: strerror(errno)))")
            }
            written += count
        }
    }

    /// Occupies the descriptors of closed standard streams, so that no file opened later receives output meant for
    /// them. Reading and writing these streams still fails.
    package static func keepClosedNumbers() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // Opened for the opposite direction; the lowest free descriptor is this one.
            unsafe _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
