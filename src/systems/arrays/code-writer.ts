import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { CutLimits } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import type { RefusedForms } from "./plan-forms.ts";
import type { ReadModel } from "./text-model.ts";
import type { ReadModules } from "./text-modules.ts";
import type { WrittenFile } from "./written-file.ts";

/** A per-device program with the text that it comes from. */
export interface WrittenProgram {
  readonly program: SpmdProgram;
  readonly source: string;
  /** Plan text beside a graph; absent for a program, whose text holds its plan. */
  readonly planText?: string;
  readonly mesh: { readonly span?: Span };
  /** The diagnostics of the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Reads the module of the text that computes all its operators, on request. */
  readonly textModel?: ReadModel;
  /** Reads the modules of the text, on request. */
  readonly textModules?: ReadModules;
}

/** The input of a writer: the per-device program, and the module of its text. */
export interface CodeInput extends Pick<WrittenProgram, "program" | "textModel" | "textModules"> {
  /** Differences from the requested plan, as sentences for the head of the file. */
  readonly otherwise?: string;
}

/** An engine that plans can be written for: everything known before its writer is loaded. */
export interface CodeTarget {
  /** Its name in requests. */
  readonly target: string;
  readonly name: string;
  /** A description of its file in a few words. */
  readonly what: string;
  /**
   * How the file checks itself. `numbers`: it compares its results with the unsharded program when
   * it runs. `compiled`: with `--verify` and without devices, it compares the program that the
   * engine's compiler makes. `nothing`: it is no program by itself.
   */
  readonly compares: "numbers" | "compiled" | "nothing";
  /** Name of the file; `plan.py` when unsaid. */
  readonly file?: string;
  /** The command lines that a host of a Slurm cluster runs. */
  readonly launch: readonly string[];
  /** The forms of plans that its file cannot express, and why. */
  readonly refuses?: RefusedForms;
  /**
   * The part of the program that its file expresses, without layouts that the engine chooses
   * itself.
   */
  readonly asWritten?: (program: SpmdProgram) => SpmdProgram;
  /** Loads the writer: it is long, and most plans are never written. */
  readonly load: () => Promise<CodeWriter>;
}

/** Why a target refuses micro-batches: its file is a single step. */
export const runsOnce = "the file is one step, which runs once";

/** Limits of a search for plans that an engine can express. */
export interface WritableCuts {
  readonly limits: CutLimits;
  /**
   * The limits with no cuts in one of these modules; `undefined` when the modules have no cuts
   * left.
   */
  readonly without: (modules: readonly string[]) => WritableCuts | undefined;
}

/** Writes plans as code for one engine. */
export interface CodeWriter {
  readonly write: (input: CodeInput) => WrittenFile;
  /** Cuts that this engine can express for a program, one set of limits after another. */
  readonly writable?: (
    asked: Pick<CodeInput, "textModules"> & { readonly graph: Graph; readonly mesh: DeviceMesh },
  ) => readonly WritableCuts[];
  /** Wrong results that the engine would compute for this plan if it were written by hand. */
  readonly warnings?: (written: WrittenProgram) => readonly Diagnostic[];
}
