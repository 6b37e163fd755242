/// `io.awareaccessory.Control`: what `awared` lets people and programs see and do.
package enum ControlInterface {
    package static let name = "io.awareaccessory.Control"
    /// The socket's name in the runtime folder.
    package static let socketName = "control"

    package enum Method: String, CaseIterable, Sendable {
        case status = "Status"
        case watch = "Watch"
        case openPairingWindow = "OpenPairingWindow"
        case closePairingWindow = "ClosePairingWindow"
        case peers = "Peers"
        case forget = "Forget"
        case send = "Send"
        case capture = "Capture"
        case report = "Report"
        case stop = "Stop"

        /// As it is called.
        package var qualifiedName: String { "\(ControlInterface.name).\(rawValue)" }
    }

    package static func description() throws(InterfaceError) -> InterfaceDescription { try InterfaceDescription(text) }

    package static let text = """
        # Control of one accessory: what it is doing, its pairing window, the devices paired with it.
        # Times are in the unit that ends their name; instants are seconds since 1970, UTC.
        # Names of choices have underscores where the identity file has hyphens: Varlink's grammar knows no hyphens.
        interface io.awareaccessory.Control

        # As the phone's framework names the states of a listener.
        type ListenerState (setup, waiting, ready, failed, cancelled)

        # Who the accessory is, as provisioned.
        type Identity (
          vendor_name: string,
          model_name: string,
          pairing_name: string,
          serial_number: string
        )

        # One published service. port: on the data interface. reason: why it is in this state.
        type Service (
          name: string,
          instance_name: ?string,
          port: int,
          handler: string,
          performance_mode: (bulk, realtime),
          service_class: (background, best_effort, interactive_video, interactive_voice),
          state: ListenerState,
          reason: ?string,
          is_published: bool,
          connections: int
        )

        # The pairing window. policy: what opens it. attempt: how far the one attempt at a time has come.
        # failed_attempts: guesses of a PIN that no pairing followed; while verifying, the one being checked is among
        # them, and is taken back if it is right.
        # failed_attempts: in a row. next_attempt_in_ms: while wrong PINs are being slowed down.
        type Pairing (
          policy: (always, button, after_boot, command),
          is_open: bool,
          closes_in_ms: ?int,
          attempt: (none, requested, pin_shown, verifying),
          failed_attempts: int,
          next_attempt_in_ms: ?int,
          is_locked_out: bool
        )

        # One paired device. id: stable for as long as it stays paired.
        type Peer (
          id: string,
          pairing_name: ?string,
          vendor_name: ?string,
          model_name: ?string,
          paired_at: ?int,
          last_seen_at: ?int,
          is_connected: bool
        )

        # One data path. peer: a Peer's id. address: the device's. interface: ours.
        type Connection (
          id: int,
          peer: string,
          service: string,
          interface: string,
          address: string,
          age_ms: int,
          is_viewing: bool
        )

        # How the board's camera stands, a program that runs while somebody views. idle: nobody does. starting: no
        # picture yet. ending: told to. waiting: lost, and started again in a while.
        type CameraState (idle, starting, running, ending, waiting)

        # losses: how often it was lost since the start. trouble: why, until it has shown a picture again.
        type Camera (
          program: string,
          state: CameraState,
          losses: int,
          trouble: ?string
        )

        # The Bluetooth LE side. address: the controller's, unless it is hidden. served_by: who answers centrals.
        # trouble: why it does not work, or not in full; NAN goes on without it.
        type Bluetooth (
          is_advertising: bool,
          address: ?string,
          links: int,
          served_by: ?(kernel, bluetoothd),
          trouble: ?string
        )

        # How a data path performs, over the last second or since it began.
        type Performance (
          connection: int,
          peer: string,
          service: string,
          signal_dbm: ?int,
          sent_octets: int,
          received_octets: int,
          sent_bits_per_second: int,
          received_bits_per_second: int,
          round_trip_p50_us: ?int,
          round_trip_p99_us: ?int,
          jitter_us: ?int,
          loss_ppm: ?int
        )

        # Everything at one moment. camera: null where no service shows one. bluetooth: null on a board without.
        # nan_is_asleep: until a phone asks over Bluetooth. rejected: what was dropped since the start, by reason.
        type Snapshot (
          version: string,
          radio: string,
          uptime_ms: int,
          identity: Identity,
          services: []Service,
          pairing: Pairing,
          peers: []Peer,
          connections: []Connection,
          camera: ?Camera,
          bluetooth: ?Bluetooth,
          nan_is_asleep: bool,
          rejected: [string]int
        )

        # The accessory as it is now.
        method Status() -> (snapshot: Snapshot)

        # The accessory as it is now, and a whole new snapshot after every change. Call with more.
        method Watch() -> (snapshot: Snapshot)

        # Opens the pairing window, or opens it anew, and ends a lock-out. seconds: 10 to 3600, as
        # provisioned if left out.
        method OpenPairingWindow(seconds: ?int) -> (closes_in_ms: ?int)

        # Closes the pairing window; an attempt that is under way fails.
        method ClosePairingWindow() -> ()

        # The paired devices.
        method Peers() -> (peers: []Peer)

        # Forgets one device by id, or all of them; give one of the two. Its data paths end at once.
        method Forget(id: ?string, all: ?bool) -> (forgotten: []string)

        # Sends a message of 1 to 255 octets to a connected device, by its id, in a protected follow-up frame. The log
        # says whether its radio acknowledged it.
        method Send(id: string, text: string) -> ()

        # Captures frames as pcapng, for seconds or until the caller goes. With path the service writes the
        # file; without it the file comes in chunks, in base64, and the call needs more.
        method Capture(path: ?string, seconds: ?int) -> (chunk: ?string, octets: int)

        # The performance of one data path or of all; with more, once a second.
        method Report(connection: ?int) -> (report: []Performance)

        # Ends the service in good order.
        method Stop() -> ()

        # No device of this id is paired.
        error NoSuchPeer (id: string)

        # No data path has this id.
        error NoSuchConnection (connection: int)

        # The capture's file cannot be written.
        error CaptureFailed (reason: string)

        # What was asked for is impossible in the present state.
        error NotPossible (reason: string)

        # Too many callers are connected; said without a call, before the connection is closed.
        error Busy ()

        """
}

extension VarlinkFault {
    package static func noSuchPeer(_ id: String) -> Self {
        Self(name: "\(ControlInterface.name).NoSuchPeer", parameters: ["id": .string(id)])
    }
    package static func noSuchConnection(_ id: Int) -> Self {
        Self(name: "\(ControlInterface.name).NoSuchConnection", parameters: ["connection": .integer(Int64(id))])
    }
    package static let busy = Self(name: "\(ControlInterface.name).Busy")
    package static func captureFailed(_ reason: String) -> Self {
        Self(name: "\(ControlInterface.name).CaptureFailed", parameters: ["reason": .string(reason)])
    }
    package static func notPossible(_ reason: String) -> Self {
        Self(name: "\(ControlInterface.name).NotPossible", parameters: ["reason": .string(reason)])
    }
}
