import type { Operator, TensorId } from "#core/ir";

/** A size that a program has somewhere: of a dim, of an index axis, or of a number in a bracket. */
export type SizeNode = string & { readonly sizeNode: unique symbol };

export function dimNode(tensor: TensorId, dim: number): SizeNode {
  return `${tensor} ${dim}` as SizeNode;
}

export function axisNode({ id }: Pick<Operator, "id">, axis: string): SizeNode {
  return `${id}: ${axis}` as SizeNode;
}

/** A number in a bracket, by its place. */
export function factorNode({ id }: Pick<Operator, "id">, place: string): SizeNode {
  return `${id}: number ${place}` as SizeNode;
}

/** A size, or a fixed number. */
export type Factor = SizeNode | number;

/** A relation between the sizes of a program. */
export type SizeRelation =
  | { readonly kind: "same"; readonly nodes: readonly [SizeNode, SizeNode] }
  | {
      readonly kind: "product";
      readonly left: readonly Factor[];
      readonly right: readonly Factor[];
    }
  | { readonly kind: "sum"; readonly whole: SizeNode; readonly parts: readonly Factor[] }
  /** A result's size from the sizes of the operands, as the entry binds them. */
  | {
      readonly kind: "bound";
      readonly node: SizeNode;
      readonly operator: Operator;
      readonly output: number;
      readonly dim: number;
    }
  | { readonly kind: "least"; readonly node: SizeNode; readonly size: number }
  | { readonly kind: "multiple"; readonly node: SizeNode; readonly of: number }
  | { readonly kind: "pinned"; readonly node: SizeNode };

/** The shapes of a graph's tensors. */
export type ShapeOf = (tensor: TensorId) => readonly number[];
