import { expect, test } from "vitest";
import { createSharing } from "./read-program.ts";

test("ranges that say the same become one object, others stay apart", () => {
  const share = createSharing<readonly { readonly start: number; readonly stop: number }[]>();
  const first = share([{ start: 0, stop: 8 }]);
  expect(share([{ start: 0, stop: 8 }])).toBe(first);
  expect(share([{ start: 0, stop: 9 }])).toEqual([{ start: 0, stop: 9 }]);
  expect(share([])).not.toBe(first);
});
