package import BluetoothFrames

extension BluetoothUUID {
    // Bluetooth Assigned Numbers, 3.4 to 3.8.
    static let primaryService = Self(0x2800)
    static let secondaryService = Self(0x2801)
    static let characteristic = Self(0x2803)
    static let clientConfiguration = Self(0x2902)
    static let genericAccess = Self(0x1800)
    static let genericAttribute = Self(0x1801)
    static let deviceInformation = Self(0x180A)
    static let deviceName = Self(0x2A00)
    static let appearance = Self(0x2A01)
    static let serviceChanged = Self(0x2A05)
    package static let modelNumber = Self(0x2A24)
    package static let serialNumber = Self(0x2A25)
    package static let firmwareRevision = Self(0x2A26)
    package static let manufacturerName = Self(0x2A29)

    // Ours (docs/WIRE.md): one base, drawn at random, with the characteristic's number in its third and fourth octet.
    private static func own(_ number: UInt64) -> Self {
        Self(high: 0x6D2B_0000_51C7_4E2A | number << 32, low: 0x9E7B_3F1C_0A9D_5B11)
    }

    /// The accessory service, where the maker has provisioned none of its own.
    package static let accessoryService = own(0)
    /// The names of the NAN services, one a line.
    package static let nanServices = own(1)
    /// A `BeaconState`, with notifications.
    package static let accessoryState = own(2)
    package static let linkSummary = own(3)
    /// 1 wakes a NAN radio that sleeps.
    package static let wake = own(4)
}
