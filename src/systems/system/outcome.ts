import type { Collective } from "#core/collective";
import type { Checked, Diagnostic } from "#core/diagnostics";
import type { Layout } from "#core/mesh";
import type { PricedSteps, PriceOptions, ReshardStep } from "#core/reshard";
import type { Edge } from "./edge.ts";
import { type Cause, type EdgeFacts, whyItDiffers } from "./why.ts";

/** A step of another system: what it does, and what that system calls it. */
export interface PolicyStep {
  readonly collective: Collective;
  readonly axes: readonly string[];
  /** The system's own primitives, e.g. `AllGather, Split, Concat`. */
  readonly words: string;
}

/** One form of a system's own list of primitives, as the first device of the mesh runs it. */
export interface PolicyList {
  /**
   * `raw` as it is inferred, `clean` as the compiler emits it, `both` where that is the same,
   * `all-to-all` where the system may use AllToAll.
   */
  readonly form: "raw" | "clean" | "both" | "all-to-all";
  readonly text: string;
  /** Received by a device. */
  readonly bytes: number;
  /** Of the largest block on the way. */
  readonly largestBytes: number;
}

/** Whose steps an outcome tells: as texts name the system, and as it calls itself. */
export interface SystemName {
  readonly policy: string;
  readonly title: string;
  /** What its steps are, where its name alone would promise too much. */
  readonly note: string;
}

/** What another system's own lowering would do on an edge. */
export interface PlannedOutcome extends SystemName {
  readonly kind: "planned";
  /** All of them, those that send nothing too. */
  readonly steps: readonly PolicyStep[];
  /** Received by the busiest device. */
  readonly bytes: number;
  readonly seconds: number;
  /** Why that is not what ours does, in one sentence; that it is, where it is. */
  readonly why: string;
  /** Where it takes less modelled time than ours: for which sizes of the tensor, in bytes. */
  readonly faster?: { readonly above: number; readonly until: number };
  /** Its steps do not end in the blocks that are wanted, so that they cannot be chosen. */
  readonly isUnfit?: true;
  /** Of a system that writes lists of its primitives, where it redistributes. */
  readonly lists?: readonly PolicyList[];
}

/** Why a system has no plan of an edge. */
export interface DeclinedOutcome extends SystemName {
  readonly kind: "declined";
  readonly reason: string;
}

/** What another system's own lowering would do on an edge, or why it has none. */
export type PolicyOutcome = PlannedOutcome | DeclinedOutcome;

/** A system's own sequence of steps between two layouts of a tensor. */
export type Reshard = (
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: PriceOptions,
) => Checked<PricedSteps>;

/** How a system redistributes a tensor, and what is said of it. */
export interface SystemReshards {
  /** What its steps are, where its name alone would promise too much. */
  readonly note: string;
  readonly between: Reshard;
  /** On an edge of a program, where sums end too; `between` when unsaid. */
  readonly onEdge?: (edge: Omit<Edge, "ours">) => Checked<PricedSteps>;
  /** What it calls a step; the collective's own name when unsaid. */
  readonly wordsOf?: (step: Pick<ReshardStep, "collective" | "moves">) => string;
  /** Why its plan is not ours, where its own rules explain that. */
  readonly cause?: Cause;
  /** Its own lists of primitives. */
  readonly lists?: (edge: Edge) => readonly PolicyList[];
}

/** A system with steps of its own. */
export interface ReshardingSystem {
  readonly name: string;
  readonly title: string;
  readonly reshards: SystemReshards;
}

/** A system as outcomes name it. */
export function namedAs({ name, title, reshards }: ReshardingSystem): SystemName {
  return { policy: name, title, note: reshards.note };
}

/** A system's own steps on an edge. */
export function systemReshard(
  { reshards }: ReshardingSystem,
  edge: Omit<Edge, "ours">,
): Checked<PricedSteps> {
  const { from, to, shape, bytesPerElement } = edge;
  return reshards.onEdge?.(edge) ?? reshards.between(from, to, shape, { bytesPerElement });
}

/** What a system would do on an edge, priced as ours, and why that differs. */
export function outcomeOf(
  system: ReshardingSystem,
  edge: Edge,
  checked: Checked<PricedSteps> = systemReshard(system, edge),
): PolicyOutcome {
  const { reshards } = system;
  if (!checked.ok) {
    return { kind: "declined", ...namedAs(system), reason: checked.diagnostics[0]?.message ?? "" };
  }
  const { bytes, seconds } = checked.value;
  const steps = checked.value.steps.map((step) => ({
    collective: step.collective,
    axes: step.axes,
    words: reshards.wordsOf?.(step) ?? step.collective,
  }));
  const theirs = { steps, bytes, seconds };
  const why = whyItDiffers(reshards.cause, edge.ours, theirs, factsOf(edge, checked.diagnostics));
  const lists = reshards.lists?.(edge) ?? [];
  const told = { ...theirs, why, ...(lists.length > 0 && { lists }) };
  return { kind: "planned", ...namedAs(system), ...told };
}

function factsOf({ from, to }: Edge, diagnostics: readonly Diagnostic[]): EdgeFacts {
  return {
    isPartial: from.partials.length > to.partials.length,
    isAcross: sizesOf(from) !== sizesOf(to),
    codes: diagnostics.map(({ code }) => code),
  };
}

function sizesOf({ mesh }: Layout): string {
  return mesh.axes.map(({ size }) => size).join();
}

/** The outcome of a system that sends nothing. */
export function nothingSent(system: ReshardingSystem, why: string): PlannedOutcome {
  return { kind: "planned", ...namedAs(system), steps: [], bytes: 0, seconds: 0, why };
}
