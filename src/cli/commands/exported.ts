import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import type { Document } from "#language/document";
import type { Arguments } from "./answer.ts";

/** One file of an export. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** Files with what could not be written as it is. */
export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** What a run of the files must find, where that is not what `export` claims of every target. */
  readonly claims?: unknown;
  /** The text with the exported plan, where that is not the plan of the text itself. */
  readonly program?: string;
}

/** A plan that has no form in the target, with the cause. */
export interface Unexported {
  readonly refusal: Diagnostic;
  readonly warnings: readonly Diagnostic[];
}

/** Writes the files of one target, or says why the request cannot be met. */
export type Exporter = (
  compiled: Compiled,
  args: Arguments,
  document: Document | undefined,
) => Exported | Unexported | readonly ExportedFile[] | string;
