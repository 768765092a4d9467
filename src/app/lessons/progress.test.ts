import fc from "fast-check";
import { expect, test } from "vitest";
import {
  joinedProgress,
  type Progress,
  parseProgress,
  printProgress,
  readProgress,
} from "./progress.ts";

const ids = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const progress = fc.record({
  done: fc.array(ids).map((each) => new Set(each)),
  stars: fc.array(fc.tuple(ids, fc.integer({ min: 1, max: 3 }))).map((each) => new Map(each)),
});
const plain = ({ done, stars }: Progress) => ({ done: new Set(done), stars: new Map(stars) });

test("what is exported is imported, and two browsers together know what each knows", () => {
  fc.assert(
    fc.property(progress, progress, (a, b) => {
      expect(plain(readProgress(printProgress(a)))).toEqual(a);
      const both = joinedProgress(a, b);
      expect(printProgress(both)).toBe(printProgress(joinedProgress(b, a)));
      expect(printProgress(joinedProgress(both, a))).toBe(printProgress(both));
      for (const id of a.done) expect(both.done.has(id)).toBe(true);
      for (const [id, stars] of a.stars) expect(both.stars.get(id)).toBeGreaterThanOrEqual(stars);
    }),
  );
});

test.each([
  ["no JSON", "{", /no progress/],
  ["a list", "[]", /no progress/],
  ["too much", `{"done": ["${"a".repeat(100_000)}"]}`, /at most 100000 characters/],
])("%s is refused with a reason", (_, text, why) => {
  expect(parseProgress(text)).toEqual({ ok: false, why: expect.stringMatching(why) });
});

test("what is no id and no number of stars is left out, whatever it is", () => {
  const read = readProgress(
    '{"done": ["zero", 3, "A b", null], "stars": {"a": 4, "b": 2, "B": 1}}',
  );
  expect(read).toEqual({ done: new Set(["zero"]), stars: new Map([["b", 2]]) });
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect([...readProgress(text).stars.values()].every((each) => each > 0)).toBe(true);
    }),
  );
});
