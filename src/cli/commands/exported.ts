import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import type { Document } from "#language/document";
import type { Arguments } from "./answer.ts";

/** One file of an export. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** Exported files, with diagnostics for parts that could not be written unchanged. */
export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Results that a run of the files must confirm, if they differ from the claims common to all
   * targets.
   */
  readonly claims?: unknown;
  /** The text of the exported plan, if it is not the plan of the given text. */
  readonly program?: string;
}

/** A plan that the target cannot express, with the cause. */
export interface Unexported {
  readonly refusal: Diagnostic;
  readonly warnings: readonly Diagnostic[];
}

/** Writes the files of one target; a string says why the request cannot be met. */
export type Exporter = (
  compiled: Compiled,
  args: Arguments,
  document: Document | undefined,
) => Exported | Unexported | readonly ExportedFile[] | string;
