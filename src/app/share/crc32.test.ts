import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";

test.each([
  ["", "00000000"],
  ["123456789", "cbf43926"],
  ["The quick brown fox jumps over the lazy dog", "414fa339"],
])("the checksum of %j is the published one", (text, sum) => {
  expect(crc32(text)).toBe(sum);
});
