import type { Compiled } from "#compile";
import { aliveAtSteps } from "#core/cost";
import type { Phase } from "#core/ir";
import { type FlatStep, flatSteps } from "#core/program";
import { groupedBy } from "#core/records";
import { type DisplayNames, displayNames } from "../display-names.ts";
import { rememberedFor } from "../remembered.ts";
import { foldedName } from "./item-names.ts";

/** A range of steps of one pass, both ends inclusive. */
export interface PassSpan {
  readonly name: "forward" | "backward" | "update";
  readonly from: number;
  readonly to: number;
}

/** The bytes of the fullest device over a step, as a curve to draw. */
export interface MemoryCurve {
  /** Bytes during each step, in step order. */
  readonly bytes: readonly number[];
  /** Index of the step with the most bytes. */
  readonly peak: number;
  readonly passes: readonly PassSpan[];
}

const stepsOf = rememberedFor((program: Compiled["program"]) => flatSteps(program));

const aliveOf = rememberedFor((program: Compiled["program"]) => aliveAtSteps(program));

const tensorsOf = rememberedFor(
  ({ values }: Compiled["program"]) => new Map(values.map(({ id, tensor }) => [id, tensor])),
);

/** The memory curve of a plan; `undefined` if a shape is unknown or nothing runs. */
export function memoryCurve({ memory, program }: Compiled): MemoryCurve | undefined {
  const { curve } = memory;
  if (curve.length === 0 || curve.some(Number.isNaN)) return undefined;
  const peak = curve.reduce((best, bytes, at) => (bytes > (curve[best] ?? 0) ? at : best), 0);
  return { bytes: curve, peak, passes: passesOf(stepsOf(program)) };
}

/** The pass of a phase; recomputation counts as backward. */
function passOf(phase: Phase): PassSpan["name"] {
  return phase === "recompute" ? "backward" : phase;
}

function passesOf(steps: readonly FlatStep[]): readonly PassSpan[] {
  const passes: PassSpan[] = [];
  for (const [at, { phase }] of steps.entries()) {
    const name = passOf(phase);
    const last = passes.at(-1);
    if (last?.name === name) passes[passes.length - 1] = { ...last, to: at };
    else passes.push({ name, from: at, to: at });
  }
  return passes;
}

/** A step of the curve, and the tensors that are alive while it runs. */
export interface Moment {
  /** The step in words: `h = matmul(n, w1)`, `all-gather of w2 over tp`. */
  readonly step: string;
  readonly phase: Phase;
  readonly bytes: number;
  /** Items, largest first; corresponding tensors of equal blocks are merged. */
  readonly alive: readonly AliveItem[];
  /** Number of items that are not listed. */
  readonly others: number;
}

export interface AliveItem {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
}

/**
 * One moment of the curve; `undefined` if there is no such step.
 *
 * @param most items that are listed
 */
export function momentAt(compiled: Compiled, at: number, most = 5): Moment | undefined {
  const { program, memory } = compiled;
  const step = stepsOf(program)[at];
  if (step === undefined) return undefined;
  const names = displayNames(compiled);
  const tensorOf = tensorsOf(program);
  const held = aliveOf(program)(at).filter(({ bytes }) => bytes > 0);
  const groups = groupedBy(held, ({ value, what }) => {
    const name = foldedName(names.value(value));
    return what === undefined ? name : `${name}, ${what}`;
  });
  const items = [...groups]
    .map(([name, group]) => ({
      name,
      count: new Set(group.map(({ value }) => tensorOf.get(value))).size,
      bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
    }))
    .sort((a, b) => b.bytes - a.bytes);
  return {
    ...{ step: stepName(step, names), phase: step.phase },
    bytes: memory.curve[at] ?? Number.NaN,
    alive: items.slice(0, most),
    others: Math.max(0, items.length - most),
  };
}

function stepName(step: FlatStep, names: DisplayNames): string {
  if (step.kind === "collective") {
    const over = step.axes.length === 0 ? "" : ` over ${step.axes.join(", ")}`;
    return `${step.collective} of ${names.value(step.input)}${over}`;
  }
  return names.made(step.operator);
}
