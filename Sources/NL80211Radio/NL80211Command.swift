/// The nl80211 commands and events that are used here, numbered as in the kernel's nl80211.h (7.3).
///
/// The project's own, because headers of the build machine may be older than NAN's user-space discovery.
enum NL80211Command: UInt8 {
    case getWiphy = 1
    case deleteWiphy = 4
    case getInterface = 5
    case newInterface = 7
    case deleteInterface = 8
    case newKey = 11
    case deleteKey = 12
    case getStation = 17
    case setStation = 18
    case newStation = 19
    case deleteStation = 20
    case requestRegulatory = 27
    case getRegulatory = 31
    case registerFrame = 58
    case frame = 59
    case frameTransmitStatus = 60
    case startNAN = 115
    case stopNAN = 116
    case nanNextDWNotification = 158
    case nanClusterJoined = 159
    case nanSetLocalSchedule = 161
    case nanSetPeerSchedule = 163

    /// The name after NL80211_CMD_, for errors.
    var name: String {
        switch self {
        case .getWiphy: "GET_WIPHY"
        case .deleteWiphy: "DEL_WIPHY"
        case .getInterface: "GET_INTERFACE"
        case .newInterface: "NEW_INTERFACE"
        case .deleteInterface: "DEL_INTERFACE"
        case .newKey: "NEW_KEY"
        case .deleteKey: "DEL_KEY"
        case .getStation: "GET_STATION"
        case .setStation: "SET_STATION"
        case .newStation: "NEW_STATION"
        case .deleteStation: "DEL_STATION"
        case .requestRegulatory: "REQ_SET_REG"
        case .getRegulatory: "GET_REG"
        case .registerFrame: "REGISTER_FRAME"
        case .frame: "FRAME"
        case .frameTransmitStatus: "FRAME_TX_STATUS"
        case .startNAN: "START_NAN"
        case .stopNAN: "STOP_NAN"
        case .nanNextDWNotification: "NAN_NEXT_DW_NOTIFICATION"
        case .nanClusterJoined: "NAN_CLUSTER_JOINED"
        case .nanSetLocalSchedule: "NAN_SET_LOCAL_SCHED"
        case .nanSetPeerSchedule: "NAN_SET_PEER_SCHED"
        }
    }
}
