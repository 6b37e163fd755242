internal import Dot11Frames
internal import NANFrames
internal import Octets

extension Part {
    /// Lists an element of a PASN frame.
    init(_ element: Element, in body: AuthenticationBody) throws(WireError) {
        var octets = element.body
        var values: [NamedValue] = []
        switch element.id {
        case .rsn:
            if let rsne = try body.rsne() {
                octets = rsne.encoded
                values = Self.list(rsne)
            }
        case .rsnx:
            if let rsnxe = try body.rsnxe() {
                octets = rsnxe.octets
                values = rsnxe.octets.map { NamedValue("wlan.rsnx", $0) }
                values.append(NamedValue("wlan.rsnx.sae_hash_to_element", rsnxe.saeHashToElement))
            }
        case .pasnParameters:
            if let parameters = try body.pasnParameters() {
                octets = parameters.encoded
                values = Self.list(parameters)
            }
        case .wrappedData: values = try Self.listSAE(octets, sequence: body.sequence)
        case .mic: values = [NamedValue("wlan.mesh.mic", octets)]
        default: break
        }
        if let ext = element.id.ext {
            self.init(id: [element.id.rawValue, ext], octets: [ext] + octets, values: values)
        } else {
            self.init(id: [element.id.rawValue], octets: octets, values: values)
        }
    }

    private static func list(_ rsne: RSNE) -> [NamedValue] {
        var values = [
            NamedValue("wlan.rsn.version", rsne.version),
            NamedValue("wlan.rsn.gcs", rsne.groupCipher.rawValue),
            NamedValue("wlan.rsn.pcs.count", rsne.pairwiseCiphers.count),
            NamedValue("wlan.rsn.akms.count", rsne.akmSuites.count),
        ]
        values += rsne.pairwiseCiphers.map { NamedValue("wlan.rsn.pcs", $0.rawValue) }
        values += rsne.akmSuites.map { NamedValue("wlan.rsn.akms", $0.rawValue) }
        if let capabilities = rsne.capabilities {
            values.append(NamedValue("wlan.rsn.capabilities", capabilities))
            values.append(NamedValue("wlan.rsn.capabilities.mfpr", capabilities >> 6 & 1))
            values.append(NamedValue("wlan.rsn.capabilities.mfpc", capabilities >> 7 & 1))
        }
        if let pmkids = rsne.pmkids {
            values.append(NamedValue("wlan.rsn.pmkid.count", pmkids.count))
            values += pmkids.map { NamedValue("wlan.pmkid.akms", $0) }
        }
        if let cipher = rsne.groupManagementCipher { values.append(NamedValue("wlan.rsn.gmcs", cipher.rawValue)) }
        return values
    }

    private static func list(_ parameters: PASNParameters) -> [NamedValue] {
        var values = [
            NamedValue("wlan.etag.pasn_params.comeback_info_present", parameters.comeback != nil),
            NamedValue("wlan.etag.pasn_params.group_and_key_present", parameters.publicKey != nil),
            NamedValue("wlan.etag.pasn_parameters.wrapped_data_format", parameters.wrappedDataFormat.rawValue),
        ]
        if let key = parameters.publicKey {
            values += [
                NamedValue("wlan.etag.pasn_parameters.finite_cyclic_group_id", key.group.rawValue),
                NamedValue("wlan.etag.pasn_parameters.ephemeral_public_key_len", key.point.count),
                NamedValue("wlan.etag.pasn_parameters.ephemeral_public_key", key.point),
            ]
        }
        return values
    }

    /// SAE as PASN wraps it: commit in frame 1, commit and confirm in frame 2, confirm in frame 3.
    private static func listSAE(_ octets: [UInt8], sequence: UInt16) throws(WireError) -> [NamedValue] {
        var reader = ByteReader(octets)
        switch sequence {
        case 1: return list(try SAECommit(from: &reader))
        case 2:
            let both = try SAECommitAndConfirm(from: &reader)
            return list(both.commit) + list(both.confirm)
        default: return list(try SAEConfirm(from: &reader))
        }
    }

    private static func list(_ commit: SAECommit) -> [NamedValue] {
        [
            NamedValue("wlan.fixed.auth_seq", 1),
            NamedValue("wlan.fixed.status_code", commit.status),
            NamedValue("wlan.fixed.finite_cyclic_group", commit.group.rawValue),
            NamedValue("wlan.fixed.scalar", commit.scalar),
            NamedValue("wlan.fixed.finite_field_element", commit.elementX + commit.elementY),
        ]
    }

    private static func list(_ confirm: SAEConfirm) -> [NamedValue] {
        [
            NamedValue("wlan.fixed.auth_seq", 2),
            NamedValue("wlan.fixed.status_code", confirm.status),
            NamedValue("wlan.fixed.send_confirm", confirm.sendConfirm),
            NamedValue("wlan.fixed.confirm", confirm.confirm),
        ]
    }
}
