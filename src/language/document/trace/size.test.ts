import fc from "fast-check";
import { expect, test } from "vitest";
import { reading } from "../reading.testing.ts";
import { freshSize, isDefault, knownSize, type SizeVariable, settle, unify } from "./size.ts";

const place = fc.nat({ max: 5 });

test("sizes settle whatever products and equalities meet, and only what disagrees is refused", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(place, { minLength: 2, maxLength: 3 }), { minLength: 6, maxLength: 6 }),
      fc.array(fc.tuple(place, place)),
      (products, equalities) => {
        const sizes = products.map((): SizeVariable => freshSize());
        for (const [at, size] of sizes.entries()) {
          const factors = products[at]?.filter((factor) => factor > at) ?? [];
          if (factors.length > 1)
            size.products = [factors.flatMap((factor) => sizes[factor] ?? [])];
        }
        for (const [a, b] of equalities) {
          expect(unify(sizes[a] ?? 1, sizes[b] ?? 1)).toBe(true);
        }
        for (const size of sizes) expect(typeof isDefault(size)).toBe("boolean");
        for (const size of sizes) expect(settle(size)).toBeGreaterThan(0);
        for (const [a, b] of equalities) expect(settle(sizes[a] ?? 1)).toBe(settle(sizes[b] ?? 1));
      },
    ),
  );
});

test("a product that equals its own factor makes the others 1", () => {
  const [whole, a, b] = [freshSize(), freshSize(), freshSize()];
  whole.products = [[a, b]];
  expect(unify(whole, a)).toBe(true);
  expect(knownSize(b)).toBe(1);
  const twice = freshSize();
  twice.products = [[a, 2]];
  expect(unify(twice, a)).toBe(false);
});

/** A generated factor: its known size, if any, and required divisors. */
const factor = fc.record({
  known: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  divisors: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
});

test("products that are one size agree, where each has a factor that nobody gave", () => {
  const product = fc.tuple(fc.array(factor, { maxLength: 2 }), factor);
  fc.assert(
    fc.property(fc.array(product, { minLength: 1, maxLength: 3 }), (given) => {
      const products = given.map(([rest, { divisors }]) => [
        ...rest,
        { known: undefined, divisors },
      ]);
      const wholes = products.map((each): SizeVariable => {
        const factors = each.map(({ known, divisors }): SizeVariable => {
          return known === undefined ? { divisors } : { known, divisors };
        });
        return { divisors: [], products: [factors] };
      });
      const made = wholes.map(({ products: [factors = []] = [] }) => factors);
      for (const whole of wholes) unify(wholes[0] ?? 1, whole);
      const size = settle(wholes[0] ?? 1);
      for (const [at, factors] of made.entries()) {
        expect(factors.map(settle).reduce((n, m) => n * m, 1)).toBe(size);
        for (const [each, { known, divisors }] of (products[at] ?? []).entries()) {
          const is = settle(factors[each] ?? 1);
          for (const divisor of known === undefined ? divisors : []) expect(is % divisor).toBe(0);
        }
      }
    }),
  );
});

test.each([
  ["(a b) -> a", "y = f(x)\nz = x + y", "", "x[8] y[8] z[8]"],
  ["(a b) -> a", "for i in range(2):\n    x = x + f(x)", "", "x[8] f_1[8] x#2[8] f_2[8] x#3[8]"],
  ["(a 2) -> a", "y = f(x)\nz = x + y", "warning dimops/size-conflict RuntimeError", "x[8] y[4]"],
])("the result of %s beside its operand, %j", (annotation, calls, wrong, tensors) => {
  const said = reading(
    `mesh = Mesh(dp=2)\n# annotation: ${annotation}\ndef f(x): ...\nx = Tensor((N,))\n${calls}\n`,
  );
  expect(said.said.filter((each) => each.includes("dimops/")).join()).toBe(wrong);
  expect(said.tensors).toBe(tensors);
});

test("a tensor that two functions see as products of other sizes has one that fits both", () => {
  const { said, tensors } = reading(
    [
      "mesh = Mesh(dp=2)",
      "# annotation: (a b) -> a",
      "def f(x, a): ...",
      "# annotation: (c d e) -> c",
      "def g(x, c, d): ...",
      "x = Tensor((N,))",
      "y = f(x, a=8)",
      "z = g(x, c=5, d=12)",
    ].join("\n"),
  );
  expect(said.filter((each) => each.startsWith("error"))).toEqual([]);
  expect(tensors).toBe("x[960] y[8] z[5]");
});

test("more calls than products are kept of one size all get the same default", () => {
  const { said, tensors } = reading(
    [
      "mesh = Mesh(dp=2)",
      "# annotation: (a b) -> a",
      "def f(x): ...",
      "x = Tensor((N,))",
      "for i in range(12):",
      "    y = f(x)",
    ].join("\n"),
  );
  expect(said.filter((each) => each.startsWith("error"))).toEqual([]);
  expect(tensors).toMatch(/^x\[64\]( \S+\[8\]){12}$/);
});
