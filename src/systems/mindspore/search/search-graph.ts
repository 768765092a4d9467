import type { OperatorCall } from "../operators/call.ts";

/** One operator of a search, and its strategy where the text sets it. */
export interface SearchOperator {
  readonly name: string;
  readonly call: OperatorCall;
  readonly strategies?: readonly (readonly number[])[];
}

/** The first result of one operator is an input of another. */
export interface SearchEdge {
  readonly from: string;
  readonly to: string;
  /** Which input, counted from 0. */
  readonly input: number;
}

/** Operators in the order of the program, and what flows between them. */
export interface SearchGraph {
  readonly operators: readonly SearchOperator[];
  readonly edges: readonly SearchEdge[];
}

/** A strategy for every operator, by name. */
export type FoundStrategies = ReadonlyMap<string, readonly (readonly number[])[]>;
