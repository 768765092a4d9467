import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import type { Document } from "#language/document";
import type { EdgeReason, SystemRow } from "./row.ts";
import type { WrongStep } from "./wrong.ts";

/** The strategy that a system's search would choose for one operator, and the plan's own. */
export interface SystemChoice {
  readonly name: string;
  readonly op: string;
  /** Strategy in the system's own words. */
  readonly theirs: string;
  /** The plan's strategy: `m over d0`; `whole`. */
  readonly ours: string;
}

/** The strategies that the search mode of a text would choose, by the system's own cost model. */
export interface SystemChoices {
  readonly mode: string;
  readonly how: string;
  readonly chosen: readonly SystemChoice[];
}

/** A compiled program; `read` reads its text again for callers that need the document. */
export interface ProgramRead {
  readonly graph: Graph;
  readonly plan: Plan;
  readonly program: SpmdProgram;
  readonly diagnostics: readonly Diagnostic[];
  readonly read: () => Document;
}

/** A system's runs of whole programs. */
export interface SystemRuns {
  /** Whether a program is written for this system. */
  readonly owns: (document: Document) => boolean;
  /** Rows of a program as the system would run it, with the plan's own redistributions. */
  readonly rows: (program: SpmdProgram) => readonly SystemRow[];
  /** Sentences on what the rows leave out and assume. */
  readonly notes: (rows: readonly SystemRow[]) => readonly string[];
  /** Steps that the system computes wrongly, with the blocks then held on devices. */
  readonly wrong?: (program: ProgramRead) => readonly WrongStep[];
  /** Choices of the text's search mode; `undefined` for a text without one. */
  readonly choices?: (program: ProgramRead) => SystemChoices | undefined;
  /** The system's names of reasons, where they differ from the usual ones. */
  readonly reasonWords?: Readonly<Partial<Record<EdgeReason, string>>>;
}
