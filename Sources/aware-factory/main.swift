import FactoryLine
import Glibc
import LinuxRuntime

exit(FactoryTool.run(CommandLine.arguments).rawValue)
