/// A radio channel by its frequencies in MHz, in the terms nl80211 uses.
package struct Channel: Hashable, Sendable, CustomStringConvertible {
    package enum Width: Int, Hashable, Sendable {
        case mhz20 = 20
        case mhz40 = 40
        case mhz80 = 80
        case mhz160 = 160
    }

    /// Frequency of the primary 20 MHz: what decides whether two schedules meet.
    package let controlFrequency: Int
    package let centerFrequency: Int
    package let width: Width

    package init(controlFrequency: Int, centerFrequency: Int, width: Width) {
        self.controlFrequency = controlFrequency
        self.centerFrequency = centerFrequency
        self.width = width
    }

    /// 20 MHz wide.
    package init(_ frequency: Int) {
        self.init(controlFrequency: frequency, centerFrequency: frequency, width: .mhz20)
    }

    /// 2437 MHz, where the 2.4 GHz discovery windows are.
    package static let social24GHz = Self(2437)
    /// 5745 MHz, where the 5 GHz discovery windows are in most countries.
    package static let social5GHz = Self(5745)
    /// 5220 MHz, where they are where 5745 is not allowed.
    package static let social5GHzLower = Self(5220)

    package var description: String { "\(controlFrequency)/\(width.rawValue)" }
}

/// A global operating class and its channels (802.11-2020, Table E-4; Wi-Fi Aware v4.0 channel bitmaps).
package struct OperatingClass: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Where the primary 20 MHz lies in the channels of a class.
    private enum Layout {
        /// The number is the whole channel's.
        case mhz20
        /// The number is the primary's, the secondary above it.
        case mhz40Above
        case mhz40Below
        /// The number is the centre's; a primary channel bitmap picks the primary.
        case mhz80
        case mhz160
    }

    private var layout: Layout? {
        switch rawValue {
        case 81, 82, 115, 118, 121, 124, 125: .mhz20
        case 83, 116, 119, 122, 126: .mhz40Above
        case 84, 117, 120, 123, 127: .mhz40Below
        case 128, 130: .mhz80
        case 129: .mhz160
        default: nil
        }
    }

    /// Channel numbers in the order of the bitmap's bits; centres for 80 and 160 MHz.
    private var numbers: [Int] {
        switch rawValue {
        case 81: Array(1...13)
        case 82: [14]
        case 83: Array(1...9)
        case 84: Array(5...13)
        case 115: [36, 40, 44, 48]
        case 116: [36, 44]
        case 117: [40, 48]
        case 118: [52, 56, 60, 64]
        case 119: [52, 60]
        case 120: [56, 64]
        case 121: Array(stride(from: 100, through: 144, by: 4))
        case 122: Array(stride(from: 100, through: 140, by: 8))
        case 123: Array(stride(from: 104, through: 144, by: 8))
        case 124: [149, 153, 157, 161]
        case 125: Array(stride(from: 149, through: 177, by: 4))
        case 126: [149, 157, 165, 173]
        case 127: [153, 161, 169, 177]
        case 128, 130: [42, 58, 106, 122, 138, 155]
        case 129: [50, 114, 163]
        default: []
        }
    }

    private func frequency(_ number: Int) -> Int {
        switch rawValue {
        case 82: 2484
        case 81, 83, 84: 2407 + 5 * number
        default: 5000 + 5 * number
        }
    }

    /// Classes we write, in the order in which hostap looks for one: 125 covers what 124 has.
    fileprivate static let preferred: [Self] = [
        81, 82, 115, 118, 121, 125, 116, 117, 119, 120, 122, 123, 126, 127, 128, 129, 83, 84,
    ].map { Self(rawValue: $0) }

    fileprivate typealias Member = (channel: Channel, bitmap: UInt16, primary: UInt8)

    /// The channels with their bits in the channel bitmap and the primary channel bitmap.
    ///
    /// A class we do not know, those of 6 GHz for one, has none.
    fileprivate var channels: [Member] {
        guard let layout else { return [] }
        return numbers.enumerated().flatMap { index, number -> [Member] in
            let frequency = frequency(number)
            let bitmap = UInt16(1) << UInt16(index)
            func spread(_ width: Channel.Width, _ lowest: Int, _ count: Int) -> [Member] {
                (0..<count).map { index in
                    let channel = Channel(
                        controlFrequency: frequency - lowest + 20 * index, centerFrequency: frequency, width: width)
                    return (channel, bitmap, UInt8(1) << UInt8(index))
                }
            }
            switch layout {
            case .mhz20: return [(Channel(frequency), bitmap, 0)]
            case .mhz40Above:
                let channel = Channel(
                    controlFrequency: frequency, centerFrequency: frequency + 10, width: .mhz40)
                return [(channel, bitmap, 0)]
            case .mhz40Below:
                let channel = Channel(
                    controlFrequency: frequency, centerFrequency: frequency - 10, width: .mhz40)
                return [(channel, bitmap, 0)]
            case .mhz80: return spread(.mhz80, 30, 4)
            case .mhz160: return spread(.mhz160, 70, 8)
            }
        }
    }
}

/// Channel entry: an operating class and bitmaps of its channels (Wi-Fi Aware v4.0).
package struct ChannelEntry: Hashable, Sendable {
    package let operatingClass: OperatingClass
    package let channelBitmap: UInt16
    /// Which 20 MHz of an 80 or 160 MHz channel is primary; 0 where the entry says nothing about it.
    package let primaryBitmap: UInt8
    /// The second segment's channel; present in non-contiguous lists only.
    package let auxiliaryBitmap: UInt16?

    package init(
        operatingClass: OperatingClass, channelBitmap: UInt16, primaryBitmap: UInt8 = 0, auxiliaryBitmap: UInt16? = nil
    ) {
        self.operatingClass = operatingClass
        self.channelBitmap = channelBitmap
        self.primaryBitmap = primaryBitmap
        self.auxiliaryBitmap = auxiliaryBitmap
    }

    /// Nil when no operating class has the channel.
    package init?(_ channel: Channel) {
        for operatingClass in OperatingClass.preferred {
            if let found = operatingClass.channels.first(where: { $0.channel == channel }) {
                self.init(
                    operatingClass: operatingClass, channelBitmap: found.bitmap, primaryBitmap: found.primary)
                return
            }
        }
        return nil
    }

    /// Every channel the bitmaps name; all primaries of a wide channel when the primary bitmap is empty.
    package var channels: [Channel] {
        operatingClass.channels.filter {
            channelBitmap & $0.bitmap != 0 && ($0.primary == 0 || primaryBitmap == 0 || primaryBitmap & $0.primary != 0)
        }.map(\.channel)
    }

    /// The one channel of a committed entry; nil when it names none, several or none we know.
    package var channel: Channel? {
        let channels = channels
        return channels.count == 1 ? channels[0] : nil
    }

    /// The six octets nl80211 takes: the four or six of the wire, padded with zeros.
    package var kernelOctets: [UInt8] {
        let auxiliary = auxiliaryBitmap ?? 0
        return [
            operatingClass.rawValue, UInt8(truncatingIfNeeded: channelBitmap), UInt8(channelBitmap >> 8), primaryBitmap,
            UInt8(truncatingIfNeeded: auxiliary), UInt8(auxiliary >> 8),
        ]
    }
}
