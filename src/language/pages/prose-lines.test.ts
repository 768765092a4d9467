import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { mayBeProse, readsAsProse } from "./prose-lines.ts";

const pieces = [
  ..."the shape of each, 'dim' (or two) is: \"x\" = f(y) # 2 **kwargs _a_ b-c d's".split(" "),
  ...["“so", "它，", "é", "\t", "  ", "-", ">", "1.", "'", '"', "\\", "[a]", "{", "a=b", "x1"],
];

test("no line that reads as prose is passed over", () => {
  const line = fc.array(fc.constantFrom(...pieces), { maxLength: 9 });
  const glue = fc.constantFrom(" ", "", "\t", "  ");
  fc.assert(
    fc.property(line, glue, (words, between) => {
      const text = words.join(between);
      if (readsAsProse(text)) expect(mayBeProse(text)).toBe(true);
    }),
    { seed: 3, numRuns: 4_000 },
  );
  const quoted = ['say "a b" to all of them', 'say"x = 1" and="a=b c=d" so \'a b\'to it'];
  for (const text of ["the shape of it", "  - a list of words", ...quoted])
    expect([readsAsProse(text), mayBeProse(text)]).toEqual([true, true]);
});

test("few lines of programs are looked at twice", () => {
  const lines = examples.flatMap(({ program }) => program.split("\n"));
  const code = lines.filter((text) => !/["'#]/.test(text));
  expect(code.filter(mayBeProse).length).toBeLessThan(code.length / 10);
  const quoting = lines.filter((text) => /["']/.test(text) && !text.includes("#"));
  expect(quoting.filter(mayBeProse).length).toBeLessThan(quoting.length * 0.6);
});
