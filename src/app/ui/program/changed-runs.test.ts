import fc from "fast-check";
import { expect, test } from "vitest";
import { keptRuns, type Touched, touchedBy } from "./changed-runs.ts";
import { type ColouredRun, runsOf } from "./token-lines.ts";

test.each`
  edits                      | touched
  ${[[5, 0, 1]]}             | ${[5, 6, 1]}
  ${[[5, 2, 0]]}             | ${[5, 5, -2]}
  ${[[5, 0, 1], [6, 0, 1]]}  | ${[5, 7, 2]}
  ${[[5, 0, 1], [20, 3, 1]]} | ${[5, 21, -1]}
  ${[[20, 0, 4], [5, 0, 1]]} | ${[5, 25, 5]}
  ${[[5, 0, 4], [3, 9, 0]]}  | ${[3, 3, -5]}
`("the edits $edits touch $touched", ({ edits, touched }) => {
  const found = (edits as [number, number, number][]).reduce<Touched | undefined>(
    (before, [from, removed, added]) => touchedBy(before, { from, removed, added }),
    undefined,
  );
  expect(found && [found.from, found.to, found.grown]).toEqual(touched);
});

/** A decoration of an editor under an edit: it moves, or is dropped if the edit touches it. */
function moved(run: ColouredRun | undefined, from: number, removed: number, added: number) {
  if (run === undefined || run.to < from) return run;
  const by = added - removed;
  if (run.from <= from + removed) return undefined;
  return { ...run, from: run.from + by, to: run.to + by };
}

const words = ["def f(a):\n", "x = 'a'\n", "'''", "# why\n", "return", " ", "\n", "'", "i", "if "];
const edit = fc.record({
  at: fc.nat(300),
  removed: fc.nat(8),
  added: fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((parts) => parts.join("")),
});

test("runs that are kept are where the editor has moved them, and all others are drawn anew", () => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { minLength: 1, maxLength: 3 })), (rounds) => {
      let source = "def f(a):\n    return a  # one\nx = f('p')\n".repeat(5);
      let drawn: readonly ColouredRun[] = runsOf(source, undefined);
      for (const edits of rounds) {
        let shown: readonly (ColouredRun | undefined)[] = drawn;
        let touched: Touched | undefined;
        for (const { at, removed, added } of edits) {
          const from = Math.min(at, source.length);
          const taken = Math.min(removed, source.length - from);
          shown = shown.map((run) => moved(run, from, taken, added.length));
          touched = touchedBy(touched, { from, removed: taken, added: added.length });
          source = source.slice(0, from) + added + source.slice(from + taken);
        }
        const runs = runsOf(source, undefined);
        const { first, last } = keptRuns(drawn, runs, touched);
        const whole = [
          ...shown.slice(0, first),
          ...runs.slice(first, runs.length - last),
          ...(last > 0 ? shown.slice(-last) : []),
        ];
        expect(whole).toEqual(runs);
        drawn = runs;
      }
    }),
    { seed: 1, numRuns: process.env["SOAK"] ? 10_000 : 100 },
  );
});

test("a letter in the middle leaves the colours of all other lines", () => {
  const source = "x = 'a'\n".repeat(100);
  const edited = `${source.slice(0, 400)}y${source.slice(400)}`;
  const [before, after] = [runsOf(source, undefined), runsOf(edited, undefined)];
  const touched = touchedBy(undefined, { from: 400, removed: 0, added: 1 });
  const { first, last } = keptRuns(before, after, touched);
  expect(first + last).toBe(100);
});
