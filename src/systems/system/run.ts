import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import type { Document } from "#language/document";
import type { EdgeReason, SystemRow } from "./row.ts";
import type { WrongStep } from "./wrong.ts";

/** What a searching mode of a system would choose for one operator, and what is drawn. */
export interface SystemChoice {
  readonly name: string;
  readonly op: string;
  /** In the system's own words. */
  readonly theirs: string;
  /** `m over d0`; `whole`. */
  readonly ours: string;
}

/** The searching mode of a text and what it would choose, by the system's own costs. */
export interface SystemChoices {
  readonly mode: string;
  readonly how: string;
  readonly chosen: readonly SystemChoice[];
}

/** A program as it was compiled, and its text read again when that is asked. */
export interface ProgramRead {
  readonly graph: Graph;
  readonly plan: Plan;
  readonly program: SpmdProgram;
  readonly diagnostics: readonly Diagnostic[];
  readonly read: () => Document;
}

/** How a system runs a whole program. */
export interface SystemRuns {
  /** Whether a program with operators is written in its words. */
  readonly owns: (document: Document) => boolean;
  /** The lines of a program as it would run them, beside ours. */
  readonly rows: (program: SpmdProgram) => readonly SystemRow[];
  /** What is left out, and on which terms the rest stands. */
  readonly notes: (rows: readonly SystemRow[]) => readonly string[];
  /** The steps that it computes wrongly, with what every device then has. */
  readonly wrong?: (program: ProgramRead) => readonly WrongStep[];
  /** What its searching mode would choose; nothing of a text without one. */
  readonly choices?: (program: ProgramRead) => SystemChoices | undefined;
  /** What it calls why a tensor is sent, where that is not the usual word. */
  readonly reasonWords?: Readonly<Partial<Record<EdgeReason, string>>>;
}
