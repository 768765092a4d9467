import type { Diagnostic, Span } from "#core/diagnostics";
import type { SpmdProgram } from "#core/program";
import type { RefusedForms } from "./plan-forms.ts";
import type { TextModel } from "./text-model.ts";
import type { WrittenFile } from "./written-file.ts";

/** A program with its text, if that is what the place of its mesh counts in. */
export interface WrittenProgram {
  readonly program: SpmdProgram;
  readonly source: string;
  /** Of a graph with a plan beside it, that plan. */
  readonly planText?: string;
  readonly mesh: { readonly span?: Span };
  /** What is said of the text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly textModel?: TextModel;
}

/** What is written as code: the program of every device, and the module of its text. */
export type CodeInput = Pick<WrittenProgram, "program" | "textModel">;

/** An engine that plans are written for: what there is to know before its writer is loaded. */
export interface CodeTarget {
  /** The word by which it is asked for. */
  readonly target: string;
  readonly name: string;
  /** What its file is, in a few words. */
  readonly what: string;
  /**
   * What its file compares with the plan by itself: numbers with those of the unsharded program,
   * where it runs; or, with `--verify`, what the engine's compiler makes of it without any device.
   */
  readonly compares: "numbers" | "compiled";
  /** What a host of a Slurm cluster runs. */
  readonly launch: readonly string[];
  /** The forms of a plan that its file has no place for, and why. */
  readonly refuses?: RefusedForms;
  /** Writers are long, and most plans are never written: each is loaded when it is first wanted. */
  readonly load: () => Promise<CodeWriter>;
}

/** Why a file that is one step has no micro-batches. */
export const runsOnce = "the file is one step, which runs once";

/** How plans are written as code of one engine. */
export interface CodeWriter {
  readonly write: (input: CodeInput) => WrittenFile;
  /** What the engine would compute wrongly if the plan were written for it by hand. */
  readonly warnings?: (written: WrittenProgram) => readonly Diagnostic[];
}
