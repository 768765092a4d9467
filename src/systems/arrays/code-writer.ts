import type { Diagnostic, Span } from "#core/diagnostics";
import type { SpmdProgram } from "#core/program";
import type { TextModel } from "./text-model.ts";

/** A plan as a file of code with what it must show; or half a sentence why it is none. */
export type WrittenFile =
  | {
      readonly ok: true;
      readonly text: string;
      readonly claims: unknown;
      /** A form that a reader may miss in the file, and why it has another: a sentence, which its head says too. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly reason: string };

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

/** How plans are written as code of one engine. */
export interface CodeWriter {
  /** The word by which it is asked for. */
  readonly target: string;
  readonly name: string;
  /** What its file is, in a few words. */
  readonly what: string;
  readonly write: (input: CodeInput) => WrittenFile;
  /**
   * What its file compares with the plan by itself: numbers with those of the unsharded program,
   * where it runs; or, with `--verify`, what the engine's compiler makes of it without any device.
   */
  readonly compares: "numbers" | "compiled";
  /** What a host of a Slurm cluster runs. */
  readonly launch: readonly string[];
  /** What the engine would compute wrongly if the plan were written for it by hand. */
  readonly warnings?: (written: WrittenProgram) => readonly Diagnostic[];
}
