// What an engine's code writer is given, and the lines that it gets.

import type { Operator, OperatorBody } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { CollectiveStep, LocalStep, ValueId } from "#core/program";
import type { CollectiveScope, DevicePair } from "./collective-scope.ts";
import type { Dialect } from "./dialect.ts";
import type { HeldBlocks } from "./held-blocks.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import type { Port } from "./program-facts.ts";

/** How an engine is spoken to: its arrays, and the lines of one collective. */
export interface Engine {
  readonly dialect: Dialect;
  readonly collectiveLines: (step: CollectiveStep, scope: CollectiveScope) => readonly string[];
  /** Whether its compiler drops a collective whose result nothing uses. */
  readonly dropsUnused: boolean;
  /** What stands over a collective: its kind, bytes and reason where nothing is said here. */
  readonly comment?: (step: CollectiveStep) => string;
  /** How an operator is written; its lines on the blocks of a device where nothing is said here. */
  readonly operatorLines?: (step: LocalStep, scope: OperatorScope) => readonly string[];
}

/** What an operator is written with. */
export interface OperatorScope {
  readonly operator: Operator;
  readonly body: OperatorBody;
  /** The variables of operands and results. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly layoutOf: (value: ValueId) => Layout;
  /** The lines on what a device holds, which assign the results. */
  readonly onBlocks: () => readonly string[];
  /** The same on whole tensors. */
  readonly onWhole: () => readonly string[];
}

/** A per-device program as lines of Python. */
export interface ProgramLines {
  readonly mesh: MeshAtoms;
  readonly ports: { readonly inputs: readonly Port[]; readonly outputs: readonly Port[] };
  /** The unsharded program. */
  readonly reference: readonly string[];
  /** One line per step of a device, with a comment over every collective. */
  readonly device: readonly string[];
  /** The variables that hold the results. */
  readonly results: { readonly plan: readonly string[]; readonly reference: readonly string[] };
  /** The file has to define `element`. */
  readonly needsElement: boolean;
  /** Sums and products of integers alone: both programs agree to the bit. */
  readonly isExact: boolean;
  /** Of a permute, which device's block goes where. */
  readonly pairsOf: (step: CollectiveStep) => readonly DevicePair[];
  /** Collectives of the plan that the engine would drop. */
  readonly leftOut: ReadonlySet<CollectiveStep>;
  /**
   * By variable, what devices hold of tensors that are not in equal blocks, each of one piece, and of
   * those that are made into such: the file lists it.
   */
  readonly held: ReadonlyMap<string, HeldBlocks>;
  readonly blocksOf: (value: ValueId) => HeldBlocks;
}
