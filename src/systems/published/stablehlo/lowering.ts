import type { Module } from "./mlir.ts";
import type { Value } from "./values.ts";
import type { Writer } from "./writer.ts";

/** The values that are known at a place, by their names in the module. */
export type Known = Map<string, Value>;

/** What a module is written with. */
export interface Lowering {
  readonly module: Module;
  readonly writer: Writer;
  /** Functions that stand in the program, by their names in the module. */
  readonly written: Map<string, string>;
  /** How often each function is called in the file. */
  readonly calls: ReadonlyMap<string, number>;
  /** How deep calls lie inside each other. */
  depth: number;
  /** Hears of operations as they are written. */
  readonly tell: (operators: number) => void;
  /** Operations that were written; what calls itself would not end. */
  steps: number;
}
