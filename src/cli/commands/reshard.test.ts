import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Answer } from "./answer.ts";
import { type Case, casesOf, shortfalls } from "./conformance.testing.ts";
import { reshardAnswer } from "./reshard.ts";

interface Point {
  readonly steps: number;
  readonly elements: number;
}

interface Step {
  readonly collective: string;
  readonly layout: string;
}

const cases = casesOf("reshard", "reshard").filter((each) =>
  ["optimal", "shardy", "dtensor"].includes(String(each.request.args.policy)),
);

test.each(cases)("reshard answers $id", ({ request, expected }) => {
  expect(faultsOf(reshardAnswer(request.args), expected)).toEqual([]);
});

function faultsOf(answer: Answer, expected: Case["expected"]): readonly string[] {
  const { $front, $dominates, $least, $steps, $counts, $total, ...plain } = expected;
  const front = (answer.front ?? []) as readonly Point[];
  const steps = (answer.steps ?? []) as readonly Step[];
  const moving = steps.map((step) => step.collective).filter((kind) => kind !== "slice");
  const faults = [...shortfalls(answer, plain)];
  if (isPoint($front) && !front.some((point) => point.elements <= $front.elements)) {
    faults.push(`no point of ${JSON.stringify(front)} has ${$front.elements} elements`);
  }
  if (isPoint($dominates) && !front.some((point) => dominates(point, $dominates))) {
    faults.push(`no point of ${JSON.stringify(front)} dominates ${JSON.stringify($dominates)}`);
  }
  if (isLeast($least)) {
    const [bound, factor] = $least;
    const elements = Number(answer.elements);
    const most = factor === null || bound === 0 ? Number.POSITIVE_INFINITY : bound * factor;
    if (elements < bound || elements > most) faults.push(`${elements} elements`);
  }
  if ($steps !== undefined) {
    const sequence = steps.map(({ collective, layout }) => ({ collective, layout }));
    if (!isDeepStrictEqual(sequence, $steps)) faults.push(JSON.stringify(sequence));
  }
  if ($counts !== undefined) {
    const counts = Object.fromEntries(
      [...new Set(moving)].map((kind) => [kind, moving.filter((other) => other === kind).length]),
    );
    if (!isDeepStrictEqual(counts, $counts)) faults.push(JSON.stringify(counts));
  }
  if ($total !== undefined && moving.length !== $total) faults.push(`${moving.length} steps`);
  return faults;
}

function dominates(point: Point, other: Point): boolean {
  return point.steps <= other.steps && point.elements <= other.elements;
}

function isPoint(value: unknown): value is Point {
  return typeof value === "object" && value !== null && "elements" in value;
}

function isLeast(value: unknown): value is readonly [number, number | null] {
  return Array.isArray(value) && value.length === 2;
}
