internal import BluetoothFrames
internal import Dot11Frames
internal import NANFrames
internal import Octets

// libFuzzer's way into the codecs: `make fuzz`. The input is a frame with its 802.11 header, so that a published frame
// is a seed as it stands.

/// Called by libFuzzer for every input; the property is the one the tests check, and a violation traps.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let octets = Array(UnsafeBufferPointer(start: start, count: count))
    fuzzBluetooth(octets)
    var reader = ByteReader(octets)
    guard let header = try? ManagementHeader(from: &reader) else { return 0 }
    let body = reader.rest()
    if header.frameControl.kind == .authentication {
        fuzzAuthentication(body)
    } else {
        fuzzAction(body)
    }
    return 0
}

/// What a central or a neighbour may send, and what the kernel tells of them.
private func fuzzBluetooth(_ octets: [UInt8]) {
    if let pdu = try? AttributePDU(octets: octets), pdu != .other(pdu.opcode) {
        precondition(pdu.octets == octets, "a round trip changed the octets")
    }
    _ = AdvertisingData(octets: AdvertisingData(octets: octets).octets)
    if let packet = try? ManagementPacket(octets: octets) { _ = try? ManagementEvent(packet) }
}

/// Whatever decodes is encoded to what decodes to the same value.
private func fuzzAction(_ body: [UInt8]) {
    guard let (frame, errors) = try? NANFrame.decodeTolerantly(body) else { return }
    let encoded = frame.encoded
    guard let again = try? NANFrame.decode(encoded) else { preconditionFailure("what was encoded does not decode") }
    precondition(again == frame, "a round trip changed the value")
    precondition(!errors.isEmpty || encoded == body, "a round trip changed the octets")
    for case .sharedKeyDescriptor(let shared) in frame.attributes.attributes {
        for length in KeyDescriptor.micLengths { _ = try? shared.decoded(micLength: length) }
        _ = try? KeyDataElement.decodeAll(shared.descriptor.keyData)
    }
    for availability in frame.attributes.availability {
        for entry in availability.entries { _ = entry.slots }
    }
}

private func fuzzAuthentication(_ octets: [UInt8]) {
    var reader = ByteReader(octets)
    guard let body = try? AuthenticationBody(from: &reader) else { return }
    precondition(body.encoded == octets, "a round trip changed the octets")
    _ = try? body.rsne()
    _ = try? body.rsnxe()
    _ = try? body.pasnParameters()
    _ = try? body.supportedGroups()
    _ = try? NANElement(in: body)
    guard let wrapped = body.wrappedData else { return }
    var commit = ByteReader(wrapped)
    _ = try? SAECommit(from: &commit)
    var both = ByteReader(wrapped)
    _ = try? SAECommitAndConfirm(from: &both)
    var confirm = ByteReader(wrapped)
    _ = try? SAEConfirm(from: &confirm)
}
