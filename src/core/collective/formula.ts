import { sum } from "#core/arithmetic";
import type { Collective } from "./collective.ts";
import { type CollectiveLoad, defaultLink } from "./seconds.ts";
import { bytesGrowth, type Growth, type Stage, stagesOf } from "./stages.ts";

/** Unit of a number in a formula. */
export type Unit = "s" | "B" | "B/s" | "FLOP" | "FLOP/s" | "1";

/** A number in a product: its symbol, value and unit. */
export interface Factor {
  /** `2 · (n − 1)`, `α`, `W`, `m`. */
  readonly symbol: string;
  readonly value: number;
  readonly unit: Unit;
  /** The symbol with its numbers, for symbols that are expressions: `2 · (4 − 1)`. */
  readonly text?: string;
  /** The product is divided by it. */
  readonly divides?: true;
}

/** A part of a figure: the product of its factors. */
export interface Term {
  readonly name: string;
  readonly factors: readonly Factor[];
  readonly value: number;
}

/** Figure with its derivation: the sum of its terms, or the largest of them. */
export interface Formula {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  readonly joins: "sum" | "largest";
  readonly terms: readonly Term[];
  /** Cost model of the figure, and its source. */
  readonly source: string;
}

/** A term from its factors: its value is their product. */
export function termOf(name: string, factors: readonly Factor[]): Term {
  const value = factors.reduce(
    (product, factor) => (factor.divides ? product / factor.value : product * factor.value),
    1,
  );
  return { name, factors, value };
}

/** A figure from its terms. */
export function formulaOf(
  name: string,
  unit: Unit,
  terms: readonly Term[],
  { source, joins = "sum" }: { readonly source: string; readonly joins?: Formula["joins"] },
): Formula {
  const values = terms.map(({ value }) => value);
  const value = joins === "sum" ? sum(values) : Math.max(0, ...values);
  return { name, value, unit, joins, terms, source };
}

/** A growth as a factor, with the group's size in it. */
function grown(growth: Growth, size: number): Factor {
  const [symbol, text] = [growth.text("n"), growth.text(String(size))];
  return { symbol, value: growth.of(size), unit: "1", ...(text !== symbol && { text }) };
}

/** Leaves out factors of the constant 1. */
function said(factors: readonly Factor[]): readonly Factor[] {
  return factors.filter(({ symbol }) => symbol !== "1");
}

const fabrics = {
  switch: "a switch",
  ring: "a ring with both directions",
  line: "a line",
} as const;

/** Formula for the seconds of a collective, term by term; its value equals `collectiveSeconds`. */
export function explainSeconds(collective: Collective, load: CollectiveLoad): Formula {
  const { groupSize: size, bytes, launch = 0 } = load;
  if (collective === "slice" || size <= 1 || bytes <= 0) {
    return formulaOf(collective, "s", [], { source: "nothing is sent" });
  }
  const stages = stagesOf(collective, size, load.links, defaultLink);
  const terms = [
    ...(launch > 0 ? [termOf("launch", [{ symbol: "launch", value: launch, unit: "s" }])] : []),
    ...stages.map(latencyTerm),
    ...longest(stages.map((stage) => transferTerm(stage, bytes))),
  ];
  const source = `α–β model of ${collective} over ${fabricOf(stages)}; scaling book, “Sharded matrices”`;
  return formulaOf(collective, "s", terms, { source });
}

function fabricOf([stage, inner]: readonly Stage[]): string {
  const { fabric } = stage?.link ?? {};
  if (inner !== undefined) return `${stage?.size} nodes of ${inner.size} devices`;
  if (fabric === "two-level") return "the links between nodes, priced as a switch";
  return fabric === undefined ? "links, priced as a switch" : fabrics[fabric];
}

function latencyTerm({ place, size, link, growth: { hops } }: Stage): Term {
  return termOf(place === undefined ? "latency" : `latency ${place}`, [
    ...said([grown(hops, size)]),
    { symbol: "α", value: link.latency, unit: "s" },
  ]);
}

function transferTerm(
  { place, size, link, growth: { share }, portion }: Stage,
  bytes: number,
): Term {
  const { bandwidth, reached = 1 } = link;
  return termOf(place === undefined ? "transfer" : `transfer ${place}`, [
    ...said([grown(share, size)]),
    ...(place === undefined ? [] : [partOf(portion)]),
    { symbol: "B", value: bytes, unit: "B" },
    { symbol: "W", value: bandwidth, unit: "B/s", divides: true },
    ...(reached === 1
      ? []
      : [{ symbol: "reached", value: reached, unit: "1", divides: true } as const]),
  ]);
}

/** Stages transfer at the same time, so only the longest term counts. */
function longest(terms: readonly Term[]): readonly Term[] {
  const [first, second] = terms;
  if (first === undefined || second === undefined) return terms;
  const [long, short] = second.value > first.value ? [second, first] : [first, second];
  return [{ ...long, name: `${long.name}, beside ${short.name}` }];
}

/** Share of the received bytes that arrive in a stage, as a factor. */
function partOf(portion: number): Factor {
  return { symbol: "part", value: portion, unit: "1" };
}

/**
 * Formula for the bytes that a device receives in a collective, from its bytes before it
 * (`localBytes`).
 */
export function explainReceived(
  collective: Exclude<Collective, "slice" | "exchange">,
  { groupSize, localBytes }: { readonly groupSize: number; readonly localBytes: number },
): Formula {
  const { times, over } = bytesGrowth(collective);
  const size = groupSize;
  const factors = said([
    grown(times, size),
    { symbol: "L", value: localBytes, unit: "B" },
    { ...grown(over, size), divides: true },
  ]);
  const terms = size <= 1 ? [] : [termOf("received", factors)];
  return formulaOf(`received by ${collective}`, "B", terms, {
    source: "L is what a device holds before the step",
  });
}
