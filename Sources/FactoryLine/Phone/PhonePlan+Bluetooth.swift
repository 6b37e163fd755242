internal import BluetoothFrames
internal import Identity
internal import LinuxRuntime

extension PhonePlan {
    static func serviceUUID(_ options: CommandLineOptions<PhoneOption>) throws(UsageError) -> BluetoothUUID? {
        guard let text = options[.serviceUUID] else { return nil }
        guard let uuid = BluetoothUUID(text: text) else {
            throw .invalidArgument(
                option: PhoneOption.serviceUUID.rawValue, value: printable(text),
                accepted: BluetoothDeclaration.acceptedService)
        }
        return uuid
    }

    static func company(_ options: CommandLineOptions<PhoneOption>) throws(UsageError) -> UInt16? {
        guard let text = options[.company] else { return nil }
        guard text.utf8.count == 4, let number = UInt16(text, radix: 16) else {
            throw .invalidArgument(
                option: PhoneOption.company.rawValue, value: printable(text),
                accepted: BluetoothDeclaration.acceptedCompany)
        }
        return number
    }

    static func bluetooth(
        _ options: CommandLineOptions<PhoneOption>, _ directories: ServiceDirectories
    ) throws(UsageError) -> Bluetooth? {
        switch options[.bluetooth] {
        case nil:
            let dependent: [PhoneOption] = [.serial, .serviceUUID, .company]
            if let other = dependent.first(where: { options.contains($0) }) {
                throw .refused("--\(other.rawValue) needs --bluetooth")
            }
            return nil
        case "simulated": return .simulated(airFolder: options[.air] ?? directories.runtime + "/air")
        case "adapter": return .adapter
        case let other?:
            throw .invalidArgument(
                option: PhoneOption.bluetooth.rawValue, value: printable(other), accepted: "simulated or adapter")
        }
    }
}
