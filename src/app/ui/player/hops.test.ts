import { expect, test } from "vitest";
import { hopAfter, hopBefore } from "./hops.ts";

test.each([
  // From the first still, from inside the first hop, from its end, and from the first still of the
  // second hop.
  [0, 0, 2],
  [1, 0, 2],
  [2, 0, 5],
  [3, 2, 5],
  [4, 2, 5],
  [5, 2, 8],
])("from still %i a hop back is %i and a hop on is %i", (position, before, after) => {
  expect([hopBefore(position), hopAfter(position)]).toEqual([before, after]);
});
