import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import {
  type Inferred,
  isNone,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  valuesFrom,
} from "./call.ts";

/** The first input of an operator with its map on a device matrix, from a tuple or a Layout. */
export interface FirstInput {
  readonly call: OperatorCall & Pick<LayoutCall, "outMap" | "outMatrix">;
  readonly deviceMatrix: readonly number[];
  readonly shape: readonly number[];
  readonly map: readonly MapEntry[];
  /** Whether its tuple cuts the dim into several pieces, or its Layout names an axis for it. */
  readonly isCut: (dim: number) => boolean;
  /** The tuple of the input; `undefined` for Layouts. */
  readonly cut?: readonly number[];
}

/**
 * A rule for tuples and Layouts that depends only on the first input. A tuple is the device matrix
 * itself: each dim has an axis of its own.
 */
export function ruleOfFirstInput(
  infer: (input: FirstInput) => Checked<Inferred>,
): Required<Pick<OperatorRule, "tuples" | "layouts">> {
  return {
    tuples: (call) => {
      const { shapes, strategies } = call;
      const [[shape = []], [cut = []]] = [shapes, strategies];
      const map = valuesFrom(shape.length, 0, shape.length);
      const isCut = (dim: number) => (cut[dim] ?? 1) !== 1;
      return infer({ call, deviceMatrix: cut, shape, map, isCut, cut });
    },
    layouts: (call) => {
      const { shapes, maps, deviceMatrix } = call;
      const [[shape = []], [map = []]] = [shapes, maps];
      return infer({ call, deviceMatrix, shape, map, isCut: (dim) => !isNone(map[dim]) });
    },
  };
}

/** One result with the shape and layout of the input. */
export function likeFirstInput({ deviceMatrix, shape, map }: FirstInput): Inferred {
  return { deviceMatrix, inputMaps: [map], outputs: [{ shape, map }], forward: [] };
}

/** Any strategy of the first input, and one result with its layout. */
export const anyStrategy = ruleOfFirstInput((input) => passed(likeFirstInput(input)));
