import { expect, test } from "vitest";
import { lengthTier } from "./length-tier.ts";

test.each([
  [0, "anywhere"],
  [2_000, "anywhere"],
  [2_001, "most-chats"],
  [4_000, "most-chats"],
  [4_001, "address-bar"],
  [8_000, "address-bar"],
  [8_001, "browser-only"],
  [64_000, "browser-only"],
  [64_001, "too-long"],
])("an address of %i characters is in the tier %s", (characters, tier) => {
  expect(lengthTier(characters)).toMatchObject({ tier, characters });
});
