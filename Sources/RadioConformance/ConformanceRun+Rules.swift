internal import Cryptography
internal import NANFrames
internal import Octets
internal import Ports

extension ConformanceRun {
    mutating func stationsAreChecked() throws(Failure) {
        try start(0)
        let peer = Self.nmi(1)
        let effects: [RadioEffect] = [
            .protectPeer(peer), .installManagementKey(peer, TestFrame.key(1)), .setPeerSchedule(peer, .windowsOnly),
            .authorizePeer(peer, .simulated), .removePeer(peer),
        ]
        for effect in effects {
            try expectRefusal(of: effect, as: .peer(peer), [.unknownStation], "\(effect) without a station")
        }
        try expectAcceptance(of: .addPeer(peer), "a station")
        try expectRefusal(of: .addPeer(peer), as: .peer(peer), [.busy], "a second equal station")
        let group = NMI(TestFrame.networkID)
        try expectRefusal(of: .addPeer(group), as: .peer(group), [.invalid], "a group address as a station")
        try expectAcceptance(of: .removePeer(peer), "removal")
        try expectRefusal(of: .removePeer(peer), as: .peer(peer), [.unknownStation], "a second removal")
    }

    mutating func keysAreChecked() throws(Failure) {
        try start(0)
        let peer = Self.nmi(1)
        try expectAcceptance(of: .addPeer(peer), "a station")
        try expectAcceptance(of: .protectPeer(peer), "MFP")
        let short = PairwiseKey(cipher: .gcmp256, key: SecretKey(copying: [UInt8](repeating: 1, count: 16)))
        try expectRefusal(of: .installManagementKey(peer, short), as: .peer(peer), [.invalid], "16 octets for GCMP-256")
        let long = PairwiseKey(cipher: .gcmp256, key: SecretKey(copying: [UInt8](repeating: 1, count: 32)))
        try expectAcceptance(of: .installManagementKey(peer, long), "32 octets for GCMP-256")
    }

    mutating func localSchedulesAreChecked() throws(Failure) {
        try start(0)
        try expectAcceptance(of: .setLocalSchedule(.twoBands), "two bands")
        let good = LocalRadioSchedule.twoBands
        var bad: [(String, LocalRadioSchedule)] = []
        func add(_ name: String, _ change: (inout LocalRadioSchedule) -> Void) {
            var schedule = good
            change(&schedule)
            bad.append((name, schedule))
        }
        add("four channels") { $0.channels += [.high, .higher] }
        add("no availability") { $0.availability = [] }
        add("availability of 55 octets") {
            $0.availability = [0x12, 52, 0x00] + $0.availability.dropFirst(3) + [UInt8](repeating: 0, count: 14)
        }
        add("another length than the availability's own") { $0.availability[1] -= 1 }
        add("another attribute") { $0.availability[0] = 0x13 }
        add("availability of nothing") {
            $0.channels = []
            $0.slots = .empty
        }
        add("a slot of channel 2 of two") { $0.slots = .only(1...5, channel: 2) }
        add("one channel twice, in two widths") { $0.channels = [.five, .five20] }
        add("RX NSS 0") { $0.channels[0].rxNSS = 0 }
        add("RX NSS 3 with two antennas") { $0.channels[0].rxNSS = 3 }
        add("a centre outside the channel") { $0.channels[1].centerFrequency = 5290 }
        add("6 GHz") { schedule in
            schedule.channels[1] = RadioChannel(
                frequency: 5975, centerFrequency: 5975, width: 20, entry: [0x83, 0x02, 0, 0, 0, 0], rxNSS: 2)
        }
        for (name, schedule) in bad {
            try expectRefusal(of: .setLocalSchedule(schedule), as: .localSchedule, [.invalid, .regulatory], name)
        }
        try expectAcceptance(of: .setLocalSchedule(.twoBands), "two bands once more")
        try expectAcceptance(of: .setLocalSchedule(.empty), "an empty schedule")
    }

    mutating func peerSchedulesAreChecked() throws(Failure) {
        typealias PeerMap = PeerRadioSchedule.PeerMap
        try start(0)
        let peer = Self.nmi(1)
        try expectAcceptance(of: .addPeer(peer), "a station")
        try expectAcceptance(of: .setPeerSchedule(peer, .windowsOnly), "windows only")
        try expectRefusal(
            of: .setPeerSchedule(peer, .twoBands), as: .peer(peer), [.invalid], "channels without a local schedule")
        try expectAcceptance(of: .setLocalSchedule(.twoBands), "two bands")
        try expectAcceptance(of: .setPeerSchedule(peer, .twoBands), "two bands of the peer")
        var bad: [(String, PeerRadioSchedule)] = []
        func add(_ name: String, _ change: (inout PeerRadioSchedule) -> Void) {
            var schedule = PeerRadioSchedule.twoBands
            change(&schedule)
            bad.append((name, schedule))
        }
        add("no sequence id") { $0.sequenceID = nil }
        add("no maps") { $0.maps = [] }
        add("no channels") { $0.channels = [] }
        add("map id 16") { $0.maps[0].mapID = 16 }
        add("one map id twice") { schedule in
            schedule.maps = [
                PeerMap(mapID: 1, slots: .only(1...3)), PeerMap(mapID: 1, slots: .only(4...6, channel: 1)),
            ]
        }
        add("three maps") { schedule in
            schedule.channels = [.two]
            schedule.maps = (1...3).map { PeerMap(mapID: $0, slots: .only(Int($0)...Int($0))) }
        }
        add("a slot in two maps") { schedule in
            schedule.maps = [
                PeerMap(mapID: 1, slots: .only(1...4)), PeerMap(mapID: 2, slots: .only(4...6, channel: 1)),
            ]
        }
        add("a channel in two maps") { schedule in
            schedule.channels = [.two]
            schedule.maps = [PeerMap(mapID: 1, slots: .only(1...3)), PeerMap(mapID: 2, slots: .only(4...6))]
        }
        add("a channel that is no local one") { schedule in
            schedule.channels[1] = .high
        }
        add("a channel used in no slot") { $0.maps[0].slots = .only(1...3) }
        add("RX NSS 0") { $0.channels[0].rxNSS = 0 }
        add("a slot of a channel that is not there") { $0.maps[0].slots = .only(1...3, channel: 7) }
        for (name, schedule) in bad {
            try expectRefusal(
                of: .setPeerSchedule(peer, schedule), as: .peer(peer), [.invalid, .regulatory], name)
        }
        try expectAcceptance(of: .setPeerSchedule(peer, .windowsOnly), "clearing")
    }

    mutating func removedChannelLeavesPeers() throws(Failure) {
        let cluster = try startBoth()
        try scheduleBoth()
        perform(.setLocalSchedule(.one(.high, .only(1...31), sequence: 2)), on: 0)
        try settle()
        perform(.setLocalSchedule(.twoBands), on: 0)
        try settle()
        // The peer's slots went with the channels and do not come back by themselves.
        let frame = TestFrame.discovery(to: Self.nmi(1).address, from: Self.nmi(0).address, in: cluster, tag: 30)
        try awaitQuietTime()
        let queued = bench.now
        try send(frame)
        let took = queued.duration(to: try awaitFrame(frame).at)
        try require(took >= .milliseconds(350), "still reached between windows, after \(took)")
    }
}
