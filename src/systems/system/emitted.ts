import type { DeviceMesh } from "#core/mesh";
import type { SystemReading } from "#language/document/bindings";

/** An operator of a compiled graph, with its strategy. */
export interface EmittedOperator {
  /** The system's primitive. */
  readonly op: string;
  /** The tensor that it makes. */
  readonly name: string;
  /**
   * Pieces of every dim of every input; a list of tensors has a nested list. Absent when no rule of
   * the system is known.
   */
  readonly in_strategy?: readonly (readonly (number | readonly number[])[])[];
}

/** A collective of a compiled graph, as one rank runs it. */
export interface EmittedCollective {
  readonly op: string;
  readonly tensor: string;
  /** The ranks of its group in the order in which the system lists them; empty without a group. */
  readonly ranks: readonly number[];
  /**
   * Origin of the collective: the operator itself or a redistribution; in the backward pass the
   * transpose of one of these, or the sum of a parameter's gradient.
   */
  readonly why: "forward" | "redistribution" | "turned" | "gradient";
}

/** A collective of the backward pass. */
export interface BackwardCollective extends EmittedCollective {
  /** Bytes that the rank receives. */
  readonly bytes: number;
}

/** The forward graph into which a system compiles a program (commands.md, `plan` with `as`). */
export interface EmittedProgram {
  /** Rank of the collectives: the one set in the program, else the requested one. */
  readonly rank: number;
  readonly operators: readonly EmittedOperator[];
  readonly collectives: readonly EmittedCollective[];
  /** Collectives of a training step's backward pass, if known. */
  readonly backward?: readonly BackwardCollective[];
  /** Why they are not known. */
  readonly backwardUnknown?: string;
}

/** Compiles a program as a system does. */
export type SystemEmits = (
  reading: Pick<SystemReading, "trace" | "built">,
  mesh: DeviceMesh,
  rank: number,
) => EmittedProgram;
