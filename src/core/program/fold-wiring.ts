import type { FlatStep, ValueId } from "./program.ts";

/** The step that makes a value, and the result's position. */
interface Source {
  readonly step: number;
  readonly output: number;
}

/** Steps with the sources of their values. */
export interface Wires {
  readonly steps: readonly FlatStep[];
  readonly sources: ReadonlyMap<ValueId, Source>;
}

/** The source of a value that a body reads: `step` counts inside the body. */
export type Wire =
  /** Made earlier in the same run. */
  | { readonly kind: "local"; readonly source: Source }
  /** Made `distance` runs earlier; for the first `distance` runs made before all runs. */
  | { readonly kind: "carried"; readonly source: Source; readonly distance: number }
  /** Made before all runs. */
  | { readonly kind: "each" };

/** Equal runs of steps: how often, and the wires of the body, per step and operand. */
export interface Wiring {
  readonly count: number;
  readonly wires: readonly (readonly Wire[])[];
  /**
   * The first step of the body that differs in the run that ended the count; absent if all runs are
   * equal.
   */
  readonly faultAt?: number;
}

/** Finds the sources of all values; for a value that is made twice, the first. */
export function wiresOf(steps: readonly FlatStep[]): Wires {
  const sources = new Map<ValueId, Source>();
  for (const [step, each] of steps.entries()) {
    for (const [output, id] of writesOf(each).entries()) {
      if (!sources.has(id)) sources.set(id, { step, output });
    }
  }
  return { steps, sources };
}

/**
 * How many of the runs of `period` steps from `start` are connected in the same way, at most
 * `count`: run by run, until one differs.
 */
export function wiringOf(wires: Wires, start: number, period: number, count: number): Wiring {
  let known: readonly (readonly Wire[])[] = [];
  for (let run = 0; run < count; run += 1) {
    const next: (readonly Wire[])[] = [];
    for (let at = 0; at < period; at += 1) {
      const step = readWires(wires, known[at], { start, period, run, at });
      if (step === undefined) return { count: run, wires: known, faultAt: at };
      next.push(step);
    }
    known = next;
  }
  return { count, wires: known };
}

interface StepInRun {
  readonly start: number;
  readonly period: number;
  readonly run: number;
  /** The step's index in the body. */
  readonly at: number;
}

/**
 * The wires of one step of one run, joined to the wires of earlier runs; `undefined` when they
 * differ.
 */
function readWires(
  { steps, sources }: Wires,
  known: readonly Wire[] | undefined,
  place: StepInRun,
): readonly Wire[] | undefined {
  const base = place.start + place.run * place.period;
  const step = steps[base + place.at];
  if (step === undefined) return undefined;
  const joined: Wire[] = [];
  for (const [operand, id] of readsOf(step).entries()) {
    const source = sources.get(id);
    // A value made before the runs, or by no step, comes from outside.
    const inside = source !== undefined && source.step >= place.start ? source : undefined;
    const relative = inside && { step: inside.step - base, output: inside.output };
    const wire =
      place.run === 0 ? firstWire(relative) : joinedWire(known?.[operand], relative, place);
    if (wire === undefined) return undefined;
    joined.push(wire);
  }
  return joined;
}

function firstWire(source: Source | undefined): Wire {
  return source === undefined ? { kind: "each" } : { kind: "local", source };
}

/**
 * The wire that holds for the earlier runs and for one more run; `undefined` if there is none.
 * `source` counts from the new run.
 */
function joinedWire(
  wire: Wire | undefined,
  source: Source | undefined,
  { run, period }: StepInRun,
): Wire | undefined {
  if (wire?.kind === "each" && source === undefined) return wire;
  if (wire === undefined || source === undefined) return undefined;
  if (wire.kind === "local") return isSame(wire.source, source) ? wire : undefined;
  const distance = Math.ceil(-source.step / period);
  const before = { step: source.step + distance * period, output: source.output };
  if (wire.kind === "carried") {
    return wire.distance === distance && isSame(wire.source, before) ? wire : undefined;
  }
  // All earlier runs read from outside. The first run that does not must read a value of run 0.
  return distance === run ? { kind: "carried", source: before, distance } : undefined;
}

function isSame(a: Source, b: Source): boolean {
  return a.step === b.step && a.output === b.output;
}

/** The values that a step reads. */
export function readsOf(step: FlatStep): readonly ValueId[] {
  return step.kind === "local" ? step.inputs : [step.input];
}

/** The values that a step makes. */
export function writesOf(step: FlatStep): readonly ValueId[] {
  return step.kind === "local" ? step.outputs : [step.output];
}
