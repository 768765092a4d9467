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
  /** Received by a device. */
  readonly bytes: number;
  /** Of the largest block on the way. */
  readonly largestBytes: number;
}

/** The system of an outcome: its name in texts, and its title on the page. */
export interface SystemName {
  readonly policy: string;
  readonly title: string;
  /** What exactly its steps model, where the system's name alone would claim too much. */
  readonly note: string;
}

/** How another system redistributes an edge. */
export interface PlannedOutcome extends SystemName {
  readonly kind: "planned";
  /** All steps, also those that send nothing. */
  readonly steps: readonly PolicyStep[];
  /** Received by the busiest device. */
  readonly bytes: number;
  readonly seconds: number;
  /** Why it differs from ours, or that it does not, in one sentence. */
  readonly why: string;
  /**
   * The tensor sizes in bytes for which it is faster than ours by the model; absent where it is
   * not.
   */
  readonly faster?: { readonly above: number; readonly until: number };
  /**
   * Whether its steps end in other blocks than the target layout's, so that it cannot be chosen.
   */
  readonly isUnfit?: true;
  /** Its lists of primitives, where the system has such lists. */
  readonly lists?: readonly PolicyList[];
}

/** Why a system has no plan of an edge. */
export interface DeclinedOutcome extends SystemName {
  readonly kind: "declined";
  readonly reason: string;
}

/** How another system redistributes an edge, or why it cannot. */
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
  /** What exactly its steps model, where the system's name alone would claim too much. */
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

/** A system that plans redistributions itself. */
export interface ReshardingSystem {
  readonly name: string;
  readonly title: string;
  readonly reshards: SystemReshards;
}

/** The name of a system as outcomes have it. */
export function namedAs({ name, title, reshards }: ReshardingSystem): SystemName {
  return { policy: name, title, note: reshards.note };
}

/** The steps by which a system redistributes an edge, priced; a diagnostic where it cannot. */
export function systemReshard(
  { reshards }: ReshardingSystem,
  edge: Omit<Edge, "ours">,
): Checked<PricedSteps> {
  const { from, to, shape, bytesPerElement } = edge;
  return reshards.onEdge?.(edge) ?? reshards.between(from, to, shape, { bytesPerElement });
}

/** How a system redistributes an edge, priced by the same model as ours, and why it differs. */
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
