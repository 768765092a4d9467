import type { Operator } from "#core/ir";
import { type CellPrimitive, input, plain } from "./cell-primitive.ts";

/** The identifiers of an operator's dims, by operand. */
interface Names {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly result: readonly string[];
}

/**
 * The matrix product equivalent to an operator: one dim of both operands summed, equal leading
 * batch dims, then rows and columns. `undefined` for any other operator.
 */
export function matrixProduct(operator: Operator): CellPrimitive | undefined {
  const names = namesOf(operator);
  if (names === undefined) return undefined;
  const straight = productOf(names);
  if (straight !== undefined) return straight;
  const turned = productOf({ ...names, a: names.b, b: names.a });
  return turned && { ...turned, operands: [input(1), input(0)] };
}

/** Library entries that can be products of two tensors; `linear` may have a bias as third input. */
const products: readonly string[] = ["matmul", "linear", "einsum"];

/**
 * The identifiers of each operand's dims, for a product of two tensors with one identifier per dim.
 */
function namesOf({ entry, inputs, outputs }: Operator): Names | undefined {
  const isProduct = entry === undefined || products.includes(entry);
  const [a, b, ...others] = inputs;
  const [result, ...further] = outputs;
  if (!isProduct || others.length + further.length > 0) return undefined;
  if (a === undefined || b === undefined || result === undefined) return undefined;
  const named = [a, b, result].map(({ dims }) => dims.map(({ identifiers }) => identifiers));
  if (named.flat().some(({ length }) => length !== 1)) return undefined;
  const [first = [], second = [], third = []] = named.map((dims) => dims.flat());
  return { a: first, b: second, result: third };
}

function productOf({ a, b, result }: Names): CellPrimitive | undefined {
  const summed = a.filter((name) => b.includes(name) && !result.includes(name));
  const [k] = summed;
  if (k === undefined || summed.length > 1) return undefined;
  const batch = b.length > 2 ? result.slice(0, -2) : [];
  const rows = a.filter((name) => name !== k).slice(batch.length);
  const [columns, ...more] = b.filter((name) => name !== k).slice(batch.length);
  if (columns === undefined || more.length > 0) return undefined;
  const isInOrder =
    [...batch, ...rows, columns].join() === result.join() &&
    [a, b].every((names) => names.slice(0, batch.length).join() === batch.join());
  const distinct = [a, b, result].every((names) => new Set(names).size === names.length);
  if (!isInOrder || !distinct) return undefined;
  const isATurned = a.at(-1) !== k;
  const isBTurned = b.at(-1) === k;
  if (isATurned && a.at(-2) !== k) return undefined;
  const isWide = a.length > 2 || b.length > 2;
  if (isWide && isATurned && a.length !== b.length) return undefined;
  // A stack of matrices times one matrix: MatMulExt cannot transpose, BatchMatMul can (with
  // different ranks only on Ascend).
  if (isWide && b.length === 2)
    return isBTurned ? product("BatchMatMul", false, true) : product("MatMulExt");
  if (isWide && a.length !== b.length) return undefined;
  return product(isWide ? "BatchMatMul" : "MatMul", isATurned, isBTurned);
}

function product(op: string, isATurned = false, isBTurned = false): CellPrimitive {
  return {
    ...plain(op, 2),
    arguments: {
      ...(isATurned && { transpose_a: true }),
      ...(isBTurned && { transpose_b: true }),
    },
    takesLayouts: true,
  };
}
