import Foundation
import KinShell

exit(Shell.run(Array(CommandLine.arguments.dropFirst()), console: .standard()))
