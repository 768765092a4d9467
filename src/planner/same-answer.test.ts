import fc from "fast-check";
import { expect, test } from "vitest";
import { optimize } from "./optimize.ts";
import type { Optimized } from "./optimized.ts";
import { requestOf, type SmallProgram, smallPrograms, textOf } from "./small-programs.testing.ts";

function planOf(text: string, slowAxis?: string): Optimized {
  const outcome = optimize(requestOf(text, slowAxis));
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  return outcome.value;
}

/** A plan as text, with all lists in their order. */
function bytesOf(plan: Optimized): string {
  return JSON.stringify(plan, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}

/** Other names for everything that a program names, in another alphabetical order. */
const names: Readonly<Record<string, string>> = {
  ...{ a: "z", b: "y", m: "w", n: "v", k: "u", x: "t", w: "s" },
  ...{ h0: "r", h1: "q", h2: "p", turn_op: "f2_op", gram_op: "f1_op", soft_op: "f0_op" },
};

function renamed(text: string): string {
  return text.replace(/\b[a-z]\w*\b/gu, (word) => names[word] ?? word);
}

/** The lines in another legal order: always the last one that can come next. */
function lastFirst(lines: readonly string[]): readonly string[] {
  const left = [...lines];
  const done: string[] = [];
  const defined = (line: string) => line.split(" ")[0] ?? "";
  while (left.length > 0) {
    const missing = new Set(left.map(defined));
    const at = left.findLastIndex((line) => {
      const words = line.slice(defined(line).length).match(/\b[xwh]\d?\b/gu) ?? [];
      return words.every((word) => !missing.has(word));
    });
    done.push(...left.splice(at, 1));
  }
  return done;
}

test("the same program has the same plan, byte for byte", () => {
  const check = (given: SmallProgram) => {
    expect(bytesOf(planOf(textOf(given)))).toBe(bytesOf(planOf(textOf(given))));
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 1, numRuns: 40 });
});

test("names, the order of lines and that of mesh axes do not change what the best plan takes", () => {
  let reordered = 0;
  const check = (given: SmallProgram) => {
    const text = textOf(given);
    const { seconds, bound } = planOf(text);
    const other = textOf(given, lastFirst);
    if (other !== text) reordered += 1;
    const mesh = given.mesh.split(", ").reverse().join(", ");
    const variants = [
      planOf(renamed(text), "z"),
      planOf(other),
      planOf(textOf({ ...given, mesh })),
      planOf(renamed(textOf({ ...given, mesh }, lastFirst)), "z"),
    ];
    for (const plan of variants) {
      expect(plan.seconds).toBeCloseTo(seconds, 15);
      expect(plan.bound).toBeCloseTo(bound, 15);
    }
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 2, numRuns: 40 });
  expect(reordered).toBeGreaterThan(20);
});
