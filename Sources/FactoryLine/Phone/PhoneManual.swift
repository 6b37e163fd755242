package import LinuxRuntime
import Octets

extension Manual {
    /// The manual of `aware-factory phone`.
    package static let phone = Manual(
        name: "aware-factory phone",
        summary: "play the phone: discover, pair, connect, control and view an accessory",
        synopsis: [
            "aware-factory phone [options]",
            "aware-factory phone --list [options]",
        ],
        description: [
            "Looks for an accessory as a phone does, over Wi-Fi Aware. One that is new is paired by the PIN on its "
                + "display; one that was paired before is verified, without a PIN. Then it sends control datagrams, plays "
                + "the video and shows frame rate, bit rate, loss and round trip, until it is interrupted or has done "
                + "what it was asked.",
            "When the connection is lost it is made again, without a PIN. A wrong PIN costs an attempt: the accessory "
                + "shows a new one, which is asked for again where there is somebody to ask.",
            "Without --pin, --pin-file and --pin-command the PIN is typed, if standard input is a terminal.",
            "With --bluetooth it listens for advertisements as well, connects to each accessory that it hears, and reads "
                + "its Device Information, its NAN services and its state; one whose NAN radio sleeps is woken.",
            "The options --vendor, --model and --name compare whole names. An accessory sends its names only while its "
                + "pairing window is open; one paired before is known by the names it had then.",
        ],
        options: CommandLineOptions<PhoneOption>.manualEntries.filter {
            !$0.term.holds(PhoneOption.revealKeysTo.rawValue)
        },
        files: [
            Entry(
                "$STATE_DIRECTORY/phone",
                "Paired accessories, unless --state says otherwise; $XDG_STATE_HOME/\(ServiceDirectories.name)/phone "
                    + "where the variable is not set."),
            Entry(
                "$RUNTIME_DIRECTORY/air",
                "The simulated air, unless --air says otherwise; the same as awared's for the same user."),
        ],
        exitStatus: [
            Entry("0", "Everything that was asked for has happened."),
            Entry("1", "Something has not; the last line says what."),
            Entry("2", "The command line is wrong."),
            Entry("75", "Nobody is there: no accessory was found in time, or there is no radio."),
        ],
        examples: [
            Entry("aware-factory phone --list", "Who is there?"),
            Entry(
                "aware-factory phone --video drone.h264 --seconds 30", "Pair, typing the PIN, and keep half a minute:"),
            Entry(
                "aware-factory phone --sdp a.sdp & ffplay -protocol_whitelist file,udp,rtp a.sdp",
                "Watch in another player:"),
            Entry(
                "aware-factory phone --json --pin-file - --until-loops 1 --expect clip.h264",
                "A test that reads the PIN from a pipe and compares every picture:"),
        ])
}
