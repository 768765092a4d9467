import type { Collective } from "#core/collective";
import type { Checked, Diagnostic } from "#core/diagnostics";
import type { Layout } from "#core/mesh";
import type { PricedSteps, PriceOptions, ReshardStep } from "#core/reshard";
import type { Edge } from "./edge.ts";
import { type Cause, type EdgeFacts, whyItDiffers } from "./why.ts";

/** A step of another system, with that system's name for it. */
export interface PolicyStep {
  readonly collective: Collective;
  readonly axes: readonly string[];
  /** The system's own primitives, e.g. `AllGather, Split, Concat`. */
  readonly words: string;
}

/** One form of a system's list of primitives, as the first device of the mesh runs it. */
export interface PolicyList {
  /**
   * `raw`: as inferred; `clean`: as the compiler emits it; `both`: where these are equal;
   * `all-to-all`: with AllToAll enabled.
   */
  readonly form: "raw" | "clean" | "both" | "all-to-all";
  readonly text: string;
  /** Bytes received by a device. */
  readonly bytes: number;
  /** Bytes of the largest intermediate block. */
  readonly largestBytes: number;
}

/** The system of an outcome: its name in texts, and its title on the page. */
export interface SystemName {
  readonly policy: string;
  readonly title: string;
  /** Exact scope of its steps, if narrower than the system's name suggests. */
  readonly note: string;
}

/** Another system's redistribution of an edge. */
export interface PlannedOutcome extends SystemName {
  readonly kind: "planned";
  /** All steps, including those that send nothing. */
  readonly steps: readonly PolicyStep[];
  /** Bytes received by the busiest device. */
  readonly bytes: number;
  readonly seconds: number;
  /** Why it differs from the plan's own redistribution, or that it does not, in one sentence. */
  readonly why: string;
  /**
   * Tensor sizes in bytes for which it is modelled as faster than the plan's own; absent when there
   * are none.
   */
  readonly faster?: { readonly above: number; readonly until: number };
  /**
   * Whether its steps end in blocks other than the target layout's, so that it cannot be chosen.
   */
  readonly isUnfit?: true;
  /** Its lists of primitives, if the system has such lists. */
  readonly lists?: readonly PolicyList[];
}

/** Why a system has no plan for an edge. */
export interface DeclinedOutcome extends SystemName {
  readonly kind: "declined";
  readonly reason: string;
}

/** Another system's redistribution of an edge, or why it has none. */
export type PolicyOutcome = PlannedOutcome | DeclinedOutcome;

/** Plans a system's own steps between two layouts of a tensor. */
export type Reshard = (
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: PriceOptions,
) => Checked<PricedSteps>;

/** A system's redistribution of tensors, and its descriptions. */
export interface SystemReshards {
  /** Exact scope of its steps, if narrower than the system's name suggests. */
  readonly note: string;
  readonly between: Reshard;
  /** Plans an edge of a program, including the reduction of partial sums; default: `between`. */
  readonly onEdge?: (edge: Omit<Edge, "ours">) => Checked<PricedSteps>;
  /** The system's name for a step; default: the collective's name. */
  readonly wordsOf?: (step: Pick<ReshardStep, "collective" | "moves">) => string;
  /** Why its plan differs from the plan's own, if its rules explain that. */
  readonly cause?: Cause;
  /** Its own lists of primitives. */
  readonly lists?: (edge: Edge) => readonly PolicyList[];
}

/** A system that plans redistributions itself. */
export interface ReshardingSystem {
  readonly name: string;
  readonly title: string;
  readonly reshards: SystemReshards;
}

/** The system's name as used in outcomes. */
export function namedAs({ name, title, reshards }: ReshardingSystem): SystemName {
  return { policy: name, title, note: reshards.note };
}

/** A system's priced steps for an edge; a diagnostic when it has none. */
export function systemReshard(
  { reshards }: ReshardingSystem,
  edge: Omit<Edge, "ours">,
): Checked<PricedSteps> {
  const { from, to, shape, bytesPerElement } = edge;
  return reshards.onEdge?.(edge) ?? reshards.between(from, to, shape, { bytesPerElement });
}

/**
 * A system's outcome for an edge, priced by the same model as the plan's own redistribution, and
 * why they differ.
 */
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

/** The outcome for a system that needs no communication on an edge. */
export function nothingSent(system: ReshardingSystem, why: string): PlannedOutcome {
  return { kind: "planned", ...namedAs(system), steps: [], bytes: 0, seconds: 0, why };
}
