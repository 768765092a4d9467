import type { OperatorCall } from "../operators/call.ts";
import type { WrittenStrategy } from "../operators/model-operator.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";

/** One operator of a search, and its strategy where the text sets it. */
export interface SearchOperator {
  readonly name: string;
  readonly call: OperatorCall;
  readonly written?: WrittenStrategy;
}

/** The first result of one operator is an input of another. */
export interface SearchEdge {
  readonly from: string;
  readonly to: string;
  /** Which input, counted from 0. */
  readonly input: number;
  /** A Reshape lies between them. */
  readonly isReshaped?: true;
}

/** An input of an operator that the dataset feeds, as it lies on the devices. */
export interface FedInput {
  readonly to: string;
  readonly input: number;
  readonly layout: MappedTensor;
  readonly isReshaped?: true;
}

/** Operators in the order of the program, and what flows between them. */
export interface SearchGraph {
  readonly operators: readonly SearchOperator[];
  readonly edges: readonly SearchEdge[];
  readonly fed?: readonly FedInput[];
}

/** A strategy for every operator, by name. */
export type FoundStrategies = ReadonlyMap<string, readonly (readonly number[])[]>;

/** The positions of a call's inputs that are tensors with dims; numbers may stand among them. */
export function tensorInputs({ shapes, numbers = [] }: OperatorCall): readonly number[] {
  return shapes.flatMap(({ length }, at) => (length === 0 || numbers.includes(at) ? [] : [at]));
}
