import type { TakenNames } from "../program-names.ts";
import type { OnnxValue } from "./onnx-graph.ts";
import type { OnnxTerm } from "./values.ts";

/** A program while it is being written, with the term of each value of the file. */
export interface Writing {
  readonly lines: string[];
  readonly functions: string[];
  readonly terms: Map<string, OnnxTerm>;
  readonly names: TakenNames;
  readonly shapes: Map<string, readonly number[]>;
  readonly values: ReadonlyMap<string, OnnxValue>;
  readonly unknown: Map<string, number>;
  readonly left: Set<string>;
  /** Names that an operator or a graph result reads. */
  readonly used: ReadonlySet<string>;
  readonly opset: number;
}

/** A tensor term with a program name; rank and dtype where known. */
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
