import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type Host } from "./index.ts";
import { deepPrograms } from "./programs-statements.testing.ts";

const insertions = fc.oneof(
  fc.constantFrom(..."()[]{}:,.='\"\n \t\\@*#;ü‘`0aλ/-"),
  fc.constantFrom("'''", "def ", "class A:", "lambda", "yield", "    ", "f'{", "not ", "for x in"),
  fc.constantFrom("case ", "match ", "with (", " as ", ":=", "**", "5.", "10**30", "'%c' % ", "<>"),
  fc.constantFrom("1e999", "{:>{}}", "\u{1f600}", "\ud800", "__class__", ".constructor", "*a, "),
);
const changes = fc.record({ at: fc.nat(2_000), cut: fc.nat(6), insert: insertions });

/** Generated programs with random pieces replaced, repeated or removed. */
const mutants = fc
  .tuple(deepPrograms, fc.array(changes, { minLength: 1, maxLength: 5 }))
  .map(([program, edits]) =>
    edits.reduce(
      (text, { at, cut, insert }) =>
        text.slice(0, at % text.length) + insert + text.slice((at % text.length) + cut),
      program,
    ),
  );

const numRuns = process.env.SOAK ? 20_000 : 60;

test("no text throws or reaches anything but its host", () => {
  const asked: unknown[] = [];
  const host: Host = {
    globals: new Map(),
    importModule: (name) => {
      asked.push(name);
      return undefined;
    },
    undefinedName: (name) => {
      asked.push(name);
      return undefined;
    },
  };
  const names = Reflect.ownKeys(globalThis).length;
  fc.assert(
    fc.property(mutants, fc.boolean(), (text, recover) => {
      const { diagnostics } = evaluate(text, host, { recover, limits: { steps: 300_000 } });
      for (const { span, message } of diagnostics) {
        expect(message).not.toBe("");
        expect(span?.from).toBeGreaterThanOrEqual(0);
        expect(span?.to).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    { seed: 4, numRuns },
  );
  expect(asked.filter((name) => typeof name !== "string")).toEqual([]);
  expect(Reflect.ownKeys(globalThis)).toHaveLength(names);
  expect(Reflect.ownKeys({})).toEqual([]);
});
