internal import Identity

extension IdentityFile {
    static func bluetooth(_ root: StrictObject) throws(ProvisioningError) -> BluetoothDeclaration {
        guard let object = try root.nested("bluetooth", accepting: Keys.bluetooth) else { return .standard }
        let service = try object.string("service-uuid")
        let company = try object.string("company-identifier")
        let productData = try object.string("product-data")
        let name = try object.string("name")
        let firmware = try object.string("firmware-revision")
        let interval = try object.choice("interval-milliseconds", BluetoothDeclaration.Interval.self)
        let privacy = try object.choice("privacy", BluetoothDeclaration.Privacy.self)
        let bonding = try object.choice("bonding", BluetoothDeclaration.Bonding.self)
        return try object.make { () throws(IdentityError) in
            try BluetoothDeclaration(
                service: service, company: company, productData: productData, name: name,
                firmwareRevision: firmware, interval: interval ?? BluetoothDeclaration.standardInterval,
                privacy: privacy ?? .static, bonding: bonding ?? .none)
        }
    }

    static func sleep(_ root: StrictObject) throws(ProvisioningError) -> SleepPolicy {
        guard let object = try root.nested("nan", accepting: Keys.nan) else { return .standard }
        let sleep = try object.choice("sleep", SleepPolicy.Sleep.self)
        let after = try object.integer("sleep-after-seconds", accepted: SleepPolicy.afterSeconds.accepted)
        return try object.make { () throws(IdentityError) in
            try SleepPolicy(sleep: sleep ?? .never, afterSeconds: after ?? SleepPolicy.defaultAfterSeconds)
        }
    }
}
