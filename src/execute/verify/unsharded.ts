import type { SpmdProgram, Value } from "#core/program";
import type { Leaves } from "#execute/engine";
import {
  type Arithmetic,
  drawLeaves,
  type IntegerDraw,
  type ReferenceRun,
  runReference,
  type ValueKind,
} from "#execute/reference";
import { type OwnNumbers, withOwn } from "./own-numbers.ts";
import type { ResolvedBodies } from "./resolve-bodies.ts";
import { withinSections } from "./within-sections.ts";

/** Integers of a double are exact up to here; a sum of such terms is the same in every order. */
export const largestExact = 2 ** 53;

/** The same for a single. */
const largestSingle = 2 ** 24;

/** How integers are drawn; sparser ones are tried where sums grow too large. */
const draws: readonly IntegerDraw[] = [
  { range: 3, density: 1 },
  { range: 1, density: 1 },
  { range: 1, density: 0.25 },
];

/** Whether contributions that wrap around combine to what wraps around: sums do, and extremes. */
function wraps({ layout }: Value): boolean {
  return layout.partials.every(({ reduce }) => reduce !== "avg" && reduce !== "prod");
}

/** Which numbers the reference runs on. */
interface ReferenceOptions {
  readonly seed: number;
  readonly values: ValueKind;
  readonly isSingle: boolean;
  readonly own?: readonly OwnNumbers[];
}

/** What a program computes unsharded, from which numbers, and how they are computed with. */
export interface Unsharded {
  readonly leaves: Leaves;
  readonly arithmetic: Arithmetic;
  readonly reference: ReferenceRun;
}

/**
 * The reference on integers that stay exact, or on floats. An engine of singles takes words, which
 * wrap around, where integers outgrow a single; one of doubles tries sparser integers first. Nothing
 * where only floats can be compared.
 */
export function referenceFor(
  program: SpmdProgram,
  { seed, values, isSingle, own = [] }: ReferenceOptions,
  { whole }: ResolvedBodies,
): Unsharded | undefined {
  const { graph, values: held } = program;
  const runOn = (arithmetic: Arithmetic, draw?: IntegerDraw): Unsharded => {
    const drawn = withinSections(program, drawLeaves(graph, seed, values, draw, whole));
    const leaves = withOwn(graph, drawn, own, isSingle);
    const inputs = new Map([...leaves].map(([id, leaf]) => [id, leaf.values]));
    return { leaves, arithmetic, reference: runReference(graph, inputs, arithmetic, whole) };
  };
  if (values === "floats") return runOn(isSingle ? "singles" : "floats");
  const [first, ...sparser] = draws;
  let run = runOn("integers", first);
  if (isSingle) {
    if (run.reference.peak <= largestSingle) return run;
    return held.every(wraps) ? runOn("words", first) : undefined;
  }
  for (const draw of sparser) {
    if (run.reference.peak <= largestExact) break;
    run = runOn("integers", draw);
  }
  return run;
}
