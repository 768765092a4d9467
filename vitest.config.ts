import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "bench/**/*.test.ts"],
    environment: "node",
    /** Only against what hangs: how long a test takes is no verdict, and benchmarks hold times. */
    testTimeout: process.env.SOAK === undefined ? 300_000 : 3_600_000,
    pool: "threads",
    // One less is the default, which leaves half of a machine of two cores idle.
    maxWorkers: "100%",
  },
});
