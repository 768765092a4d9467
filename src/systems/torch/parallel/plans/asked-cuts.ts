import type { Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Part } from "#core/mesh";
import { fieldOf } from "#core/records";

/** The requested cuts of an operator beside those of the batch: parts by index axis. */
export interface AskedOperator {
  readonly cuts: Readonly<Record<string, readonly Part[]>>;
  readonly span: Span;
}

/** The requested layout of a tensor beside the cut of the batch: parts by dim. */
export interface AskedTensor {
  readonly dims: ReadonlyMap<number, readonly Part[]>;
  readonly span: Span;
}

/** All cuts that a text asks for in PyTorch's words, except those of the batch. */
export class AskedCuts {
  readonly operators = new Map<OperatorId, AskedOperator>();
  readonly tensors = new Map<TensorId, AskedTensor>();

  /** Asks an operator for a cut of an index axis, or for none. */
  operator(id: OperatorId, axis: string | undefined, parts: readonly Part[], span: Span): void {
    const known = this.operators.get(id)?.cuts ?? {};
    const before = axis === undefined ? [] : (fieldOf(known, axis) ?? []);
    const cuts = axis === undefined ? known : { ...known, [axis]: joined(before, parts) };
    this.operators.set(id, { cuts, span });
  }

  /** Asks a tensor for another cut than before. */
  replace(id: TensorId, dim: number | undefined, parts: readonly Part[], span: Span): void {
    this.tensors.delete(id);
    this.tensor(id, dim, parts, span);
  }

  /** Asks a tensor for a cut of a dim, or for none. */
  tensor(id: TensorId, dim: number | undefined, parts: readonly Part[], span: Span): void {
    const known = this.tensors.get(id)?.dims ?? new Map<number, readonly Part[]>();
    const dims =
      dim === undefined ? known : new Map(known).set(dim, joined(known.get(dim) ?? [], parts));
    this.tensors.set(id, { dims, span });
  }
}

/** Parts behind others, each once. */
export function joined(before: readonly Part[], parts: readonly Part[]): readonly Part[] {
  const known = new Set(before.map((part) => JSON.stringify(part)));
  return [...before, ...parts.filter((part) => !known.has(JSON.stringify(part)))];
}
