// Input and output of an engine's code writer.

import type { Operator } from "#core/ir";
import type { OperatorBody } from "#core/ir/body";
import type { Layout } from "#core/mesh";
import type { CollectiveStep, LocalStep, ValueId } from "#core/program";
import type { CollectiveScope, DevicePair } from "./collective-scope.ts";
import type { Dialect } from "./dialect.ts";
import type { HeldBlocks } from "./held-blocks.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import type { Port } from "./program-facts.ts";
import type { StepState } from "./step-state.ts";

/** An engine that programs are written for: its dialect, and how it writes collectives. */
export interface Engine {
  readonly dialect: Dialect;
  readonly collectiveLines: (step: CollectiveStep, scope: CollectiveScope) => readonly string[];
  /** Whether its compiler drops a collective whose result is unused. */
  readonly dropsUnused: boolean;
  /** Comment above a collective; default: its kind, bytes and reason. */
  readonly comment?: (step: CollectiveStep) => string;
  /** Lines of an operator; default: those on a device's blocks. */
  readonly operatorLines?: (step: LocalStep, scope: OperatorScope) => readonly string[];
}

/** Scope in which an engine writes an operator. */
export interface OperatorScope {
  readonly operator: Operator;
  readonly body: OperatorBody;
  /** Variables of operands and results. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly layoutOf: (value: ValueId) => Layout;
  /** Lines that compute the results from a device's blocks. */
  readonly onBlocks: () => readonly string[];
  /** Lines that compute the results from whole tensors. */
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
  /** Variables of the results, in the plan and in the reference. */
  readonly results: { readonly plan: readonly string[]; readonly reference: readonly string[] };
  /** For a training step: its settings, and the variables that it replaces. */
  readonly state?: StepState;
  /** Whether the file has to define `element`. */
  readonly needsElement: boolean;
  /** Whether only integers are added and multiplied, so that both programs agree exactly. */
  readonly isExact: boolean;
  /** For a permute: sender and receiver of each block. */
  readonly pairsOf: (step: CollectiveStep) => readonly DevicePair[];
  /** Collectives of the plan that the engine would drop. */
  readonly leftOut: ReadonlySet<CollectiveStep>;
  /**
   * Blocks by variable, for tensors in unequal blocks or several pieces, and for tensors
   * redistributed into such; the file lists them.
   */
  readonly held: ReadonlyMap<string, HeldBlocks>;
  readonly blocksOf: (value: ValueId) => HeldBlocks;
}
