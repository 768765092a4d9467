import type { NamedModel } from "#core/cost";
import type { Diagnostic, TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import type { Document, ReadingSystem } from "#language/document";
import type { OwnWords, PlaceWriting, PlanWriting } from "#language/document/bindings";
import type { TracedOperator } from "#language/document/trace";
import type { CodeTarget } from "#systems/arrays";
import type { SystemEmits } from "./emitted.ts";
import type { SystemExplains } from "./explain/explain.ts";
import type { GraphFormat } from "./graph/graph-format.ts";
import type { SystemReshards } from "./outcome.ts";
import type { SystemRules } from "./rule.ts";
import type { SystemRuns } from "./run.ts";

/**
 * A real system: how its programs are read (`ReadingSystem`), and what it would do itself. Each
 * folder of `systems/` has one such value, listed in `systems.ts`.
 */
export interface System extends ReadingSystem {
  /** Its redistribution of an edge. */
  readonly reshards?: SystemReshards;
  /** Its run of a whole program. */
  readonly runs?: SystemRuns;
  /** Its cost model for plans. */
  readonly costModel?: NamedModel;
  /** The graph into which it compiles a program. */
  readonly emits?: SystemEmits;
  /** Its rules that forbid splits. */
  readonly rules?: SystemRules;
  /**
   * What the system would do differently for an operator cut by a strategy: half a sentence to
   * follow the system's name; `undefined` when there is no difference. Not used for texts written
   * for the system.
   */
  readonly verdict?: (cut: CutOperator) => string | undefined;
  /** Diagnostics of a planned program, e.g. of steps that the system would compute wrongly. */
  readonly findings?: (document: Document, planned: PlannedProgram) => readonly Diagnostic[];
  /** Editor services for its names. */
  readonly explains?: SystemExplains;
  /** Its format of graphs in JSON. */
  readonly graphs?: GraphFormat;
  /** Engines of the system for which plans can be written as code. */
  readonly writes?: readonly CodeTarget[];
  /**
   * Edits that write a plan in its notation; each is a trial, whose effect is found by reading the
   * text again.
   */
  readonly says?: (writing: PlanWriting) => OwnWords;
  /** Edits that place tensors in its notation; each is a trial as well. */
  readonly places?: (writing: PlaceWriting) => readonly (readonly TextEdit[])[];
}

/** An operator that a plan cuts. */
export interface CutOperator {
  readonly operator: Operator;
  readonly traced: TracedOperator;
  /** Identifiers that are cut. */
  readonly cut: readonly string[];
}

/** A plan and the program lowered from it. */
export interface PlannedProgram {
  readonly plan: Plan;
  readonly program: SpmdProgram;
}
