import {
  type Body,
  type Expr,
  folded,
  index,
  mapped,
  number,
  pointwise,
  position,
  read,
  table,
  tabled,
} from "./body/body.ts";
import { add, equal, select, sub } from "./body/expressions.ts";
import {
  axesIn,
  axisAt,
  type BoundCall,
  type CallShapes,
  dimOf,
  frozenAt,
  leading,
  numberOf,
  operandAt,
  outputAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { Domain, LibraryEntry } from "./entry.ts";

/** Indices below the size of a dim of an operand. */
function indicesInto(operand: number, dimIn: (call: BoundCall, rank: number) => number): Domain {
  return {
    kind: "index",
    below: (call) => {
      const { shape } = operandAt(call, operand);
      return shape[dimIn(call, shape.length)] ?? 1;
    },
  };
}

/**
 * The element of operand `source` at the index in operand `indices`: a sum over the whole axis in
 * which one term counts, so that a cut axis (a vocabulary) gives partial sums without a further
 * rule.
 */
function picked(axis: string, indices: number, source: number): Expr {
  return select(equal(index(axis), read(indices)), read(source), 0);
}

/** Annotation of a gather: the dims of x, with the dim along `dim` replaced by the indices' dim. */
function gatherAnnotation(call: CallShapes): string {
  const rank = shapeAt(call, 0).length;
  const dim = dimOf(call, rank, 0);
  const all = frozenAt(rank, () => false);
  const source = all.map((name, at) => (at === dim ? `${name}+` : name)).join(" ");
  const indices = all.map((name, at) => (at === dim ? "k" : name)).join(" ");
  return `${source}, ${indices} -> ${indices}`;
}

function pickAlong(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const axis = axisAt(x, dimOf(call, x.shape.length, 0));
  return { tables: [], outputs: [folded("sum", [axis], picked(axis, 1, 0))] };
}

const along = (call: BoundCall, rank: number) => dimOf(call, rank, 0);

/**
 * x plus, at every index, the sources whose index names it; their sum is complete before x is
 * added.
 */
function scatterBody(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const axis = axisAt(x, dimOf(call, x.shape.length, 0));
  const sum = folded("sum", ["k"], picked(axis, 1, 2));
  return {
    tables: [tabled("sources", axesIn(call, x), sum)],
    outputs: [mapped(add(read(0), table("sources")))],
  };
}

/**
 * x with sources written into it: at every index the last source whose index names it. Sources are
 * a tensor or one number.
 */
function writtenBody(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const axis = axisAt(x, along(call, x.shape.length));
  const isNamed = equal(index(axis), read(1));
  const last = folded("max", ["k"], select(isNamed, add(index("k"), 1), 0));
  const place = x.dims.map((_, dim) =>
    axisAt(x, dim) === axis ? sub(table("last"), 1) : index(axisAt(x, dim)),
  );
  const source =
    call.inputs[2] === undefined ? number(numberOf(call, "source", 0)) : read(2, place);
  return {
    tables: [tabled("last", axesIn(call, x), last)],
    outputs: [mapped(select(table("last"), source, read(0)))],
  };
}

/** The annotation of a scatter: x, indices along one dim of it, and the sources. */
function scatterAnnotation(call: CallShapes): string {
  const rank = shapeAt(call, 0).length;
  const dim = dimOf(call, rank, 0);
  const all = frozenAt(rank, () => false);
  const indices = all.map((name, at) => (at === dim ? "k^" : name)).join(" ");
  const sources = call.inputs.slice(1).map((each) => (each === undefined ? "?" : indices));
  return `${[all.join(" "), ...sources].join(", ")} -> ${all.join(" ")}`;
}

export const indexing: readonly LibraryEntry[] = [
  define({
    name: "embedding",
    parameters: ["ids", "weight"],
    annotate: (call) => {
      const ids = leading(shapeAt(call, 0).length);
      return `${ids}, n+ k -> ${ids} k`;
    },
    body: () => ({ tables: [], outputs: [folded("sum", ["n"], picked("n", 0, 1))] }),
    gradient: "derived",
    linear: [[1]],
    domains: [indicesInto(1, () => 0)],
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("v"), n("e")],
      ],
      attributes: {},
    }),
  }),
  define({
    name: "gather",
    aliases: ["take_along_dim"],
    parameters: ["x", "index", "dim"],
    tensors: 2,
    annotate: gatherAnnotation,
    body: pickAlong,
    gradient: "derived",
    linear: [[0]],
    domains: [undefined, indicesInto(0, along)],
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("a"), n("c")],
      ],
      attributes: { dim: 1 },
    }),
  }),
  define({
    name: "index_select",
    parameters: ["x", "index", "dim"],
    tensors: 2,
    annotate: (call) => {
      const rank = shapeAt(call, 0).length;
      const dim = dimOf(call, rank, 0);
      const all = frozenAt(rank, () => false);
      const source = all.map((name, at) => (at === dim ? `${name}+` : name));
      const output = all.map((name, at) => (at === dim ? "k" : name));
      return `${source.join(" ")}, k -> ${output.join(" ")}`;
    },
    body: pickAlong,
    gradient: "derived",
    linear: [[0]],
    domains: [undefined, indicesInto(0, along)],
    sample: (n) => ({ inputs: [[n("a"), n("b")], [n("c")]], attributes: { dim: 1 } }),
  }),
  define({
    name: "scatter_add",
    parameters: ["x", "index", "source", "dim"],
    tensors: 3,
    annotate: scatterAnnotation,
    body: scatterBody,
    gradient: (call) => {
      const dy = { from: "gradient", index: 0 } as const;
      const dim = dimOf(call, operandAt(call, 0).shape.length, 0);
      return [
        [{ op: "identity", operands: [dy], attributes: {} }],
        [],
        [{ op: "gather", operands: [dy, { from: "input", index: 1 }], attributes: { dim } }],
      ];
    },
    linear: [[0, 2]],
    domains: [undefined, indicesInto(0, along)],
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("a"), n("c")],
        [n("a"), n("c")],
      ],
      attributes: { dim: 1 },
    }),
  }),
  define({
    name: "scatter",
    parameters: ["x", "index", "source", "dim"],
    tensors: 3,
    required: 2,
    mayBeNumbers: ["source"],
    annotate: scatterAnnotation,
    body: writtenBody,
    // Several sources of one index all get the whole gradient, as in the systems that have this
    // operator.
    gradient: (call) => {
      const dy = { from: "gradient", index: 0 } as const;
      const at = { from: "input", index: 1 } as const;
      const dim = dimOf(call, operandAt(call, 0).shape.length, 0);
      const written = [{ op: "gather", operands: [dy, at], attributes: { dim } }];
      return [
        [{ op: "scatter", operands: [dy, at], attributes: { dim, source: 0 } }],
        [],
        ...(call.inputs[2] === undefined ? [] : [written]),
      ];
    },
    domains: [undefined, indicesInto(0, along)],
    sample: (n) => ({
      inputs: [[n("a"), n("b")], [n("a"), n("c")], undefined],
      attributes: { dim: 1, source: -5 },
    }),
  }),
  define({
    name: "one_hot",
    parameters: ["ids", "num_classes"],
    tensors: 1,
    annotate: (call) => {
      const ids = leading(shapeAt(call, 0).length);
      return `${ids} -> ${ids} ${numberOf(call, "num_classes", 2)}`;
    },
    body: (call) => pointwise(equal(read(0), position(outputAt(call, 0).shape.length - 1))),
    gradient: "none",
    domains: [{ kind: "index", below: (call) => numberOf(call, "num_classes", 2) }],
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { num_classes: 5 } }),
  }),
];
