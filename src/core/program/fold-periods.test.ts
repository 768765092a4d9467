import fc from "fast-check";
import { expect, test } from "vitest";
import { findRepetitions, type Repetition } from "./fold-periods.ts";

const runs = 300 * (process.env.SOAK === undefined ? 1 : 20);

function found(text: string): readonly string[] {
  return findRepetitions([...text].map((letter) => letter.charCodeAt(0))).map(
    ({ start, stop, period }) => `${text.slice(start, start + period)} ${start}-${stop}`,
  );
}

test.each`
  text                | first
  ${""}               | ${undefined}
  ${"abc"}            | ${undefined}
  ${"aa"}             | ${"a 0-2"}
  ${"xababab"}        | ${"ab 1-7"}
  ${"abcabcabcab"}    | ${"abc 0-11"}
  ${"aabaabaab"}      | ${"aab 0-9"}
  ${"zaabbaabbaabbz"} | ${"aabb 1-13"}
  ${"ababxabab"}      | ${"ab 0-4"}
`("of $text the repetition that saves most is [$first]", ({ text, first }) => {
  expect(found(text)[0]).toBe(first);
});

/** Whether each key of a stretch equals the key one period later. */
function holds(keys: readonly number[], { start, stop, period }: Repetition): boolean {
  const inside = keys.slice(start, stop);
  return inside.every((key, at) => at + period >= inside.length || inside[at + period] === key);
}

test("what is found repeats, at least twice", () => {
  const keys = fc.array(fc.nat(2), { maxLength: 40 });
  const property = fc.property(keys, (list) => {
    for (const each of findRepetitions(list)) {
      expect(each.stop - each.start).toBeGreaterThanOrEqual(2 * each.period);
      expect(each.stop).toBeLessThanOrEqual(list.length);
      expect(holds(list, each)).toBe(true);
    }
  });
  fc.assert(property, { seed: 1, numRuns: runs });
});

test("a block that is there three times in a row is found, wherever it stands", () => {
  const block = fc.array(fc.nat(2), { minLength: 1, maxLength: 9 });
  const around = fc.array(fc.nat(2), { maxLength: 6 });
  const property = fc.property(
    around,
    block,
    fc.integer({ min: 3, max: 5 }),
    around,
    (a, b, n, z) => {
      const list = [...a, ...Array.from({ length: n }, () => b).flat(), ...z];
      const [start, stop] = [a.length, list.length - z.length];
      const covers = (each: Repetition) =>
        each.start <= start && stop <= each.stop && b.length % each.period === 0;
      expect(findRepetitions(list).some(covers), JSON.stringify([a, b, n, z])).toBe(true);
    },
  );
  fc.assert(property, { seed: 1, numRuns: runs });
});

test("few stretches are found even in lists that repeat everywhere", () => {
  const lists = [
    Array.from({ length: 4096 }, () => 1),
    Array.from({ length: 4096 }, (_, at) => at % 7),
    Array.from({ length: 4096 }, (_, at) => Math.floor((at + 1) * 0.618) - Math.floor(at * 0.618)),
  ];
  for (const list of lists) expect(findRepetitions(list).length).toBeLessThan(2 * list.length);
});
