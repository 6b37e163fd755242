import Glibc
import LinuxRuntime

exit(Tool.run(CommandLine.arguments).rawValue)
