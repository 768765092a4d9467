import type { Diagnostic, TextEdit } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { OperatorPlan, Requests } from "#core/plan";
import type { BuiltGraph } from "./graph/build-graph.ts";
import type { WrittenMatrix } from "./graph/document-mesh.ts";
import type { AxisLists } from "./trace/axes-text.ts";
import type { StrategyCall, Trace } from "./trace/trace.ts";

/** What a system reads the plans of a program from. */
export interface SystemReading {
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly source: string;
  readonly boundNames: ReadonlySet<string>;
}

/** The requests of a system's own statements in a program, before the mesh is known. */
export interface SystemPlans {
  /** The device matrices that the mesh has to hold, in program order. */
  readonly matrices: readonly WrittenMatrix[];
  readonly diagnostics: readonly Diagnostic[];
  readonly on: (mesh: DeviceMesh) => PlacedPlans;
}

/** What a system's own statements request on the mesh of the document. */
export interface PlacedPlans {
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly placements: Requests["placements"];
  /** What readers have of parameters that rest in smaller pieces. */
  readonly held?: Requests["held"];
  /** Parameters that are gathered again for the backward pass, and those that are not. */
  readonly gatheredAgain?: Requests["gatheredAgain"];
  readonly keptGathered?: Requests["keptGathered"];
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics that depend on which operators have a `strategy(…)` of their own. */
  readonly notesBeside?: (set: ReadonlyMap<OperatorId, StrategyCall>) => readonly Diagnostic[];
  /** What the system does differently in a training step. */
  readonly trainingNotes?: readonly Diagnostic[];
  /** What concerns the text as a whole. */
  readonly closingNotes?: readonly Diagnostic[];
}

/** A plan to write into a text in the notation of a system. */
export interface PlanWriting extends SystemReading {
  readonly mesh: DeviceMesh;
  /** The strategy of every operator of the plan, as axes per identifier. */
  readonly planned: ReadonlyMap<OperatorId, AxisLists>;
  /** The operators whose strategies the text does not have yet. */
  readonly wanted: ReadonlySet<OperatorId>;
}

/** How tensors are to lie, to write into a text in the notation of a system. */
export interface PlaceWriting extends SystemReading {
  readonly mesh: DeviceMesh;
  /** The names of tensors that are to lie alike. */
  readonly tensors: readonly string[];
  /** Axes per dim, outermost first. */
  readonly wanted: readonly (readonly string[])[];
}

/**
 * What a system can write of a plan. Each edit is a trial: the text is read again to see its
 * effect.
 */
export interface OwnWords {
  readonly passages: readonly OwnPassage[];
  /** Why the system cannot write the strategy of an operator, for operators in no passage. */
  readonly unsaid: ReadonlyMap<OperatorId, string>;
}

/**
 * One passage of the text that determines how some operators are split, with several ways to edit
 * it.
 */
export interface OwnPassage {
  readonly operators: readonly OperatorId[];
  /** Whether it replaces all that the text says in the system's notation. */
  readonly isWhole?: true;
  /** The shortest first. */
  readonly manners: readonly OwnManner[];
}

/**
 * One way to edit a passage. Edits that several passages need are in each of them, and made once.
 */
export interface OwnManner {
  readonly edits: readonly TextEdit[];
}

/** The part of a system that reads plans. */
interface PlanReader {
  readonly plans?: (reading: SystemReading) => SystemPlans;
}

/** The requests of all systems together; for one operator the last counts. */
export function plansOf(
  systems: readonly PlanReader[],
  reading: SystemReading,
): Omit<SystemPlans, "on"> & { readonly on: (mesh: DeviceMesh) => Required<PlacedPlans> } {
  const each = systems.flatMap(({ plans }) => plans?.(reading) ?? []);
  return {
    matrices: each.flatMap(({ matrices }) => matrices),
    diagnostics: each.flatMap(({ diagnostics }) => diagnostics),
    on: (mesh) => {
      const placed = each.map(({ on }) => on(mesh));
      return {
        plans: new Map(placed.flatMap(({ plans }) => [...plans])),
        placements: new Map(placed.flatMap(({ placements }) => [...placements])),
        held: new Map(placed.flatMap(({ held = new Map() }) => [...held])),
        gatheredAgain: new Set(
          placed.flatMap(({ gatheredAgain = new Set() }) => [...gatheredAgain]),
        ),
        keptGathered: new Set(placed.flatMap(({ keptGathered = new Set() }) => [...keptGathered])),
        diagnostics: placed.flatMap(({ diagnostics }) => diagnostics),
        notesBeside: (set) => placed.flatMap(({ notesBeside }) => notesBeside?.(set) ?? []),
        trainingNotes: placed.flatMap(({ trainingNotes = [] }) => trainingNotes),
        closingNotes: placed.flatMap(({ closingNotes = [] }) => closingNotes),
      };
    },
  };
}
