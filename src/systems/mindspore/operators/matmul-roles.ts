import { type Checked, passed } from "#core/diagnostics";
import { type OperatorCall, refused } from "./call.ts";

/** The free and the contracted dim of an input. */
interface InputRoles {
  readonly free: number;
  readonly contracted: number;
}

/** The dims of a matrix product by their roles. */
export interface Roles {
  readonly a: InputRoles;
  readonly b: InputRoles;
  /** Batch dims of the result, with the corresponding dims of the inputs and their sizes. */
  readonly batch: readonly {
    readonly a?: number;
    readonly b?: number;
    readonly sizes: readonly number[];
  }[];
  /** The shape of the result. */
  readonly output: readonly number[];
}

/** The roles of a product's dims; fails if the inputs cannot be multiplied. */
export function matmulRoles({ op, shapes, attributes }: OperatorCall): Checked<Roles> {
  const [a, b] = shapes;
  const { transpose_a: flipsA = false, transpose_b: flipsB = false } = attributes;
  if (typeof flipsA !== "boolean" || typeof flipsB !== "boolean") {
    return refused(`transpose_a and transpose_b of ${op} must be bool`);
  }
  if (a === undefined || b === undefined || shapes.length !== 2 || a.length < 2 || b.length < 2) {
    return refused(`${op} takes two inputs of two or more dims`);
  }
  if (op === "MatMul" && a.length + b.length > 4)
    return refused(`${op} takes matrices of two dims in MindSpore 2.10; BatchMatMul takes more`);
  const left = rolesOf(a.length, !flipsA);
  const right = rolesOf(b.length, flipsB);
  const [inner, other] = [a[left.contracted], b[right.contracted]];
  if (inner !== other) return refused(`${op} contracts dims of ${inner} and ${other} elements`);
  const count = Math.max(a.length, b.length) - 2;
  const batch = Array.from({ length: count }, (_, at) => {
    const [inA, inB] = [at - count + a.length - 2, at - count + b.length - 2];
    const own = { ...(inA >= 0 && { a: inA }), ...(inB >= 0 && { b: inB }) };
    return { ...own, sizes: [a[inA] ?? 1, b[inB] ?? 1] };
  });
  const bad = batch.find(({ sizes: [x, y] }) => x !== y && x !== 1 && y !== 1);
  if (bad !== undefined)
    return refused(`batch dims of ${bad.sizes.join(" and ")} do not broadcast`);
  const rows = a[left.free] ?? 1;
  const output = [...batch.map(({ sizes }) => Math.max(...sizes)), rows, b[right.free] ?? 1];
  return passed({ a: left, b: right, batch, output });
}

function rolesOf(rank: number, isContractedLast: boolean): InputRoles {
  const [first, last] = [rank - 2, rank - 1];
  return isContractedLast ? { free: first, contracted: last } : { free: last, contracted: first };
}
