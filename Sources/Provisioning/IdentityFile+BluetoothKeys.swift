internal import Identity

extension IdentityFile {
    static let bluetoothKeys: [ConfigurationKey] = {
        typealias Key = ConfigurationKey
        typealias Declaration = BluetoothDeclaration
        return [
            Key(
                "bluetooth", accepted: "an object", default: "as below",
                "what is advertised over Bluetooth LE; all parts together take at most 31 octets"),
            Key(
                "bluetooth.service-uuid", accepted: Declaration.acceptedService,
                default: "with a company none, else the accessory service's",
                "the service that phones look for, and that has the accessory's characteristics (docs/WIRE.md)"),
            Key(
                "bluetooth.company-identifier", accepted: Declaration.acceptedCompany, default: "none",
                "whose the manufacturer data is"),
            Key(
                "bluetooth.product-data", accepted: Declaration.acceptedProductData, default: "none",
                "the product's octets in it; the state's follows them"),
            Key(
                "bluetooth.name", accepted: Declaration.acceptedName, default: "the pairing-name",
                "in the scan response, only while the pairing window is open"),
            Key(
                "bluetooth.firmware-revision", accepted: Declaration.acceptedFirmware, default: "the version of awared",
                "in the Device Information service, with vendor, model and serial number"),
            Key(
                "bluetooth.interval-milliseconds", accepted: acceptedNames(Declaration.Interval.self),
                default: Declaration.standardInterval.rawValue,
                "how often it is advertised, after 30 s every 20 ms from the start and from each opening of the window"),
            Key(
                "bluetooth.privacy", accepted: acceptedNames(Declaration.Privacy.self),
                default: Declaration.Privacy.static.rawValue,
                "whether the address changes; one that stays is the controller's public one, or one made for this "
                    + "accessory where there is none"),
            Key(
                "bluetooth.bonding", accepted: acceptedNames(Declaration.Bonding.self),
                default: Declaration.Bonding.none.rawValue,
                "what a central has to do before it reads how the accessory stands, hears of changes or wakes it: with "
                    + "`passkey`, bond within 30 s with a passkey from the display, which takes an open pairing window; "
                    + "the state that is advertised stays public"),
            Key("nan", accepted: "an object", default: "as below", "of the NAN radio"),
            Key(
                "nan.sleep", accepted: acceptedNames(SleepPolicy.Sleep.self),
                default: SleepPolicy.Sleep.never.rawValue,
                "`until-ble` keeps it off until a phone asks over Bluetooth LE or the pairing window opens"),
            Key(
                "nan.sleep-after-seconds", accepted: SleepPolicy.afterSeconds.accepted,
                default: "\(SleepPolicy.defaultAfterSeconds)", "how long it stays on once nobody uses it"),
        ]
    }()
}
