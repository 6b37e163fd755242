internal import NANFrames
package import PhoneCore
package import Ports

/// Which of the accessories in sight is meant.
///
/// Names are in clear and prove nothing; a paired accessory outside its pairing window sends none, and is known by
/// those it had when it was paired.
package struct AccessoryFilter: Equatable, Sendable {
    package var vendor: String?
    package var model: String?
    package var name: String?
    /// Known over Bluetooth alone: there it says what the accessory is called over NAN.
    package var serialNumber: String?

    package init(vendor: String? = nil, model: String? = nil, name: String? = nil) {
        self.vendor = vendor
        self.model = model
        self.name = name
    }

    package func matches(_ accessory: DiscoveredAccessory, pairedAs record: PairingRecord?) -> Bool {
        func agrees(_ wanted: String?, _ sent: String?, _ stored: String?) -> Bool {
            wanted == nil || (sent ?? stored) == wanted
        }
        return agrees(vendor, accessory.vendor, record?.vendor) && agrees(model, accessory.model, record?.model)
            && agrees(name, accessory.name, record?.name)
    }
}

extension DiscoveredAccessory {
    /// What a person calls it, from the air or, when it sends no names, from the pairing.
    package func title(pairedAs record: PairingRecord?) -> String {
        let parts = [name ?? record?.name, vendor ?? record?.vendor, model ?? record?.model].compactMap { $0 }
        let known = parts.filter { !$0.isEmpty }
        return known.isEmpty ? nmi.address.description : known.joined(separator: ", ")
    }
}
