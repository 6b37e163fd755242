package import Octets

/// SAE commit as an authentication frame body (802.11-2020, 12.4.7.4), in the hash-to-element form.
///
/// `03 00 | 01 00 | status | group | scalar | element.x | element.y`; nothing may follow, because NAN
/// uses neither an anti-clogging token nor rejected groups nor a password identifier.
package struct SAECommit: WireCodable {
    /// Says that the password element was made by hashing to the curve.
    package static let hashToElement: UInt16 = 126

    package let status: UInt16
    package let group: FiniteCyclicGroup
    package let scalar: [UInt8]
    package let elementX: [UInt8]
    package let elementY: [UInt8]

    package init(
        group: FiniteCyclicGroup, scalar: [UInt8], elementX: [UInt8], elementY: [UInt8],
        status: UInt16 = Self.hashToElement
    ) {
        let length = group.primeLength
        precondition(
            scalar.count == length && elementX.count == length && elementY.count == length,
            "an SAE commit's numbers have the length of the group's prime")
        self.status = status
        self.group = group
        self.scalar = scalar
        self.elementX = elementX
        self.elementY = elementY
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        try SAEHeader.expect(sequence: 1, &reader)
        status = try reader.u16("SAE commit status")
        let at = reader.offset
        group = FiniteCyclicGroup(rawValue: try reader.u16("SAE group"))
        guard let length = group.primeLength else {
            throw .invalid(field: "SAE group", offset: at, value: UInt64(group.rawValue))
        }
        scalar = try reader.octets(length, "SAE scalar")
        elementX = try reader.octets(length, "SAE element x")
        elementY = try reader.octets(length, "SAE element y")
        try reader.finish("SAE commit")
    }

    package func encode(into writer: inout ByteWriter) {
        SAEHeader.encode(sequence: 1, into: &writer)
        writer.u16(status)
        writer.u16(group.rawValue)
        writer.octets(scalar)
        writer.octets(elementX)
        writer.octets(elementY)
    }
}

/// SAE confirm as an authentication frame body (802.11-2020, 12.4.7.5): 32 octets of confirm for group 19, 48 for 20.
package struct SAEConfirm: WireCodable {
    package let status: UInt16
    package let sendConfirm: UInt16
    package let confirm: [UInt8]

    package init(sendConfirm: UInt16, confirm: [UInt8], status: UInt16 = 0) {
        precondition(confirm.count == 32 || confirm.count == 48, "an SAE confirm has the length of its hash")
        self.status = status
        self.sendConfirm = sendConfirm
        self.confirm = confirm
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        try SAEHeader.expect(sequence: 2, &reader)
        status = try reader.u16("SAE confirm status")
        sendConfirm = try reader.u16("SAE send-confirm")
        let at = reader.offset
        guard reader.remaining == 32 || reader.remaining == 48 else {
            throw .invalid(field: "SAE confirm length", offset: at, value: UInt64(reader.remaining))
        }
        confirm = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        SAEHeader.encode(sequence: 2, into: &writer)
        writer.u16(status)
        writer.u16(sendConfirm)
        writer.octets(confirm)
    }
}

/// Wrapped data of PASN frame 2: commit and confirm, each behind its length.
///
/// Frames 1 and 3 carry one of them alone and without a length.
package struct SAECommitAndConfirm: WireCodable {
    package let commit: SAECommit
    package let confirm: SAEConfirm

    package init(commit: SAECommit, confirm: SAEConfirm) {
        self.commit = commit
        self.confirm = confirm
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var first = try reader.slice(Int(try reader.u16("SAE commit length")), "SAE commit")
        commit = try SAECommit(from: &first)
        var second = try reader.slice(Int(try reader.u16("SAE confirm length")), "SAE confirm")
        confirm = try SAEConfirm(from: &second)
    }

    package func encode(into writer: inout ByteWriter) {
        writer.lengthPrefixed16 { commit.encode(into: &$0) }
        writer.lengthPrefixed16 { confirm.encode(into: &$0) }
    }
}

private enum SAEHeader {
    static func expect(sequence: UInt16, _ reader: inout ByteReader) throws(WireError) {
        let at = reader.offset
        let algorithm = AuthenticationAlgorithm(rawValue: try reader.u16("SAE algorithm"))
        guard algorithm == .sae else {
            throw .invalid(field: "SAE algorithm", offset: at, value: UInt64(algorithm.rawValue))
        }
        let actual = try reader.u16("SAE transaction sequence")
        guard actual == sequence else {
            throw .invalid(field: "SAE transaction sequence", offset: at + 2, value: UInt64(actual))
        }
    }

    static func encode(sequence: UInt16, into writer: inout ByteWriter) {
        writer.u16(AuthenticationAlgorithm.sae.rawValue)
        writer.u16(sequence)
    }
}
