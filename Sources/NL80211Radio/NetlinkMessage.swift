/// A message of either kind as it arrived: what its netlink header says, and the octets after it.
struct NetlinkMessage {
    let type: UInt16
    let body: [UInt8]
}
