internal import BluetoothFrames
internal import Octets
internal import Ports

/// The attributes a central sees, in the order of their handles (Core 5.4, Vol 3, Part G, 2.5 and 3).
///
/// They are laid out once: handles never change while the program runs, so nobody has to be told that services changed.
struct AttributeDatabase: Sendable {
    /// What a value is, where it is not written down here.
    enum Content: Equatable, Sendable {
        case fixed([UInt8])
        case state
        case summary
        case wake
        /// One per connection: which of notifications (1) and indications (2) it wants.
        case configuration
    }

    struct Attribute: Equatable, Sendable {
        var handle: UInt16
        var type: BluetoothUUID
        var content: Content
        var isReadable = true
        var isWritable = false
        /// Not for a link that no passkey protects.
        var wantsBond = false
    }

    /// Core 5.4, Vol 3, Part G, 3.3.1.1.
    enum Property {
        static let read: UInt8 = 1 << 1
        static let writeCommand: UInt8 = 1 << 2
        static let write: UInt8 = 1 << 3
        static let notify: UInt8 = 1 << 4
        static let indicate: UInt8 = 1 << 5
    }

    /// The most that a value may have (Vol 3, Part F, 3.2.9); what is longer is cut off.
    static let longestValue = 512

    private(set) var attributes: [Attribute] = []
    /// Services with their last handles.
    private(set) var services: [(range: HandleRange, uuid: BluetoothUUID)] = []
    private(set) var announced: [BluetoothService] = []
    private(set) var stateHandle: UInt16 = 0
    private(set) var stateConfigurationHandle: UInt16 = 0

    /// - Parameter wantsBond: how the accessory stands, and waking it, are for who has typed a passkey.
    init(_ description: BluetoothDescription, wantsBond: Bool = false) {
        let text = { (text: String) -> Content in .fixed(Array(text.utf8.prefix(Self.longestValue))) }
        addService(
            .genericAccess, isAnnounced: false,
            [
                (.deviceName, Property.read, text(description.name)),
                (.appearance, Property.read, .fixed([0, 0])),  // unknown: the maker's kind of thing has no number here
            ])
        addService(.genericAttribute, isAnnounced: false, [(.serviceChanged, Property.indicate, .fixed([]))])
        addService(
            .deviceInformation, isAnnounced: true,
            [
                (.manufacturerName, Property.read, text(description.manufacturer)),
                (.modelNumber, Property.read, text(description.model)),
                (.serialNumber, Property.read, text(description.serialNumber)),
                (.firmwareRevision, Property.read, text(description.firmware)),
            ])
        addService(
            description.service, isAnnounced: true,
            [
                (.nanServices, Property.read, text(description.nanServices.joined(separator: "\n"))),
                (.accessoryState, Property.read | Property.notify, .state),
                (.linkSummary, Property.read, .summary),
                (.wake, Property.write | Property.writeCommand, .wake),
            ])
        if wantsBond { protect() }
    }

    private mutating func protect() {
        for index in attributes.indices {
            let attribute = attributes[index]
            switch attribute.content {
            case .state, .summary, .wake: attributes[index].wantsBond = true
            case .configuration: attributes[index].wantsBond = attribute.handle == stateConfigurationHandle
            case .fixed: break
            }
        }
    }

    subscript(handle: UInt16) -> Attribute? {
        // Handles are consecutive from 1.
        attributes.indices.contains(Int(handle) - 1) ? attributes[Int(handle) - 1] : nil
    }

    func attributes(in range: HandleRange) -> some Sequence<Attribute> {
        attributes.lazy.filter { range.contains($0.handle) }
    }

    private mutating func add(
        _ type: BluetoothUUID, _ content: Content, isReadable: Bool = true, isWritable: Bool = false
    ) -> UInt16 {
        let handle = UInt16(attributes.count + 1)
        attributes.append(
            Attribute(handle: handle, type: type, content: content, isReadable: isReadable, isWritable: isWritable))
        return handle
    }

    private mutating func addService(
        _ uuid: BluetoothUUID, isAnnounced: Bool, _ characteristics: [(BluetoothUUID, UInt8, Content)]
    ) {
        let declaration = add(.primaryService, .fixed(uuid.octets))
        var service = BluetoothService(uuid: uuid, handle: declaration, characteristics: [])
        for (uuid, properties, content) in characteristics {
            let valueHandle = UInt16(attributes.count + 2)
            var writer = ByteWriter()
            writer.u8(properties)
            writer.u16(valueHandle)
            writer.octets(uuid.octets)
            _ = add(.characteristic, .fixed(writer.bytes))
            _ = add(
                uuid, content, isReadable: properties & Property.read != 0,
                isWritable: properties & (Property.write | Property.writeCommand) != 0)
            var characteristic = BluetoothCharacteristic(uuid: uuid, properties: properties, valueHandle: valueHandle)
            if properties & (Property.notify | Property.indicate) != 0 {
                characteristic.configurationHandle = add(.clientConfiguration, .configuration, isWritable: true)
            }
            if content == .state {
                stateHandle = valueHandle
                stateConfigurationHandle = characteristic.configurationHandle ?? 0
            }
            service.characteristics.append(characteristic)
        }
        services.append((HandleRange(declaration, UInt16(attributes.count)), uuid))
        if isAnnounced { announced.append(service) }
    }
}
