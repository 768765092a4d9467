import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { isSameProgram } from "./same-program.ts";

const texts = examples.map(exampleText);
const [first = "", second = ""] = ["two-matmuls", "transformer-stack"].map(
  (name) => texts[examples.findIndex((each) => each.name === name)],
);

test.each`
  what                         | before                       | after                                   | same
  ${"a word in its only line"} | ${"y = relu(x)"}             | ${"y = relu(x"}                         | ${true}
  ${"a line that is broken"}   | ${first}                     | ${first.replace("matmul(", "matmul((")} | ${true}
  ${"a line in front of all"}  | ${first}                     | ${`oops = = (\n${first}`}               | ${true}
  ${"the half that is left"}   | ${first}                     | ${first.slice(first.length / 2)}        | ${true}
  ${"lines in another order"}  | ${"a = 1\nb = 2\nc = 3\n(d"} | ${"c = 3\nb = 2\na = 1\n(e"}            | ${true}
  ${"another program"}         | ${first}                     | ${`${second}\n(`}                       | ${false}
  ${"a few words"}             | ${first}                     | ${"this is no program"}                 | ${false}
  ${"one letter over all"}     | ${first}                     | ${"q"}                                  | ${false}
  ${"nothing"}                 | ${first}                     | ${""}                                   | ${false}
`("$what: the same program is $same", ({ before, after, same }) => {
  expect(isSameProgram(before, after)).toBe(same);
});

test("one edit that leaves half of a text is an edit of the same program", () => {
  const edit = fc.record({
    text: fc.constantFrom(...texts),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    share: fc.double({ min: 0, max: 0.4, noNaN: true }),
    typed: fc.string({ maxLength: 200 }),
  });
  fc.assert(
    fc.property(edit, ({ text, at, share, typed }) => {
      const from = Math.floor(at * text.length);
      const after =
        text.slice(0, from) + typed + text.slice(from + Math.floor(share * text.length));
      expect(isSameProgram(text, after)).toBe(true);
    }),
    { seed: 7, numRuns: 300 },
  );
});
