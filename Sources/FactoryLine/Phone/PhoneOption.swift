internal import LinuxRuntime

/// The options of `aware-factory phone`, in the order of its manual.
package enum PhoneOption: String, CommandLineOption {
    case list
    case service
    case vendor
    case model
    case name
    case bluetooth
    case serviceUUID = "service-uuid"
    case company
    case serial
    case pin
    case pinFile = "pin-file"
    case pinCommand = "pin-command"
    case seconds
    case untilLoops = "until-loops"
    case wait
    case video
    case expect
    case sdp
    case forwardRTP = "forward-rtp"
    case controlRate = "control-rate"
    case message
    case dropPercent = "drop-percent"
    case forget
    case state
    case air
    case radio
    case wiphy
    case cipherSuite = "cipher-suite"
    case phoneName = "phone-name"
    case json
    case logLevel = "log-level"
    case help
    /// For tests that look for keys where none may be; left out of the manual.
    case revealKeysTo = "reveal-keys-to"

    package var letter: Unicode.Scalar {
        switch self {
        case .list: "l"
        case .service: "S"
        case .vendor: "V"
        case .model: "M"
        case .name: "N"
        case .bluetooth: "b"
        case .serviceUUID: "U"
        case .company: "I"
        case .serial: "q"
        case .pin: "p"
        case .pinFile: "P"
        case .pinCommand: "c"
        case .seconds: "t"
        case .untilLoops: "u"
        case .wait: "w"
        case .video: "v"
        case .expect: "e"
        case .sdp: "d"
        case .forwardRTP: "f"
        case .controlRate: "r"
        case .message: "m"
        case .dropPercent: "D"
        case .forget: "F"
        case .state: "s"
        case .air: "a"
        case .radio: "R"
        case .wiphy: "W"
        case .cipherSuite: "C"
        case .phoneName: "n"
        case .json: "j"
        case .logLevel: "L"
        case .help: "h"
        case .revealKeysTo: "K"
        }
    }

    package var argument: String? {
        switch self {
        case .list, .forget, .json, .help: nil
        case .service: "NAME"
        case .vendor, .model, .name, .phoneName, .message, .serial: "TEXT"
        case .bluetooth: "BLUETOOTH"
        case .serviceUUID: "UUID"
        case .company: "ID"
        case .pin: "PIN"
        case .pinFile, .video, .expect, .sdp, .revealKeysTo: "FILE"
        case .pinCommand: "COMMAND"
        case .seconds, .untilLoops, .wait, .cipherSuite: "N"
        case .forwardRTP: "PORT"
        case .controlRate: "HZ"
        case .dropPercent: "P"
        case .state, .air: "FOLDER"
        case .logLevel: "LEVEL"
        case .radio: "RADIO"
        case .wiphy: "NAME"
        }
    }

    package var summary: String {
        switch self {
        case .list: "Say who is there and connect to nobody."
        case .service: "The service to look for; \(PhonePlan.defaultService) if left out."
        case .vendor: "Only an accessory of this vendor name."
        case .model: "Only an accessory of this model name."
        case .name: "Only an accessory of this pairing name."
        case .bluetooth:
            "Look over Bluetooth LE too, and read what an accessory tells there: simulated, on the same air, or adapter."
        case .serviceUUID:
            "The Bluetooth service to look for; the accessory service's if left out, unless --company is given."
        case .company: "The Bluetooth company identifier to look for, four hexadecimal digits."
        case .serial: "Only the accessory of this serial number, which is read over Bluetooth LE."
        case .pin: "The PIN. Other users of this machine can read it in the list of processes."
        case .pinFile:
            "A file whose first line is the PIN, read when the PIN is due; - reads one line of standard input."
        case .pinCommand: "A shell command whose first line of output is the PIN, run each time a PIN is due."
        case .seconds: "Leave this long after the connection is up."
        case .untilLoops:
            "Leave once the video has come round this often, without a picture missing; with --expect, as that clip."
        case .wait: "Give up when no accessory has been found for this many seconds; 10 if left out, 0 is never."
        case .video: "Write the video there: H.264, Annex B."
        case .expect: "The clip that is being played; what arrives is compared with it."
        case .sdp: "Write a session description there, with which other players show the video."
        case .forwardRTP:
            "Pass the video on to this local port; with --sdp, \(PhonePlan.defaultForwardPort) if left out."
        case .controlRate:
            "Control datagrams a second, which the program behind the accessory has to echo: they measure the round trip. "
                + "\(PhonePlan.defaultControlRate) if left out, 0 sends none."
        case .message:
            "Send this to the accessory's program once the connection is up, in a protected follow-up frame; fail when "
                + "it is not acknowledged."
        case .dropPercent: "Have the kernel lose this part of what arrives, 0 to 100, with up to one decimal."
        case .forget: "Forget the accessories paired before, and pair anew."
        case .state: "Where paired accessories are remembered."
        case .air: "The folder that is the simulated air."
        case .radio:
            "simulated, which is the default, or nl80211, which needs a radio with NAN and the right to use it."
        case .wiphy: "Which real radio, phy1 for example; the first that is fit if left out."
        case .cipherSuite:
            "The data path's: 1 (CCMP-128) or 2 (GCMP-256), as phones ask for, or PASN's own, 7 or 8, which some "
                + "publishers insist on. PASN runs with 7 or 8 accordingly. 1 if left out."
        case .phoneName: "What the accessory is told that this phone is called."
        case .json: "Print events as JSON, one a line, instead of sentences."
        case .logLevel: "What is logged on standard error: error, warning, info or debug; warning if left out."
        case .help: "This text."
        case .revealKeysTo: "Write the keys of the pairing there."
        }
    }
}
