import type { OperatorCall } from "../operators/call.ts";
import type { WrittenStrategy } from "../operators/model-operator.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";

/** An operator of a search, with its strategy if the text sets it. */
export interface SearchOperator {
  readonly name: string;
  readonly call: OperatorCall;
  readonly written?: WrittenStrategy;
}

/** An edge from the first result of one operator to an input of another. */
export interface SearchEdge {
  readonly from: string;
  readonly to: string;
  /** Index of the input, from 0. */
  readonly input: number;
  /** Whether a Reshape lies between them. */
  readonly isReshaped?: true;
}

/** An input of an operator that the dataset feeds, with its layout. */
export interface FedInput {
  readonly to: string;
  readonly input: number;
  readonly layout: MappedTensor;
  readonly isReshaped?: true;
}

/** Operators in program order, with the edges between them. */
export interface SearchGraph {
  readonly operators: readonly SearchOperator[];
  readonly edges: readonly SearchEdge[];
  readonly fed?: readonly FedInput[];
}

/** A strategy for every operator, by name. */
export type FoundStrategies = ReadonlyMap<string, readonly (readonly number[])[]>;

/** The indices of a call's inputs that are tensors with dims; numbers and scalars are skipped. */
export function tensorInputs({ shapes, numbers = [] }: OperatorCall): readonly number[] {
  return shapes.flatMap(({ length }, at) => (length === 0 || numbers.includes(at) ? [] : [at]));
}
