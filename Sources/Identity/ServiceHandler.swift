/// Passes datagrams between the phone and a local program, untouched.
package struct ControlHandler: Hashable, Sendable {
    package let local: LocalEndpoint
    /// The marking of what the accessory sends for it.
    package let serviceClass: ServiceClass

    package init(local: LocalEndpoint, serviceClass: ServiceClass) {
        self.local = local
        self.serviceClass = serviceClass
    }
}

/// Sends video as RTP for as long as a viewer wants it.
package struct VideoHandler: Hashable, Sendable {
    /// Where the video comes from.
    package enum Source: Hashable, Sendable {
        /// An H.264 file in Annex B form, played in a loop.
        case file(String, framesPerSecond: Int)
        /// The camera that the board's profile names.
        case camera
    }

    package let source: Source
    package let serviceClass: ServiceClass

    package static let frameRates = 1...240
    package static let defaultFrameRate = 30
    /// Linux's PATH_MAX, less the ending NUL.
    package static let maximumPathLength = 4095

    package init(file: String, framesPerSecond: Int = defaultFrameRate, serviceClass: ServiceClass)
        throws(IdentityError)
    {
        guard (1...Self.maximumPathLength).contains(file.utf8.count), !file.hasControlCharacters else {
            throw IdentityError(
                field: "file", value: file, accepted: "a path of 1 to \(Self.maximumPathLength) octets")
        }
        guard Self.frameRates.contains(framesPerSecond) else {
            throw IdentityError(
                field: "frames-per-second", value: "\(framesPerSecond)", accepted: Self.frameRates.accepted)
        }
        source = .file(file, framesPerSecond: framesPerSecond)
        self.serviceClass = serviceClass
    }

    /// The board's camera.
    package init(cameraWith serviceClass: ServiceClass) {
        source = .camera
        self.serviceClass = serviceClass
    }

    /// The file's path; nil when it is no file.
    package var file: String? {
        if case .file(let path, _) = source { return path }
        return nil
    }
}

/// What answers at a service's port.
package enum ServiceHandler: Hashable, Sendable {
    case control(ControlHandler)
    case video(VideoHandler)
    /// Both on one port, told apart by the first octets (RFC 5761, RFC 7983).
    case controlAndVideo(ControlHandler, VideoHandler)
    /// Connects each flow to a local port, UDP or TCP as the service is.
    case forward(LocalEndpoint)

    package var control: ControlHandler? {
        switch self {
        case .control(let control), .controlAndVideo(let control, _): control
        case .video, .forward: nil
        }
    }

    package var video: VideoHandler? {
        switch self {
        case .video(let video), .controlAndVideo(_, let video): video
        case .control, .forward: nil
        }
    }
}

extension ClosedRange<Int> {
    /// The range as an error and the documentation print it.
    package var accepted: String { "\(lowerBound) to \(upperBound)" }
}
