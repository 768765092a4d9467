import type { DeviceMesh } from "#core/mesh";
import type { SystemReading } from "#language/document/bindings";

/** An operator of a compiled graph, with the strategy that it runs with. */
export interface EmittedOperator {
  /** The system's primitive. */
  readonly op: string;
  /** The tensor that it makes. */
  readonly name: string;
  /**
   * Pieces of every dim of every input, those of a list of several tensors in a list of their own;
   * absent where no rule of the system is known.
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
   * An operator's own, or a redistribution; in the backward pass what turns one of these round, or the
   * sum of a parameter's gradient.
   */
  readonly why: "forward" | "redistribution" | "turned" | "gradient";
}

/** A collective of the backward pass. */
export interface BackwardCollective extends EmittedCollective {
  /** The bytes that the rank receives. */
  readonly bytes: number;
}

/** The forward graph into which a system compiles a program (commands.md, `plan` with `as`). */
export interface EmittedProgram {
  /** The rank of the collectives: the one that the program names, else the requested one. */
  readonly rank: number;
  readonly operators: readonly EmittedOperator[];
  readonly collectives: readonly EmittedCollective[];
  /** Of a training step, where they are known: the collectives of its backward pass. */
  readonly backward?: readonly BackwardCollective[];
  /** Why they are not known. */
  readonly backwardUnknown?: string;
}

/** What a system compiles a program into. */
export type SystemEmits = (
  reading: Pick<SystemReading, "trace" | "built">,
  mesh: DeviceMesh,
  rank: number,
) => EmittedProgram;
