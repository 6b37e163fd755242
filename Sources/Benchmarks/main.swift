internal import Glibc

// `make bench`: prints what each case costs and exits 1 when one allocates more than its budget.
var benchmark = Benchmark()
try MediaBenchmarks().run(&benchmark)
try MediaServiceBenchmark(clipPath: "board/demo/clip.h264").run(&benchmark, seconds: 3)
exit(benchmark.isWithinBudget ? 0 : 1)
