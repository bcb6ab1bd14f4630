import SystemPackage

/// Repeats a call while a signal interrupts it.
///
/// Not for `close`: after an interruption the descriptor is invalid on Linux, and its number may already belong to a
/// different file.
func retrying<Result>(_ call: () throws(Errno) -> Result) throws(Errno) -> Result {
    while true {
        do throws(Errno) {
            return try call()
        } catch {
            guard error == .interrupted else { throw error }
        }
    }
}

/// Makes a call, repeating it when it is interrupted, and describes a failure: "cannot `action`: …".
func attempt<Result>(
    _ action: @autoclosure () -> String,
    _ call: () throws(Errno) -> Result
) throws(KinError) -> Result {
    do throws(Errno) {
        return try retrying(call)
    } catch {
        throw .refused(action(), error)
    }
}

extension FilePath {
    /// Creates the path, unless it is empty or has a zero byte: the system would cut it there and use a different file.
    init(checking path: String) throws(KinError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw KinError(.invalidArgument, "the path is empty or contains a zero byte; give the path of a file")
        }
        self.init(path)
    }
}

extension Stat {
    /// Rejects folders, FIFOs, sockets and devices, which cannot be mapped and must not be replaced by a file.
    func requireRegularFile() throws(KinError) {
        guard type != .regular else { return }
        let found: String =
            switch type {
            case .directory: "a folder"
            case .fifo: "a named pipe"
            case .socket: "a socket"
            case .characterSpecial, .blockSpecial: "a device"
            default: "no regular file"
            }
        throw KinError(.inputOutput, "the path names \(found), not a file; give the path of a file")
    }
}
