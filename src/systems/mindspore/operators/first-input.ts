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

/** The first input of an operator on its device matrix, from a tuple or from a Layout. */
export interface FirstInput {
  readonly call: OperatorCall & Pick<LayoutCall, "outMap">;
  readonly deviceMatrix: readonly number[];
  readonly shape: readonly number[];
  readonly map: readonly MapEntry[];
  /** Whether its tuple cuts a dim into several pieces, or its Layout names an axis for it. */
  readonly isCut: (dim: number) => boolean;
  /** The tuple of the input; absent where Layouts are given. */
  readonly cut?: readonly number[];
}

/**
 * A rule for both forms of strategies that follows from the first input alone. A tuple is the device
 * matrix itself: each dim lies along an axis of its own.
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

/** One result that has the shape of the input and lies like it. */
export function likeFirstInput({ deviceMatrix, shape, map }: FirstInput): Inferred {
  return { deviceMatrix, inputMaps: [map], outputs: [{ shape, map }], forward: [] };
}

/** Any strategy of the first input, and one result that lies like it. */
export const anyStrategy = ruleOfFirstInput((input) => passed(likeFirstInput(input)));
