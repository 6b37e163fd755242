internal import CLinux
internal import Glibc

extension FileDescriptor {
    /// Marks what this socket sends: the traffic class octet, then the kernel's own priority.
    ///
    /// In this order, because IP_TOS sets the priority anew. The priority above 6 takes CAP_NET_ADMIN.
    /// - Returns: false when the priority was not permitted; the traffic class stands all the same.
    @discardableResult
    package func mark(trafficClass: UInt8, priority: Int32, isV6: Bool) throws(SystemError) -> Bool {
        try InternetSocket.option(
            "IP_TOS", clinux_set_traffic_class(raw, isV6 ? 1 : 0, Int32(trafficClass)))
        do throws(SystemError) {
            try InternetSocket.option("SO_PRIORITY", clinux_set_priority(raw, priority))
            return true
        } catch {
            guard error.code == EPERM else { throw error }
            return false
        }
    }

    /// Has `DatagramReceiver` tell the traffic class of each datagram.
    package func reportTrafficClass(isV6: Bool) throws(SystemError) {
        try InternetSocket.option("IP_RECVTOS", clinux_report_traffic_class(raw, isV6 ? 1 : 0))
    }

    /// The kernel's priority for what this socket sends.
    package func priority() throws(SystemError) -> Int32 {
        let raw = raw
        var priority: Int32 = 0
        try systemCall("getsockopt(SO_PRIORITY)") { clinux_get_priority(raw, &priority) }
        return priority
    }
}
