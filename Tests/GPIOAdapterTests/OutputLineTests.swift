import GPIOAdapter
import LinuxRuntime
import Testing

@Test("a board without the chip is an error, not a trap") func missingChip() {
    #expect(throws: SystemError.self) {
        _ = try OutputLine(chip: "/dev/gpiochip-none", offset: 1, consumer: "t").set(true)
    }
}
