import type { TakenNames } from "../program-names.ts";
import type { OnnxValue } from "./onnx-graph.ts";
import type { OnnxTerm } from "./values.ts";

/** A program while it is written, and what stands in it for each value of the file. */
export interface Writing {
  readonly lines: string[];
  readonly functions: string[];
  readonly terms: Map<string, OnnxTerm>;
  readonly names: TakenNames;
  readonly shapes: Map<string, readonly number[]>;
  readonly values: ReadonlyMap<string, OnnxValue>;
  readonly unknown: Map<string, number>;
  readonly left: Set<string>;
  /** Names that an operator or a result reads. */
  readonly used: ReadonlySet<string>;
  readonly opset: number;
}

/** A value as a tensor that the program has by a name; its rank and type where they are known. */
export function tensorTerm(
  text: string,
  rank: number | undefined,
  type: number | undefined,
): OnnxTerm {
  return {
    kind: "tensor",
    text,
    ...(rank !== undefined && { rank }),
    ...(type !== undefined && type !== 0 && { type }),
  };
}
