import { expect, test } from "vitest";
import { readDocument } from "#systems";

function said(text: string): readonly string[] {
  const { diagnostics } = readDocument(`z = Tensor((4,))\n${text}`);
  return diagnostics.map(({ severity, message }) => `${severity} ${message}`);
}

// Values from CPython 3.11.
test.each`
  seed                      | expression                                  | value
  ${"1"}                    | ${"(random.shuffle(items), items)[1]"}      | ${"[7, 11, 0, 8, 5, 6, 3, 10, 4, 1, 9, 2]"}
  ${"12345678901234567890"} | ${"(random.random(), random.randrange(7))"} | ${"(0.5120180983871961, 4)"}
  ${"-5"}                   | ${"random.random()"}                        | ${"0.6229016948897019"}
  ${"0"}                    | ${"random.random()"}                        | ${"0.8444218515250481"}
`("random after seed($seed): $expression is $value", ({ seed, expression, value }) => {
  const text = `import random\nitems = list(range(12))\nrandom.seed(${seed})\nfound = ${expression}\nassert found == ${value}, found\n`;
  expect(said(text)).toEqual([]);
});

// Values drawn in this order by CPython 3.11.
test("a seeded generator goes on, and goes back to a state", () => {
  const text = `import random
random.seed(1)
items = list(range(12))
random.shuffle(items)
kept = random.getstate()
drawn = (random.random(), random.randint(3, 17), random.choice("abcdef"))
again = (random.getrandbits(13), random.uniform(2, 5), random.randrange(100))
random.setstate(kept)
assert drawn[:2] == (0.48785665652414756, 17), drawn
assert random.random() == drawn[0]
`;
  expect(said(text)).toEqual([]);
});

test("what is drawn without a seed is not known", () => {
  const text = "import random\nfor at in range(int(random.random() * 4)):\n    pass\n";
  expect(said(text).join()).toContain("random.random");
});
