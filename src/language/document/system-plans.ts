import type { Diagnostic, TextEdit } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { OperatorPlan, Requests } from "#core/plan";
import type { BuiltGraph } from "./graph/build-graph.ts";
import type { WrittenMatrix } from "./graph/document-mesh.ts";
import type { AxisLists } from "./trace/axes-text.ts";
import type { StrategyCall, Trace } from "./trace/trace.ts";

/** Program as a system sees it to read its plans. */
export interface SystemReading {
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly source: string;
  readonly boundNames: ReadonlySet<string>;
}

/** Requests of a system's own statements, before the mesh is known. */
export interface SystemPlans {
  /** Device matrices that the mesh has to hold, in program order. */
  readonly matrices: readonly WrittenMatrix[];
  readonly diagnostics: readonly Diagnostic[];
  readonly on: (mesh: DeviceMesh) => PlacedPlans;
}

/** Requests of a system's own statements on the document's mesh. */
export interface PlacedPlans {
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly placements: Requests["placements"];
  /** Layouts in which operators read parameters that are stored in smaller shards. */
  readonly held?: Requests["held"];
  /** Parameters gathered again for the backward pass, and those kept gathered. */
  readonly gatheredAgain?: Requests["gatheredAgain"];
  readonly keptGathered?: Requests["keptGathered"];
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics that depend on which operators have a `strategy(…)` of their own. */
  readonly notesBeside?: (set: ReadonlyMap<OperatorId, StrategyCall>) => readonly Diagnostic[];
  /** Notes on how the system differs in a training step. */
  readonly trainingNotes?: readonly Diagnostic[];
  /** Notes on the text as a whole. */
  readonly closingNotes?: readonly Diagnostic[];
}

/** A plan to be written into a text in a system's notation. */
export interface PlanWriting extends SystemReading {
  readonly mesh: DeviceMesh;
  /** Strategy of every planned operator: mesh axes per identifier. */
  readonly planned: ReadonlyMap<OperatorId, AxisLists>;
  /** Operators whose strategies are not in the text yet. */
  readonly wanted: ReadonlySet<OperatorId>;
}

/** Layouts to be written into a text in a system's notation. */
export interface PlaceWriting extends SystemReading {
  readonly mesh: DeviceMesh;
  /** Names of tensors that get the same layout. */
  readonly tensors: readonly string[];
  /** Mesh axes per dim, outermost first. */
  readonly wanted: readonly (readonly string[])[];
}

/**
 * The part of a plan that a system can write. Each edit is tried: the text is read again to see its
 * effect.
 */
export interface OwnWords {
  readonly passages: readonly OwnPassage[];
  /** Reason why the system cannot write an operator's strategy, for operators in no passage. */
  readonly unsaid: ReadonlyMap<OperatorId, string>;
}

/**
 * A passage of the text that determines how some operators are split, with several ways to edit it.
 */
export interface OwnPassage {
  readonly operators: readonly OperatorId[];
  /** Whether the edit replaces everything the text says in the system's notation. */
  readonly isWhole?: true;
  /** Ways to edit the passage, shortest first. */
  readonly manners: readonly OwnManner[];
}

/** One way to edit a passage. Edits shared by several passages appear in each and are made once. */
export interface OwnManner {
  readonly edits: readonly TextEdit[];
}

/** A system's reader of plans. */
interface PlanReader {
  readonly plans?: (reading: SystemReading) => SystemPlans;
}

/** Requests of all systems; for an operator requested twice the last system wins. */
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
