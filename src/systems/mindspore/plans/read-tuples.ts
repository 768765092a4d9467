// Strategies of tuples, read against the operands of their primitive.

import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { BuiltGraph } from "#language/document/graph";
import {
  shapeOf,
  strategySide,
  type Trace,
  type TracedOperator,
  type TupleStrategy,
} from "#language/document/trace";
import { isCounted } from "../emitted/folded-values.ts";
import { removedOperators } from "../emitted/removed.ts";
import { axisCuts, type TupleStrategy as CheckedTuple, deviceMatrix } from "../shard.ts";
import { refusalOf } from "./assumed-refusal.ts";
import { gatherMatrix } from "./gather-plans.ts";
import { isGatheredFirst } from "./gathered-plans.ts";
import { listedTuples, sharesDevices } from "./listed-operands.ts";
import { takesUnknown } from "./model-call.ts";
import { isConstant, isRemoved, notDrawn, ownModel } from "./not-drawn.ts";

/** An operator with a tuple strategy and its device matrix, in the order of its index axes. */
export interface TupleCuts {
  readonly operator: Operator;
  readonly matrix: readonly number[];
  readonly strategy: TupleStrategy;
  /**
   * Set if MindSpore accepts the strategy but cuts of the index axes cannot express it; the
   * operator is whole.
   */
  readonly isWhole?: true;
}

/**
 * Reads and checks every tuple strategy of a program, except of operators that are removed; those that MindSpore refuses are left out of `cuts`.
 */
export function readTuples(
  built: BuiltGraph,
  { operators }: Pick<Trace, "operators">,
): {
  readonly cuts: readonly TupleCuts[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const read = [...built.operatorOf].flatMap(([traced, operator]) => {
    const { strategy } = traced;
    if (strategy?.kind !== "tuples" || traced.isReplicated === true) return [];
    // Without known shapes a strategy cannot be wrong.
    if (takesUnknown(traced)) return [];
    if (isCounted(traced)) {
      const cut = { operator, matrix: [], strategy, isWhole: true } as const;
      return [{ cut, diagnostics: [isConstant(operator, strategy)] }];
    }
    const side = strategySide(operator, traced, shapesOf(traced));
    const { pieces, diagnostics } = axisCuts(
      side.operator,
      side.shapes,
      ofTensors(traced, written(strategy)),
    );
    const isBeyond = diagnostics.length > 0 || sharesDevices(traced);
    const model = isBeyond ? ownModel(traced) : undefined;
    if (model !== undefined) {
      const [matrix = []] = strategy.values;
      const notes = isGatheredFirst(model) ? [] : [notDrawn(operator, strategy)];
      return [{ cut: { operator, matrix, strategy, isWhole: true } as const, diagnostics: notes }];
    }
    if (diagnostics.length > 0 && removedOperators(operators).has(traced)) {
      const cut = { operator, matrix: [], strategy, isWhole: true } as const;
      return [{ cut, diagnostics: [isRemoved(operator, strategy)] }];
    }
    const matrix = gatherMatrix(traced) ?? deviceMatrix(operator.axes, pieces);
    const said = diagnostics.map(refusalOf(traced));
    return [{ cut: { operator, matrix, strategy }, diagnostics: said }];
  });
  return {
    cuts: read
      .filter(({ cut, diagnostics }) => diagnostics.length === 0 || "isWhole" in cut)
      .map(({ cut }) => cut),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

export function shapesOf(traced: TracedOperator): readonly (readonly number[])[] {
  return traced.inputs.flatMap((input) => (input.kind === "tensor" ? [shapeOf(input)] : []));
}

/** A strategy without the empty tuples of numbers in place of tensors. */
function ofTensors(traced: TracedOperator, strategy: CheckedTuple): CheckedTuple {
  const { inputs } = traced;
  const { operands, places } = strategy;
  const lists = listedTuples(traced);
  if (operands.length !== (lists?.length ?? inputs.length)) return strategy;
  const isTensor = (_: unknown, at: number) => lists?.[at] ?? inputs[at]?.kind === "tensor";
  return {
    ...strategy,
    operands: operands.filter(isTensor),
    ...(places !== undefined && { places: places.filter(isTensor) }),
  };
}

/**
 * The numbers of a tuple strategy, each with its own span, or that of its tuple or the whole
 * strategy.
 */
export function written({ values, tree, span }: TupleStrategy): CheckedTuple {
  const operands = values.map((entries, operand) =>
    entries.map((value, dim) => {
      const entry = tree?.items[operand]?.items[dim];
      const isLiteral = entry?.kind === "literal";
      return { value, span: entry?.span ?? tree?.items[operand]?.span ?? span, isLiteral };
    }),
  );
  const places = values.map((_, operand) => {
    const item = tree?.items[operand];
    return item?.kind === "tuple" ? item.span : undefined;
  });
  return { operands, places, span };
}
