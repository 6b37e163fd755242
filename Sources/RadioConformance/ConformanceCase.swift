/// One rule of the kernel that every radio must keep.
package enum ConformanceCase: String, CaseIterable, Sendable {
    case startAnswersWithCapabilities = "started tells capabilities, then a cluster is joined"
    case startRefusesBadConfigurations = "start refuses a universal address, preference 0 and a foreign cluster id"
    case startTwiceFails = "a second start fails and disturbs nothing"
    case everythingNeedsStart = "before start and after stop every effect is refused"
    case stopForgets = "stop takes stations, schedules and data interfaces with it"
    case switchingOffStops = "a radio switched off stops NAN and refuses to start until it is on again"
    case lateComerJoins = "a radio joins the cluster it hears"
    case clustersMerge = "two clusters that hear each other become one"
    case windowsAreAnnounced = "each discovery window is announced once, after the one before"
    case bothBandsAlternate = "with 5 GHz the windows of both bands are announced in turn"
    case multicastWaitsForWindow = "a multicast frame leaves in a discovery window"
    case unknownPeerWaitsForWindow = "a frame to no station leaves in a discovery window and is acknowledged"
    case scheduledPeerIsReachedAtOnce = "a station with common slots is reached between windows"
    case windowsOnlyPeerWaits = "a station without slots is reached in its windows only"
    case scheduleWithoutOverlapWaits = "schedules that share no control channel are no common slots"
    case otherWidthIsCommon = "channels are common by control frequency, whatever their widths"
    case absentPeerIsNotAcknowledged = "a frame that nobody acknowledges is reported so"
    case foreignDestinationIsDelivered = "a public action frame for somebody else is delivered all the same"
    case foreignClusterIsDropped = "a frame of another cluster is not delivered"
    case foreignSourceIsRefused = "a frame from an address that is not ours is refused"
    case protectedBitIsRefused = "a frame whose Protected bit the program set is refused"
    case authenticationNeedsStation = "an authentication frame to no station is lost where no slot has a channel"
    case authenticationReachesStation = "an authentication frame to a station arrives"
    case protectedFrameArrives = "category 9 arrives with the Protected bit under equal keys"
    case unequalKeysDrop = "category 9 under another key is dropped"
    case missingKeyDrops = "category 9 without a key leaves in clear and is dropped"
    case protectionComesBeforeKey = "a key installed before MFP opens no management frame"
    case clearFrameOfPairedPeerArrives = "category 4 from a paired peer is still delivered"
    case stationsAreChecked = "effects on a station that is not there, or twice there, are refused"
    case keysAreChecked = "a key of the wrong length is refused"
    case groupKeysAreTaken = "a peer's group keys are taken once its stations are there"
    case localSchedulesAreChecked = "local schedules keep the kernel's rules"
    case peerSchedulesAreChecked = "peer schedules keep the kernel's rules"
    case removedChannelLeavesPeers = "a channel removed from the local schedule leaves the peers' schedules"
    case dataInterfacesAreChecked = "data interfaces are two at most, with addresses of their own"
    case dataStationNeedsCapabilities = "a data station needs an NMI station with HT capabilities"
    case dataLinkOpens = "a data link opens under equal keys in common slots, with mirrored addresses"
    case openDataLinkOpens = "an open data link needs no keys"
    case dataLinkNeedsAuthorization = "a data link needs an authorised station"
    case dataLinkNeedsEqualKeys = "a data link does not open under unequal keys"
    case dataLinkNeedsCommonSlots = "a data link does not open without common slots"
    case dataFramesTravelBetweenInterfaces = "a protected NAF between data interfaces arrives on the data interface"
    case dataFramesNeedCommonSlots = "a NAF between data interfaces never leaves in a discovery window"
    case clearDataFrameIsNotDelivered = "a clear NAF is not delivered on a data interface"
    case removalCascades = "removing a peer removes its data stations"
    case inactivityIsTold = "inactivity is told of data stations only"

    /// Runs the case on fresh radios.
    ///
    /// - Returns: false when the bench cannot run it.
    package func run(on bench: some RadioBench) throws(ConformanceFailure) -> Bool {
        var run = ConformanceRun(bench: bench)
        switch self {
        case .startAnswersWithCapabilities: try run.startAnswersWithCapabilities()
        case .startRefusesBadConfigurations: try run.startRefusesBadConfigurations()
        case .startTwiceFails: try run.startTwiceFails()
        case .everythingNeedsStart: try run.everythingNeedsStart()
        case .stopForgets: try run.stopForgets()
        case .switchingOffStops:
            guard bench.abilities.contains(.switching) else { return false }
            try run.switchingOffStops()
        case .lateComerJoins: try run.lateComerJoins()
        case .clustersMerge: try run.clustersMerge()
        case .windowsAreAnnounced: try run.windowsAreAnnounced()
        case .bothBandsAlternate: try run.bothBandsAlternate()
        case .multicastWaitsForWindow: try run.multicastWaitsForWindow()
        case .unknownPeerWaitsForWindow: try run.unknownPeerWaitsForWindow()
        case .scheduledPeerIsReachedAtOnce: try run.scheduledPeerIsReachedAtOnce()
        case .windowsOnlyPeerWaits: try run.windowsOnlyPeerWaits()
        case .scheduleWithoutOverlapWaits: try run.scheduleWithoutOverlapWaits()
        case .otherWidthIsCommon: try run.otherWidthIsCommon()
        case .absentPeerIsNotAcknowledged: try run.absentPeerIsNotAcknowledged()
        case .foreignDestinationIsDelivered: try run.foreignDestinationIsDelivered()
        case .foreignClusterIsDropped: try run.foreignClusterIsDropped()
        case .foreignSourceIsRefused: try run.foreignSourceIsRefused()
        case .protectedBitIsRefused: try run.protectedBitIsRefused()
        case .authenticationNeedsStation: try run.authenticationNeedsStation()
        case .authenticationReachesStation: try run.authenticationReachesStation()
        case .protectedFrameArrives: try run.protectedFrameArrives()
        case .unequalKeysDrop: try run.unequalKeysDrop()
        case .missingKeyDrops: try run.missingKeyDrops()
        case .protectionComesBeforeKey:
            guard !bench.abilities.contains(.decryptsInSoftware) else { return false }
            try run.protectionComesBeforeKey()
        case .clearFrameOfPairedPeerArrives: try run.clearFrameOfPairedPeerArrives()
        case .stationsAreChecked: try run.stationsAreChecked()
        case .keysAreChecked: try run.keysAreChecked()
        case .groupKeysAreTaken: try run.groupKeysAreTaken()
        case .localSchedulesAreChecked: try run.localSchedulesAreChecked()
        case .peerSchedulesAreChecked: try run.peerSchedulesAreChecked()
        case .removedChannelLeavesPeers: try run.removedChannelLeavesPeers()
        case .dataInterfacesAreChecked: try run.dataInterfacesAreChecked()
        case .dataStationNeedsCapabilities: try run.dataStationNeedsCapabilities()
        case .dataLinkOpens: try run.dataLinkOpens(isProtected: true)
        case .openDataLinkOpens: try run.dataLinkOpens(isProtected: false)
        case .dataLinkNeedsAuthorization: try run.dataLinkNeedsAuthorization()
        case .dataLinkNeedsEqualKeys:
            guard !bench.abilities.contains(.opensUnproven) else { return false }
            try run.dataLinkNeedsEqualKeys()
        case .dataLinkNeedsCommonSlots: try run.dataLinkNeedsCommonSlots()
        case .dataFramesTravelBetweenInterfaces: try run.dataFramesTravelBetweenInterfaces()
        case .dataFramesNeedCommonSlots: try run.dataFramesNeedCommonSlots()
        case .clearDataFrameIsNotDelivered: try run.clearDataFrameIsNotDelivered()
        case .removalCascades: try run.removalCascades()
        case .inactivityIsTold: try run.inactivityIsTold()
        }
        return true
    }
}
