import { expect, test } from "vitest";
import { evaluate, type Host } from "./index.ts";

const host: Host = { globals: new Map() };

/**
 * An eighth of the default steps in a short run; a length that is not charged takes minutes even
 * so.
 */
const limits = process.env.SOAK ? {} : { steps: 1_000_000 };
const text = "s = 'a' * 1000000\nt = 'b' + 'a' * 500000\n";
const large = "x = (1 << 1000000) - 1\ny = (1 << 1000000) - 1\n";

/**
 * Programs that process long values repeatedly, and would run for minutes at one step per
 * operation.
 */
test.each`
  program
  ${"import math\na = b = 1\nfor i in range(60000): a, b = b, a + b\nwhile True: math.gcd(a, b)"}
  ${"import math\nmath.lcm(3 ** 300000, 5 ** 200000)"}
  ${"import math\nx = (1 << 1000000) - 1\nwhile True: math.isqrt(x)"}
  ${"pow(3, (1 << 20000) - 1, (1 << 20000) - 1)"}
  ${"pow(7, -1, (1 << 1000000) - 1)"}
  ${"while True: 3 ** 300000"}
  ${`${large}while True: x == y`}
  ${`${large}while True: x is y`}
  ${`${large}while True: x < y`}
  ${`${large}while True: sorted([x, y])`}
  ${`${large}while True: x / y`}
  ${`${large}while True: hash(x)`}
  ${`${large}while True: {x: y}`}
  ${`${large}while True: x.bit_length()`}
  ${`${large}while True: x.bit_count()`}
  ${`${large}while True: float(x) if x < 0 else bool(x)`}
  ${`${text}while True: s.find(t)`}
  ${`${text}while True: s.count('b')`}
  ${`${text}while True: 'b' in s`}
  ${`${text}while True: s == s + ''`}
  ${`${text}while True: s < t`}
  ${`${text}while True: s.strip('a')`}
  ${`${text}while True: s.startswith(s)`}
  ${`${text}while True: s.partition('b')`}
  ${`${text}while True: len(s)`}
  ${"s = '😀' * 500000\nwhile True: s[400000]"}
  ${"s = '7' * 4000\nwhile True: int(s)"}
`("$program ends by the steps that its lengths count for", ({ program }) => {
  const { diagnostics } = evaluate(program, host, { recover: false, limits });
  expect(diagnostics.map(({ code }) => code)).toEqual([
    expect.stringMatching(/^python\/limit-(steps|memory)$/),
  ]);
});

test.each`
  program                       | most
  ${"sum(range(1000))"}         | ${4_100}
  ${"[i for i in range(1000)]"} | ${6_100}
  ${"{i for i in range(1000)}"} | ${6_100}
`("$program costs its rounds and what is added or kept", ({ program, most }) => {
  const codesAt = (steps: number) =>
    evaluate(program, host, { limits: { steps } }).diagnostics.map(({ code }) => code);
  expect([codesAt(most), codesAt(most - 1_100)]).toEqual([[], ["python/limit-steps"]]);
});

test("short texts and integers cost what they did", () => {
  const program = `
words = {}
for i in range(20000):
    w = 'name' + str(i % 100)
    words[w] = words.get(w, 0) + (i * i) % 97
sorted(words)[0]`;
  expect(evaluate(program, host)).toMatchObject({ diagnostics: [], value: { value: "name0" } });
});

test.each`
  program
  ${"[lambda: i for i in range(10**9)]"}
  ${"[(j for j in [1]) for i in range(10**9)]"}
`("$program ends by the memory that functions take", ({ program }) => {
  const { diagnostics } = evaluate(program, host, { recover: false });
  expect(diagnostics.map(({ code }) => code)).toEqual(["python/limit-memory"]);
});
