package import Octets

/// What an accessory holds at this moment: the value of its link summary characteristic.
package struct LinkSummary: WireCodable {
    package var state: BeaconState
    /// NAN data paths in use.
    package var dataPaths: UInt8
    /// How many it takes.
    package var dataPathLimit: UInt8
    /// Paired devices.
    package var pairings: UInt8
    /// Bluetooth links, the reader's among them.
    package var links: UInt8

    package init(
        state: BeaconState = [], dataPaths: UInt8 = 0, dataPathLimit: UInt8 = 0, pairings: UInt8 = 0, links: UInt8 = 0
    ) {
        self.state = state
        self.dataPaths = dataPaths
        self.dataPathLimit = dataPathLimit
        self.pairings = pairings
        self.links = links
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        state = BeaconState(rawValue: try reader.u8("state"))
        dataPaths = try reader.u8("data paths")
        dataPathLimit = try reader.u8("most data paths")
        pairings = try reader.u8("paired devices")
        links = try reader.u8("links")
    }

    package func encode(into writer: inout ByteWriter) {
        for octet in [state.rawValue, dataPaths, dataPathLimit, pairings, links] { writer.u8(octet) }
    }
}
