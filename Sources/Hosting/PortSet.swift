package import NANSecurity
package import Octets
package import Ports

/// Where effects go: one function per port.
///
/// The board, a test and a simulation differ in this value and in nothing else. A port never
/// blocks and never fails: what became of an effect comes back as an event.
package struct PortSet<Root: RootMachine> {
    package var radio: (RadioEffect) -> Void = { _ in }
    package var bluetooth: (BluetoothEffect) -> Void = { _ in }
    package var crypto: (CryptoJob) -> Void = { _ in }
    package var store: (StoreCommand) -> Void = { _ in }
    package var stream: (StreamCommand) -> Void = { _ in }
    package var display: (DisplayContent) -> Void = { _ in }
    package var report: (Root.Report) -> Void = { _ in }
    /// Sets the one timer; nil stops it.
    package var arm: (MonotonicInstant?) -> Void = { _ in }
    /// Sees every event with what follows from it: the one place that logs.
    package var trace: (PortEvent<Root.Command>, [PortEffect<Root.Report>]) -> Void = { _, _ in }

    package init() {}
}
