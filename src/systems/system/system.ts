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
 * folder of `systems/` has one such value, and `systems.ts` lists them.
 */
export interface System extends ReadingSystem {
  /** How it redistributes an edge. */
  readonly reshards?: SystemReshards;
  /** How it runs a whole program. */
  readonly runs?: SystemRuns;
  /** Its cost model for plans. */
  readonly costModel?: NamedModel;
  /** The graph that it compiles a program into. */
  readonly emits?: SystemEmits;
  /** Its rules that forbid splits. */
  readonly rules?: SystemRules;
  /**
   * What the system would do differently with an operator that a strategy cuts: half a sentence to
   * follow the system's name; `undefined` where it does the same. Not asked for texts that are
   * written for the system.
   */
  readonly verdict?: (cut: CutOperator) => string | undefined;
  /** Diagnostics of a planned program, e.g. of steps that the system would compute wrongly. */
  readonly findings?: (document: Document, planned: PlannedProgram) => readonly Diagnostic[];
  /** What editors show of its names. */
  readonly explains?: SystemExplains;
  /** Its format of graphs in JSON. */
  readonly graphs?: GraphFormat;
  /** Its engines that plans can be written for as code. */
  readonly writes?: readonly CodeTarget[];
  /**
   * The edits that write a plan in its notation; each is a trial, whose effect the text's reading
   * tells.
   */
  readonly says?: (writing: PlanWriting) => OwnWords;
  /** Ways to write in its notation how tensors lie, each a trial as well. */
  readonly places?: (writing: PlaceWriting) => readonly (readonly TextEdit[])[];
}

/** An operator that a plan cuts. */
export interface CutOperator {
  readonly operator: Operator;
  readonly traced: TracedOperator;
  /** The identifiers that are cut. */
  readonly cut: readonly string[];
}

/** A plan and the program lowered from it. */
export interface PlannedProgram {
  readonly plan: Plan;
  readonly program: SpmdProgram;
}
