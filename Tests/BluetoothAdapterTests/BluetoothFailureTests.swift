import BluetoothFrames
import Glibc
import LinuxRuntime
import Ports
import Testing

@testable import BluetoothAdapter

@Suite("Causes of Bluetooth failures") struct BluetoothFailureTests {
    @Test("the kernel's refusals become causes that say what to do")
    func causes() {
        let causes: [(Int32, BluetoothFailure.Cause)] = [
            (EAFNOSUPPORT, .absent), (ENODEV, .absent), (EPERM, .permission), (EADDRINUSE, .busy), (ECONNRESET, .gone),
            (EINVAL, .other),
        ]
        for (code, cause) in causes {
            let failure = BluetoothFailure(SystemError(call: "bind", code: code), "the channel")
            #expect(failure.cause == cause)
            #expect(failure.text.contains("errno \(code)"))
        }
        #expect(BluetoothFailure(SystemError(call: "bind", code: EPERM), "it").text.contains("CAP_NET_ADMIN"))
    }

    private func controller(_ index: UInt16, _ supported: ControllerSettings) -> BluetoothCheck.Controller {
        BluetoothCheck.Controller(
            index: index,
            information: ControllerInformation(
                address: BluetoothAddress(.public, bits: 1), version: 9, manufacturer: 0xFFFF, supported: supported,
                current: []))
    }

    private func cause(_ controllers: [BluetoothCheck.Controller], _ index: UInt16?) -> String {
        do throws(BluetoothFailure) { return "hci\(try BluetoothCheck.choose(controllers, index).index)" } catch {
            return error.text
        }
    }

    @Test("the controller is the one asked for, or the first with LE; else it is said why there is none") func choice()
    {
        let both = [controller(0, [.classic]), controller(1, [.lowEnergy])]
        #expect(cause(both, nil) == "hci1")
        #expect(cause(both, 1) == "hci1")
        #expect(cause(both, 0).contains("no Bluetooth LE"))
        #expect(cause(both, 7) == "no Bluetooth controller hci7; there are hci0, hci1")
        #expect(cause([], nil).contains("no Bluetooth controller"))
        #expect(cause([both[0]], nil).contains("no Bluetooth LE"))
    }
}
