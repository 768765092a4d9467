import { bytesOf, type Operator } from "#core/ir";
import type { SavedMemory } from "#core/ir/storages";
import { blockCount, type Part } from "#core/mesh";
import type { Microbatches } from "#core/plan";
import type { LocalStep, Value, ValueId } from "#core/program";
import { fieldOf } from "#core/records";

/** Memory kept for the backward pass beside the operands and results of a step. */
export type Beside = Exclude<SavedMemory, { readonly kind: "operand" | "result" }>;

/** The facts about a program's values from which bytes on one device are counted. */
export interface Sizes {
  readonly bytes: ReadonlyMap<ValueId, number>;
  readonly values: ReadonlyMap<ValueId, Value>;
  readonly microbatches: Microbatches | undefined;
}

/** Bytes of kept memory on one device, for memory beside a step's operands and results. */
export function besideBytes(
  kept: Beside,
  operator: Operator,
  step: LocalStep,
  { bytes, values, microbatches }: Sizes,
): number {
  if (kept.kind === "beside") {
    const id = (kept.like === "operand" ? step.inputs : step.outputs)[kept.at];
    const value = id && values.get(id);
    if (id === undefined || value === undefined) return 0;
    const own = bytesOf(value.dtype);
    return ((bytes.get(id) ?? 0) / own) * (kept.bytes ?? own) * (kept.times ?? 1);
  }
  const rows = microbatches?.axes.get(operator.id);
  return kept.axes.reduce((total, name) => {
    const size = operator.axes.find((axis) => axis.name === name)?.size ?? 1;
    const inRun = name === rows ? size / (microbatches?.count ?? 1) : size;
    return total * localSize(step, name, inRun);
  }, kept.bytes);
}

/** Points of an index axis that one device computes, summed over its pieces. */
function localSize({ strategy }: LocalStep, name: string, size: number): number {
  const lengths = fieldOf(strategy.sizes, name);
  if (lengths !== undefined) return Math.max(...lengths);
  const parts: readonly Part[] = fieldOf(strategy.cuts, name) ?? [];
  const inside = parts.filter(({ kind }) => kind === "pieces");
  return Math.ceil(size / blockCount(parts)) * blockCount(inside);
}
