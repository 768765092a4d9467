import { expect, test } from "vitest";
import { faultReport } from "./fault-report.ts";

test("a report tells sizes and the reason, and nothing of the plan", () => {
  const source = 'secret = Mesh(dp=2)\nx = Tensor((8,), "bf16")\n';
  const report = faultReport('no value for "secret" of `x`', source, "Browser 1");
  expect(report).toBe(
    [
      "Shardboard could not work out a text.",
      'Reason: no value for "…" of "…"',
      "Text: a program of 45 characters in 3 lines",
      "Browser: Browser 1",
      "",
    ].join("\n"),
  );
});
