import { expect, test } from "vitest";
import {
  formatBytes,
  formatBytesDelta,
  formatCount,
  formatSeconds,
  formatSecondsDelta,
  formatShare,
} from "./numbers.ts";

test.each([
  [0, "0 B"],
  [36, "36 B"],
  [1.5, "1.50 B"],
  [999, "999 B"],
  [999.6, "1.00 kB"],
  [1000, "1.00 kB"],
  [8190, "8.19 kB"],
  [999_400, "999 kB"],
  [999_500, "1.00 MB"],
  [999_960, "1.00 MB"],
  [4_194_304, "4.19 MB"],
  [33_554_432, "33.6 MB"],
  [268_435_456, "268 MB"],
  [13.5e9, "13.5 GB"],
  [2e21, "2000 EB"],
])("%d bytes read %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, "0 s"],
  [31e-6, "31.0 µs"],
  [1.55e-3, "1.55 ms"],
  [0.067, "67.0 ms"],
  [0.9996, "1.00 s"],
  [75, "75.0 s"],
  [1234, "1234 s"],
  [4.2e-10, "0.420 ns"],
])("%d seconds read %s", (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test.each([
  [32768, "32768"],
  [2_097_152, "2.10 M"],
  [0, "0"],
])("a count of %d reads %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test.each([
  [-8_390_000, "−8.39 MB"],
  [4_194_304, "+4.19 MB"],
  [0, "±0 B"],
])("a change of %d bytes reads %s", (bytes, text) => {
  expect(formatBytesDelta(bytes)).toBe(text);
});

test.each([
  [-963e-6, "−963 µs"],
  [0, "±0 s"],
])("a change of %d seconds reads %s", (seconds, text) => {
  expect(formatSecondsDelta(seconds)).toBe(text);
});

test("a share reads as a percentage", () => {
  expect([0, 0.0232, 1].map(formatShare)).toEqual(["0 %", "2.32 %", "100 %"]);
});

test("what has no figure is unknown, and so is how much it changed", () => {
  expect(formatBytes(Number.NaN)).toBe("unknown");
  expect(formatBytesDelta(Number.NaN)).toBe("change unknown");
});
