import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    testTimeout: 60_000,
    pool: "threads",
    // One less is the default, which leaves half of a machine of two cores idle.
    maxWorkers: "100%",
  },
});
