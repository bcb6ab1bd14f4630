import KinIndex
import Synchronization
import SystemPackage

/// The system's files, with a fault at one call (or at all calls from one on).
final class FaultyFiles: FileOperations {
    enum Fault {
        /// The call fails and does nothing (but a close still closes, as systems do).
        case fails(Errno)
        /// Half of the bytes are read or written; other calls work.
        case isShort
        /// No byte is read or written, without an error; other calls work.
        case isEmpty
        /// The process ends before the call: neither it nor any call after it has an effect.
        case dies
    }

    private struct State {
        var calls: [String] = []
        var open: Set<CInt> = []
    }

    private let system = SystemFiles()
    private let fault: (call: Int, Fault)?
    private let state = Mutex(State())

    init(_ fault: Fault? = nil, at call: Int = 0) {
        self.fault = fault.map { (call, $0) }
    }

    deinit {
        for descriptor in state.withLock({ $0.open }) { try? system.close(FileDescriptor(rawValue: descriptor)) }
    }

    /// Names of the calls made so far, in order.
    var calls: [String] { state.withLock { $0.calls } }

    /// The number of descriptors that were opened and not closed.
    var openDescriptors: Int { state.withLock { $0.open.count } }

    /// Counts a call. Throws its fault, or returns the fault if the call is to transfer fewer bytes.
    @discardableResult
    private func enter(_ name: String) throws(Errno) -> Fault? {
        let number = state.withLock { state in
            state.calls.append(name)
            return state.calls.count - 1
        }
        guard let (call, fault) = fault else { return nil }
        switch fault {
        case .fails(let errno): if number == call { throw errno }
        case .isShort, .isEmpty: if number == call { return fault }
        case .dies: if number >= call { throw .ioError }
        }
        return nil
    }

    /// Counts a call. Returns how many of `count` bytes to read or write.
    private func enter(_ name: String, bytes count: Int) throws(Errno) -> Int {
        switch try enter(name) {
        case .isShort?: max(1, count / 2)
        case .isEmpty?: 0
        default: count
        }
    }

    private func opened(_ descriptor: FileDescriptor) -> FileDescriptor {
        state.withLock { _ = $0.open.insert(descriptor.rawValue) }
        return descriptor
    }

    func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try enter("openForReading")
        return try opened(system.openForReading(path))
    }

    func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        try enter("create")
        return try opened(system.create(path, permissions: permissions))
    }

    func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try enter("openFolder")
        return try opened(system.openFolder(path))
    }

    func status(of descriptor: FileDescriptor) throws(Errno) -> Stat {
        try enter("status(of:)")
        return try system.status(of: descriptor)
    }

    func status(at path: FilePath) throws(Errno) -> Stat {
        try enter("status(at:)")
        return try system.status(at: path)
    }

    func resolve(_ path: FilePath) throws(Errno) -> FilePath {
        try enter("resolve")
        return try system.resolve(path)
    }

    func read(
        _ descriptor: FileDescriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        let count = try enter("read", bytes: buffer.count)
        return try unsafe system.read(
            descriptor, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }

    func write(_ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        let count = try enter("write", bytes: bytes.count)
        return try unsafe system.write(descriptor, at: offset, UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }

    func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno) {
        try enter("setPermissions")
        try system.setPermissions(descriptor, permissions)
    }

    func synchronize(_ descriptor: FileDescriptor) throws(Errno) {
        try enter("synchronize")
        try system.synchronize(descriptor)
    }

    func close(_ descriptor: FileDescriptor) throws(Errno) {
        if case .dies? = fault?.1 { try enter("close") }
        state.withLock { _ = $0.open.remove(descriptor.rawValue) }
        try system.close(descriptor)
        if case .dies? = fault?.1 { return }
        try enter("close")
    }

    func rename(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try enter("rename")
        try system.rename(path, to: destination)
    }

    func remove(_ path: FilePath) throws(Errno) {
        try enter("remove")
        try system.remove(path)
    }

    func map(_ descriptor: FileDescriptor, length: Int) throws(Errno) -> UnsafeRawBufferPointer {
        try enter("map")
        return try unsafe system.map(descriptor, length: length)
    }
}
