internal import Glibc
internal import Octets

/// What a data interface needs of rtnetlink: up, its address without duplicate-address detection, its neighbours.
final class RouteClient {
    // rtnetlink.h, if_link.h, if_addr.h and neighbour.h.
    private enum Message {
        static let newLink: UInt16 = 16
        static let getLink: UInt16 = 18
        static let newAddress: UInt16 = 20
        static let newNeighbor: UInt16 = 28
        static let deleteNeighbor: UInt16 = 29
    }

    private enum Name {
        static let linkOperationalState: UInt16 = 16
        static let linkAddressFamilies: UInt16 = 26
        static let linkAddressGeneration: UInt16 = 8
        static let address: UInt16 = 1
        static let localAddress: UInt16 = 2
        static let addressFlags: UInt16 = 8
        static let neighborAddress: UInt16 = 1
        static let neighborHardwareAddress: UInt16 = 2
    }

    /// RTNLGRP_LINK: links that change.
    static let linkGroup: Int32 = 1
    private static let createOrReplace: UInt16 = 0x500
    private static let up: UInt32 = 1
    private static let noAddressGeneration: UInt8 = 1
    private static let noDuplicateDetection: UInt32 = 0x02
    /// RT_SCOPE_LINK.
    private static let linkScope: UInt8 = 253
    /// NUD_PERMANENT.
    private static let permanent: UInt16 = 0x80
    /// IF_OPER_UP: packets leave.
    private static let operational: UInt8 = 6

    private let socket: NetlinkSocket

    init() throws(NetlinkError) { socket = try NetlinkSocket(.route) }

    /// Takes a data interface up, without the addresses that the kernel would make by itself.
    func bringUp(_ index: UInt32) throws(NetlinkError) {
        var message = Self.link(index)
        message.nest(Name.linkAddressFamilies) { families in
            families.nest(UInt16(AF_INET6)) { $0.u8(Name.linkAddressGeneration, Self.noAddressGeneration) }
        }
        try socket.request(Message.newLink, "address generation", message)
        try socket.request(Message.newLink, "link up", Self.link(index, flags: Self.up, change: Self.up))
    }

    /// Whether packets leave on it: its carrier is on and its queues are in place.
    func isOperational(_ index: UInt32) throws(NetlinkError) -> Bool {
        try socket.request(Message.getLink, "link state", Self.link(index)).contains {
            Self.state($0).map { $0.index == index && $0.isOperational } ?? false
        }
    }

    /// fe80::/64 with `identifier`, usable at once.
    func add(linkLocal identifier: UInt64, to index: UInt32) throws(NetlinkError) {
        var message = NetlinkWriter()
        var header = ByteWriter(reserving: 8)
        header.octets([UInt8(AF_INET6), 64, 0, Self.linkScope])
        header.u32(index)
        message.fixed(header.bytes)
        message.octets(Name.localAddress, Self.octets(identifier))
        message.octets(Name.address, Self.octets(identifier))
        message.u32(Name.addressFlags, Self.noDuplicateDetection)
        try socket.request(Message.newAddress, flags: Self.createOrReplace, "address", message)
    }

    /// The peer's link-local address is at `address`, for good: nobody needs to ask the air.
    func addNeighbor(_ identifier: UInt64, at address: MACAddress, on index: UInt32) throws(NetlinkError) {
        var message = Self.neighbor(identifier, index)
        message.mac(Name.neighborHardwareAddress, address)
        try socket.request(Message.newNeighbor, flags: Self.createOrReplace, "neighbour", message)
    }

    func removeNeighbor(_ identifier: UInt64, on index: UInt32) throws(NetlinkError) {
        try socket.request(Message.deleteNeighbor, "neighbour's end", Self.neighbor(identifier, index))
    }

    /// Which link a received message is about, and whether packets leave on it; nil for any other message.
    static func state(_ message: NetlinkMessage) -> (index: UInt32, isOperational: Bool)? {
        guard message.type == Message.newLink, message.body.count >= 16 else { return nil }
        let index = (4..<8).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(message.body[$1]) }
        let state = NetlinkAttributes(message.body.dropFirst(16)).u8(Name.linkOperationalState)
        return (index, state == operational)
    }

    /// `struct ifinfomsg`.
    private static func link(_ index: UInt32, flags: UInt32 = 0, change: UInt32 = 0) -> NetlinkWriter {
        var header = ByteWriter(reserving: 16)
        header.octets([UInt8(AF_UNSPEC), 0, 0, 0])
        header.u32(index)
        header.u32(flags)
        header.u32(change)
        var message = NetlinkWriter()
        message.fixed(header.bytes)
        return message
    }

    /// `struct ndmsg` with its destination.
    private static func neighbor(_ identifier: UInt64, _ index: UInt32) -> NetlinkWriter {
        var header = ByteWriter(reserving: 12)
        header.octets([UInt8(AF_INET6), 0, 0, 0])
        header.u32(index)
        header.u16(permanent)
        header.octets([0, 0])
        var message = NetlinkWriter()
        message.fixed(header.bytes)
        message.octets(Name.neighborAddress, octets(identifier))
        return message
    }

    private static func octets(_ identifier: UInt64) -> [UInt8] {
        var writer = ByteWriter(reserving: 16)
        writer.u64BE(0xFE80_0000_0000_0000)
        writer.u64BE(identifier)
        return writer.bytes
    }
}
