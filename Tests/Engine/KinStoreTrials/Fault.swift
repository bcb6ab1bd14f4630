import CFaultyDisk

/// A fault in the life of a victim.
package enum Fault: Sendable, Hashable {
    /// No fault.
    case none
    /// The process is killed at this step of the disk, possibly in the middle of a write.
    case kill(step: Int)
    /// The power fails at this step: any part of the unsynchronized data is lost.
    case power(step: Int)
    /// The disk is full from this step until the victim notices.
    case full(step: Int)
    /// This step fails.
    case error(step: Int)
    /// The process kills itself after its last operation.
    case killAtEnd
    /// The process is killed from outside after this number of milliseconds.
    case killed(after: Int)

    /// The victim's arguments for this fault.
    var arguments: [String] {
        switch self {
        case .none: ["none", "0"]
        case .kill(let step): ["kill", "\(step)"]
        case .power(let step): ["power", "\(step)"]
        case .full(let step): ["full", "\(step)"]
        case .error(let step): ["error", "\(step)"]
        case .killAtEnd: ["end", "0"]
        case .killed: ["none", "0"]
        }
    }

    /// The fault that two arguments describe.
    init?(_ name: String, step: Int) {
        switch name {
        case "none": self = .none
        case "kill": self = .kill(step: step)
        case "power": self = .power(step: step)
        case "full": self = .full(step: step)
        case "error": self = .error(step: step)
        case "end": self = .killAtEnd
        default: return nil
        }
    }

    /// Arms the disk with this fault.
    package func arm(seed: UInt64) {
        switch self {
        case .none, .killed, .killAtEnd: faulty_disk_arm(FAULTY_DISK_NONE, 0, seed)
        case .kill(let step): faulty_disk_arm(FAULTY_DISK_KILL, Int64(step), seed)
        case .power(let step): faulty_disk_arm(FAULTY_DISK_POWER, Int64(step), seed)
        case .full(let step): faulty_disk_arm(FAULTY_DISK_FULL, Int64(step), seed)
        case .error(let step): faulty_disk_arm(FAULTY_DISK_ERROR, Int64(step), seed)
        }
    }
}
