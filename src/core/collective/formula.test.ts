import fc from "fast-check";
import { expect, test } from "vitest";
import type { Link } from "#core/mesh";
import type { Collective } from "./collective.ts";
import { explainReceived, explainSeconds, type Factor, type Formula } from "./formula.ts";
import { receivedElements } from "./received.ts";
import { collectiveSeconds } from "./seconds.ts";

const sent = [
  "all-gather",
  "reduce-scatter",
  "all-reduce",
  "all-to-all",
  "collective-permute",
] as const;

const rates = {
  latency: fc.double({ min: 1e-7, max: 1e-4, noNaN: true }),
  bandwidth: fc.double({ min: 1e8, max: 1e12, noNaN: true }),
};
const inner = fc.record({
  ...rates,
  fabric: fc.constantFrom("switch", "ring", "line"),
  devices: fc.integer({ min: 2, max: 8 }),
  nodes: fc.integer({ min: 2, max: 8 }),
});
const link: fc.Arbitrary<Link> = fc.oneof(
  fc.record({ ...rates, fabric: fc.constantFrom("switch", "ring", "line", "two-level") }),
  fc.record({ ...rates, fabric: fc.constant("two-level"), inner }),
);

const some = {
  bytes: fc.integer({ min: 0, max: 2 ** 40 }),
  launch: fc.constantFrom(0, 5e-6),
};
/** Loads of any group size, and of groups that are whole axes of nodes. */
const load = fc.oneof(
  fc.record({
    ...some,
    groupSize: fc.integer({ min: 1, max: 64 }),
    links: fc.array(link, { maxLength: 3 }),
  }),
  fc.record({ ...some, inner, ...rates }).map(({ inner, latency, bandwidth, ...others }) => ({
    ...others,
    groupSize: inner.devices * inner.nodes,
    links: [{ latency, bandwidth, fabric: "two-level" as const, inner }],
  })),
);

/** The value of a written factor, read as arithmetic. */
function read(text: string): number {
  const ceiled = text.replaceAll(/⌈(\d+)\/2⌉/gu, (_, n: string) =>
    String(Math.ceil(Number(n) / 2)),
  );
  const plain = ceiled.replaceAll("−", "-").replaceAll("·", "*");
  expect(plain).toMatch(/^[\d\s()*/.-]+$/);
  return evaluated(plain.replaceAll(/\s/gu, ""));
}

/** Sums, products and brackets of whole numbers. */
function evaluated(text: string): number {
  const inner = /\(([^()]*)\)/u.exec(text);
  if (inner !== null) return evaluated(text.replace(inner[0], String(evaluated(inner[1] ?? ""))));
  const [first = "", ...rest] = text.split(/(?=[*/-])/u);
  return rest.reduce((value, part) => {
    const number = Number(part.slice(1));
    if (part.startsWith("*")) return value * number;
    return part.startsWith("/") ? value / number : value - number;
  }, Number(first));
}

function isProduct({ factors, value }: Formula["terms"][number]): void {
  const product = factors.reduce(
    (all, factor) => (factor.divides ? all / worth(factor) : all * worth(factor)),
    1,
  );
  expect(Math.abs(product - value)).toBeLessThanOrEqual(1e-12 * Math.abs(value));
}

/** The value of a factor's text if it has one, else its own value. */
const worth = ({ text, value }: Factor) => (text === undefined ? value : read(text));

test("the terms of a collective's seconds add up to them, and are what they say", () => {
  const adds = (collective: Collective, given: Parameters<typeof explainSeconds>[1]) => {
    const formula = explainSeconds(collective, given);
    const seconds = collectiveSeconds(collective, given);
    const sum = formula.terms.reduce((all, { value }) => all + value, 0);
    expect(Math.abs(sum - seconds)).toBeLessThanOrEqual(1e-12 * seconds);
    expect(formula.value).toBe(sum);
    for (const term of formula.terms) isProduct(term);
  };
  fc.assert(fc.property(fc.constantFrom<Collective>("slice", "exchange", ...sent), load, adds), {
    seed: 5,
    numRuns: 400,
  });
});

test("the product of received bytes is what is received", () => {
  const bytes = fc.integer({ min: 1, max: 2 ** 32 });
  const size = fc.integer({ min: 1, max: 64 });
  fc.assert(
    fc.property(fc.constantFrom(...sent), size, bytes, (collective, groupSize, localBytes) => {
      const formula = explainReceived(collective, { groupSize, localBytes });
      const elements = receivedElements(collective, { groupSize, localElements: localBytes });
      expect(Math.abs(formula.value - elements)).toBeLessThanOrEqual(1e-12 * elements);
      for (const term of formula.terms) isProduct(term);
    }),
    { seed: 6, numRuns: 200 },
  );
});

test("an all-reduce on a switch reads as in the books", () => {
  const links: readonly Link[] = [{ latency: 3e-6, bandwidth: 450e9, fabric: "switch" }];
  const { terms } = explainSeconds("all-reduce", { groupSize: 4, bytes: 24e6, links });
  expect(terms.map(({ factors }) => factors.map(({ symbol, text }) => text ?? symbol))).toEqual([
    ["2 · (4 − 1)", "α"],
    ["B", "W"],
  ]);
  const received = explainReceived("all-reduce", { groupSize: 4, localBytes: 16e6 });
  expect(received.terms[0]?.factors.map(({ symbol }) => symbol)).toEqual(["2 · (n − 1)", "L", "n"]);
  expect(received.value).toBe(24e6);
});
