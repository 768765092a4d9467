import {
  type Body,
  type Expr,
  folded,
  index,
  mapped,
  number,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { add, equal, mul, select } from "./body/expressions.ts";
import {
  axesIn,
  axisAt,
  type BoundCall,
  type CallShapes,
  dimOf,
  frozenAt,
  letter,
  numberOf,
  operandAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";

/** Names of `count` dims, from the `start`-th letter on. */
function names(start: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => letter(start + at));
}

/**
 * The annotation of `take`: the slices of x along `dim` that the indices name, in the place of that
 * dim. Along the leading `batch_dims` each slice has its own indices.
 */
function takeAnnotation(call: CallShapes): string {
  const rank = shapeAt(call, 0).length;
  const count = shapeAt(call, 1).length;
  const dim = dimOf(call, rank, 0);
  const shared = Math.max(0, Math.min(numberOf(call, "batch_dims", 0), dim, count));
  const all = frozenAt(rank, () => false);
  const picks = names(rank, count - shared);
  const source = all.map((name, at) => (at === dim ? `${name}+` : name));
  const indices = [...all.slice(0, shared), ...picks];
  const output = [...all.slice(0, dim), ...picks, ...all.slice(dim + 1)];
  return `${source.join(" ")}, ${indices.join(" ") || "1"} -> ${output.join(" ") || "1"}`;
}

function takeBody(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const axis = axisAt(x, dimOf(call, x.shape.length, 0));
  const picked = select(equal(index(axis), read(1)), read(0), 0);
  return { tables: [], outputs: [folded("sum", [axis], picked)] };
}

/** How many leading dims of x an index of a scatter names. */
function depthOf(indices: readonly (number | undefined)[]): number {
  return indices.at(-1) ?? 1;
}

/**
 * Annotation of a scatter: the rows of `indices`, whose last dim counts the indexed dims, name
 * places in the first dims of x; the written values lie along the other dims, which alone may be
 * cut.
 */
function scatterAnnotation(call: CallShapes): string {
  const [x, indices] = [shapeAt(call, 0), shapeAt(call, 1)];
  const depth = Math.min(depthOf(indices), x.length);
  const all = frozenAt(x.length, (dim) => dim < depth);
  const rows = names(x.length, indices.length - 1).map((name) => `${name}^`);
  const updates = [...rows, ...all.slice(depth)];
  const kept = all.join(" ");
  return `${kept}, ${[...rows, depth].join(" ")}, ${updates.join(" ") || "1"} -> ${kept}`;
}

/**
 * A table: for each element of x the number of the last row that names it, counted from 1; 0 if
 * none does.
 */
function lastRow(call: BoundCall, shift: number): Table {
  const [x, indices] = [operandAt(call, shift), operandAt(call, 1 + shift)];
  const depth = depthOf(indices.shape);
  const rows = rowAxes(call, shift);
  const at = (column: number) => read(1 + shift, [...rows.map(index), number(column)]);
  const isNamed = Array.from({ length: depth }, (_, dim) => equal(at(dim), index(axisAt(x, dim))));
  const named = Array.from({ length: depth }, (_, dim) => axisAt(x, dim));
  return tabled("last", named, folded("max", rows, mul(...isNamed, rowNumber(call, shift))));
}

function rowAxes(call: BoundCall, shift: number): readonly string[] {
  const indices = operandAt(call, 1 + shift);
  return indices.shape.slice(0, -1).map((_, dim) => axisAt(indices, dim));
}

/** The number of the present row of indices, counted from 1. */
function rowNumber(call: BoundCall, shift: number): Expr {
  const { shape } = operandAt(call, 1 + shift);
  const flat = rowAxes(call, shift).reduce<Expr>(
    (sum, axis, dim) => add(mul(sum, shape[dim] ?? 1), index(axis)),
    number(0),
  );
  return add(flat, 1);
}

/** x with updates written at the named places; of several updates for one place the last counts. */
function scatterBody(call: BoundCall): Body {
  const isWritten = equal(rowNumber(call, 0), table("last"));
  const written = tabled(
    "written",
    axesIn(call, operandAt(call, 0)),
    folded("sum", rowAxes(call, 0), select(isWritten, read(2), 0)),
  );
  const value = select(equal(table("last"), 0), read(0), table("written"));
  return { tables: [lastRow(call, 0), written], outputs: [mapped(value)] };
}

/**
 * Gradients of a scatter: 0 for overwritten values; each update gets the gradient at its place, if
 * it is the last one written there.
 */
function scatterBackward(call: BoundCall, target: number): Body {
  const shifted = { ...call, inputs: [undefined, ...call.inputs] };
  const last = lastRow(shifted, 1);
  if (target === 0) {
    return { tables: [last], outputs: [mapped(select(equal(table("last"), 0), read(0), 0))] };
  }
  const isWritten = equal(rowNumber(shifted, 1), table("last"));
  const { axes } = last;
  return { tables: [last], outputs: [folded("sum", axes, select(isWritten, read(0), 0))] };
}

export const lookups: readonly LibraryEntry[] = [
  define({
    name: "take",
    parameters: ["x", "index", "dim", "batch_dims"],
    tensors: 2,
    annotate: takeAnnotation,
    body: takeBody,
    gradient: "derived",
    linear: [[0]],
    domains: [
      undefined,
      {
        kind: "index",
        below: (call) => {
          const { shape } = operandAt(call, 0);
          return shape[dimOf(call, shape.length, 0)] ?? 1;
        },
      },
    ],
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("c"), n("d")],
      ],
      attributes: { dim: 0 },
    }),
  }),
  define({
    name: "tensor_scatter_update",
    parameters: ["x", "indices", "updates"],
    tensors: 3,
    annotate: scatterAnnotation,
    body: scatterBody,
    gradient: { targets: [0, 2], body: scatterBackward },
    linear: [[0, 2]],
    domains: [undefined, { kind: "index", below: smallestNamed }],
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("c"), 1],
        [n("c"), n("b")],
      ],
      attributes: {},
    }),
  }),
];

/**
 * The smallest dim of x that a column of indices names: below it, indices of every column lie
 * inside x.
 */
function smallestNamed(call: BoundCall): number {
  const depth = depthOf(operandAt(call, 1).shape);
  return Math.min(...operandAt(call, 0).shape.slice(0, depth));
}
