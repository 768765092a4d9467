import type { TensorId } from "#core/ir";
import type { SpmdProgram, Value } from "#core/program";
import type { Leaves, Precision } from "#execute/engine";
import {
  type Arithmetic,
  drawLeaves,
  type IntegerDraw,
  largestExact,
  type ReferenceRun,
  runReference,
  type ValueKind,
} from "#execute/reference";
import { type OwnNumbers, withOwn } from "./own-numbers.ts";
import { ownLeaves } from "./own-rounding.ts";
import type { ResolvedBodies } from "./resolve-bodies.ts";
import { withinSections } from "./within-sections.ts";

/**
 * Integers up to this value are exact in singles; a sum of such terms is the same in every order.
 */
const largestSingle = 2 ** 24;

/** The draws of integers; sparser ones are tried if sums grow too large. */
const draws: readonly IntegerDraw[] = [
  { range: 3, density: 1 },
  { range: 1, density: 1 },
  { range: 1, density: 0.25 },
];

/** Whether wrapped contributions combine to the wrapped result, as in sums and extremes. */
function wraps({ layout }: Value): boolean {
  return layout.partials.every(({ reduce }) => reduce !== "avg" && reduce !== "prod");
}

/** Options for the numbers of the reference. */
interface ReferenceOptions {
  readonly seed: number;
  readonly values: ValueKind;
  readonly isSingle: boolean;
  readonly own?: readonly OwnNumbers[];
  readonly precision?: Precision;
}

/** The unsharded run of a program: its inputs, its arithmetic and its results. */
export interface Unsharded {
  readonly leaves: Leaves;
  readonly arithmetic: Arithmetic;
  readonly reference: ReferenceRun;
}

/** The leaves of a run: drawn numbers, or the reader's own. */
export function leavesFor(
  program: SpmdProgram,
  { seed, values, isSingle, own = [], precision }: ReferenceOptions,
  { whole }: ResolvedBodies,
  draw?: IntegerDraw,
): Leaves {
  const { graph } = program;
  const drawn = withinSections(program, drawLeaves(graph, seed, values, draw, whole));
  const leaves = withOwn(graph, drawn, own, isSingle);
  return values === "floats" && precision === "own" ? ownLeaves(graph, leaves) : leaves;
}

/** The numbers of leaves in the form that the reference takes. */
export function numbersOf(leaves: Leaves): ReadonlyMap<TensorId, Float64Array> {
  return new Map([...leaves].map(([id, leaf]) => [id, leaf.values]));
}

/**
 * The reference on integers that stay exact. If they outgrow the engine's numbers it takes words,
 * which wrap around: at once for an engine of singles, only after sparser integers for one of
 * doubles. `undefined`, or integers that were rounded, if only floats can be compared.
 */
export function referenceFor(
  program: SpmdProgram,
  options: ReferenceOptions,
  bodies: ResolvedBodies,
): Unsharded | undefined {
  const drawnBy = (draw?: IntegerDraw) => leavesFor(program, options, bodies, draw);
  const runOn = (arithmetic: Arithmetic, leaves: Leaves, mostPeak?: number): Unsharded => {
    const { whole } = bodies;
    const inputs = numbersOf(leaves);
    const reference = runReference(program.graph, inputs, arithmetic, {
      bodies: whole,
      ...(mostPeak !== undefined && { mostPeak }),
    });
    return { leaves, arithmetic, reference };
  };
  const [first, ...sparser] = draws;
  const leaves = drawnBy(first);
  const canWrap = program.values.every(wraps);
  if (options.isSingle) {
    // Integers beyond a single's exact range are useless, so the run may stop at the first.
    const run = runOn("integers", leaves, largestSingle);
    if (run.reference.peak <= largestSingle) return run;
    return canWrap ? runOn("words", leaves) : undefined;
  }
  const run = runOn("integers", leaves, largestExact);
  if (run.reference.peak <= largestExact) return run;
  for (const draw of canWrap ? sparser : sparser.slice(0, -1)) {
    const fewer = runOn("integers", drawnBy(draw), largestExact);
    if (fewer.reference.peak <= largestExact) return fewer;
  }
  return canWrap ? runOn("words", leaves) : runOn("integers", drawnBy(sparser.at(-1)));
}
