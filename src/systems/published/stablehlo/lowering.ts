import type { Module } from "./mlir.ts";
import type { Value } from "./values.ts";
import type { Writer } from "./writer.ts";

/** Values by their names in the module. */
export type Known = Map<string, Value>;

/** State of writing a module as a program. */
export interface Lowering {
  readonly module: Module;
  readonly writer: Writer;
  /** Functions already written, by their names in the module. */
  readonly written: Map<string, string>;
  /** Number of calls of each function in the file. */
  readonly calls: ReadonlyMap<string, number>;
  /** Depth of nested calls. */
  depth: number;
  /** Called with the number of operations written. */
  readonly tell: (operators: number) => void;
  /** Operations written so far; bounded, since recursive functions would not end. */
  steps: number;
}
