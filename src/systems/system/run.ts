import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import type { Document } from "#language/document";
import type { EdgeReason, SystemRow } from "./row.ts";
import type { WrongStep } from "./wrong.ts";

/** The strategy that a system's search would choose for one operator, and the one that is drawn. */
export interface SystemChoice {
  readonly name: string;
  readonly op: string;
  /** In the system's own words. */
  readonly theirs: string;
  /** `m over d0`; `whole`. */
  readonly ours: string;
}

/** The strategies that the search mode of a text would choose, by the system's own cost model. */
export interface SystemChoices {
  readonly mode: string;
  readonly how: string;
  readonly chosen: readonly SystemChoice[];
}

/** A compiled program; `read` reads its text again where the document is needed. */
export interface ProgramRead {
  readonly graph: Graph;
  readonly plan: Plan;
  readonly program: SpmdProgram;
  readonly diagnostics: readonly Diagnostic[];
  readonly read: () => Document;
}

/** How a system runs whole programs. */
export interface SystemRuns {
  /** Whether a program is written for this system. */
  readonly owns: (document: Document) => boolean;
  /** The rows of a program as the system would run it, beside ours. */
  readonly rows: (program: SpmdProgram) => readonly SystemRow[];
  /** What the rows leave out and assume, in sentences. */
  readonly notes: (rows: readonly SystemRow[]) => readonly string[];
  /** The steps that the system computes wrongly, with what devices then hold. */
  readonly wrong?: (program: ProgramRead) => readonly WrongStep[];
  /** The choices of its search mode; `undefined` of a text without one. */
  readonly choices?: (program: ProgramRead) => SystemChoices | undefined;
  /** Its names of reasons that differ from the usual ones. */
  readonly reasonWords?: Readonly<Partial<Record<EdgeReason, string>>>;
}
