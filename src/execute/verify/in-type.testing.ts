import { isFloat } from "#core/ir/types";
import type { SpmdProgram } from "#core/program";
import { narrowOf } from "#execute/engine";
import type { FinishedRun } from "./finished-run.ts";

/** The element types to which runs round. */
export type Narrow = "bf16" | "f16";

/** A program with all its floats in a type. */
export function inType(program: SpmdProgram, dtype: Narrow): SpmdProgram {
  const tensors = program.graph.tensors.map((tensor) =>
    isFloat(tensor.dtype) ? { ...tensor, dtype } : tensor,
  );
  return { ...program, graph: { ...program.graph, tensors } };
}

/** All values that devices hold of operator results with the given dtype. */
export function heldOf({ placed, run }: FinishedRun, dtype: Narrow): readonly number[] {
  const made = new Set(
    placed.graph.tensors.flatMap((each) =>
      each.dtype === dtype && each.producer !== undefined ? [each.id] : [],
    ),
  );
  return placed.values.flatMap(({ id, tensor }) =>
    made.has(tensor)
      ? [...(run.held.get(id)?.values() ?? [])].flat().flatMap((block) => [...block.values])
      : [],
  );
}

/** The numbers that the type cannot represent. */
export function othersThan(numbers: readonly number[], dtype: Narrow): readonly number[] {
  const type = narrowOf(dtype);
  return numbers.filter((each) => !Object.is(type?.round(each), each));
}
