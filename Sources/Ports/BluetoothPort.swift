/// The Bluetooth side as the engines' host uses it, on the host's loop.
package protocol BluetoothPort: AnyObject {
    /// Called on the loop for each event, never from within `perform`.
    var onEvent: (BluetoothEvent) -> Void { get set }

    /// Carries an effect out; whatever it causes is told on a later turn of the loop.
    func perform(_ effect: BluetoothEffect)
}
