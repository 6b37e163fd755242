internal import AccessoryDaemon
internal import Glibc

exit(AccessoryProgram.run(CommandLine.arguments).rawValue)
