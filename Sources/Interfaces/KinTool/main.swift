import Foundation
import KinShell

exit(unsafe Shell.run(CommandLine.argc, CommandLine.unsafeArgv))
