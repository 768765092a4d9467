import type { OperatorCall } from "../operators/call.ts";
import type { WrittenStrategy } from "../operators/model-operator.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";

/** The number of pieces per dim of each input. */
export type Cuts = readonly (readonly number[])[];

/** An operator of a search, with its strategy if the text sets it. */
export interface SearchOperator {
  readonly name: string;
  readonly call: OperatorCall;
  readonly written?: WrittenStrategy;
  /** The shape of a Reshape's result. */
  readonly made?: readonly number[];
  /** Set if its cell has it split by rows (`set_data_parallel`). */
  readonly isByRows?: true;
}

/** An edge from a result of one operator to an input of another. */
export interface SearchEdge {
  readonly from: string;
  /** Index of the result; 0 by default. */
  readonly output?: number;
  readonly to: string;
  /** Index of the input, from 0. */
  readonly input: number;
}

/** An input of an operator that the dataset feeds, with its layout. */
export interface FedInput {
  readonly to: string;
  readonly input: number;
  readonly layout: MappedTensor;
}

/** A parameter that several inputs of operators read. */
export interface SharedParameter {
  readonly name: string;
  readonly shape: readonly number[];
  readonly readers: readonly { readonly to: string; readonly input: number }[];
}

/** Operators in program order, with the edges between them. */
export interface SearchGraph {
  readonly operators: readonly SearchOperator[];
  readonly edges: readonly SearchEdge[];
  readonly fed?: readonly FedInput[];
  readonly shared?: readonly SharedParameter[];
}

/** A strategy found for an operator; with Layouts if it lies on its producer's device matrix. */
export interface FoundStrategy {
  readonly strategies: Cuts;
  readonly written?: WrittenStrategy;
}

/** What a search finds: a strategy for every operator by name, or why MindSpore refuses the net. */
export interface Found {
  readonly strategies: ReadonlyMap<string, FoundStrategy>;
  readonly fault?: { readonly name: string; readonly message: string };
}
