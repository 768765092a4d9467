// What an engine's code writer is given, and the lines that it gets.

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
  /** Whether its compiler drops a collective whose result nothing uses. */
  readonly dropsUnused: boolean;
  /** The comment above a collective; by default its kind, bytes and reason. */
  readonly comment?: (step: CollectiveStep) => string;
  /** The lines of an operator; by default those on a device's blocks. */
  readonly operatorLines?: (step: LocalStep, scope: OperatorScope) => readonly string[];
}

/** The surroundings of an operator that an engine writes. */
export interface OperatorScope {
  readonly operator: Operator;
  readonly body: OperatorBody;
  /** The variables of operands and results. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly layoutOf: (value: ValueId) => Layout;
  /** The lines that compute the results from a device's blocks. */
  readonly onBlocks: () => readonly string[];
  /** The lines that compute the results from whole tensors. */
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
  /** For a training step: the settings of each step, and the variables that it replaces. */
  readonly state?: StepState;
  /** The file has to define `element`. */
  readonly needsElement: boolean;
  /** Sums and products of integers alone: both programs agree to the bit. */
  readonly isExact: boolean;
  /** For a permute: which device's block goes to which device. */
  readonly pairsOf: (step: CollectiveStep) => readonly DevicePair[];
  /** Collectives of the plan that the engine would drop. */
  readonly leftOut: ReadonlySet<CollectiveStep>;
  /**
   * By variable, the devices' blocks of tensors that are not in equal blocks of one piece each, and
   * of tensors that are made into such: the file lists them.
   */
  readonly held: ReadonlyMap<string, HeldBlocks>;
  readonly blocksOf: (value: ValueId) => HeldBlocks;
}
