import type { NamedModel } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import type { Document, ReadingSystem } from "#language/document";
import type { OwnWords, PlanWriting } from "#language/document/bindings";
import type { CodeTarget } from "#systems/arrays";
import type { SystemEmits } from "./emitted.ts";
import type { SystemExplains } from "./explain.ts";
import type { GraphFormat } from "./graph-format.ts";
import type { SystemReshards } from "./outcome.ts";
import type { SystemRules } from "./rule.ts";
import type { SystemRuns } from "./run.ts";

/**
 * A real system, whole: what its words mean in a program (`ReadingSystem`), and what it would do
 * itself. Each folder of `systems/` has one such value, and `systems.ts` lists them.
 */
export interface System extends ReadingSystem {
  /** Its own sequence of steps on one edge. */
  readonly reshards?: SystemReshards;
  /** A whole program as it would run it. */
  readonly runs?: SystemRuns;
  /** By what it prices plans. */
  readonly costModel?: NamedModel;
  /** The graph that it compiles a program into, where that is known. */
  readonly emits?: SystemEmits;
  /** Its rules that forbid splits. */
  readonly rules?: SystemRules;
  /** What is to be said of a planned program, e.g. that it computes steps wrongly which a text takes. */
  readonly findings?: (document: Document, planned: PlannedProgram) => readonly Diagnostic[];
  /** What editors show of its words. */
  readonly explains?: SystemExplains;
  /** Texts of its own that are no programs. */
  readonly graphs?: GraphFormat;
  /** The engines of its own that plans are written for, as code. */
  readonly writes?: readonly CodeTarget[];
  /** A plan in its words: to be tried, since only what the text then means counts. */
  readonly says?: (writing: PlanWriting) => OwnWords;
}

/** A plan and what is lowered from it. */
export interface PlannedProgram {
  readonly plan: Plan;
  readonly program: SpmdProgram;
}
