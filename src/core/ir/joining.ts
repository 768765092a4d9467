import { sum } from "#core/arithmetic";
import { alongNumbers, replaced } from "./along-dim.ts";
import { type Body, type Expr, mapped, number, pointwise, position, read } from "./body/body.ts";
import { add, less, select, sub } from "./body/expressions.ts";
import {
  type BoundCall,
  type CallShapes,
  dimOf,
  frozenAt,
  type KnownSize,
  letter,
  numberOf,
  operandAt,
  outputAt,
  shapeAt,
  written,
} from "./call.ts";
import { define } from "./define.ts";
import type { GradientOperand, LibraryEntry } from "./entry.ts";

/** The most results that one call may have; callers refuse more. */
export const maxResults = 4_096;

/**
 * The lengths of the parts of `split`: from the size of a part, or from a list of sizes; `chunk`
 * gives a count. Beyond `maxResults` parts the list is cut off, just long enough to be refused.
 */
function splitSizes(call: CallShapes): readonly number[] {
  const shape = shapeAt(call, 0);
  const size = shape[dimOf(call, shape.length, 0)] ?? 1;
  const listed = call.attributes.split_size;
  if (typeof listed === "object") return listed.slice(0, maxResults + 1);
  const chunks = numberOf(call, "chunks", 0);
  const length = chunks > 0 ? Math.ceil(size / chunks) : numberOf(call, "split_size", size);
  const count = Math.max(1, Math.ceil(size / Math.max(1, length)));
  const made = Math.min(count, maxResults + 1);
  return Array.from({ length: made }, (_, at) => Math.min(length, size - at * length));
}

function splitting(name: string, parameter: string, sample: LibraryEntry["sample"]): LibraryEntry {
  return define({
    name,
    parameters: ["x", parameter, "dim"],
    tensors: 1,
    annotate: (call) => {
      const rank = shapeAt(call, 0).length;
      return alongNumbers(rank, dimOf(call, rank, 0), splitSizes(call));
    },
    body: (call) => {
      const rank = operandAt(call, 0).shape.length;
      const dim = dimOf(call, rank, 0);
      let offset = 0;
      const outputs = call.outputs.map(({ shape }) => {
        const start = offset;
        offset += shape[dim] ?? 0;
        return mapped(
          read(
            0,
            replaced(rank, dim, (here) => add(here, start)),
          ),
        );
      });
      return { tables: [], outputs };
    },
    gradient: (call) => [
      [
        {
          op: "concat",
          operands: call.outputs.map((_, at) => ({ from: "gradient", index: at }) as const),
          attributes: { dim: dimOf(call, operandAt(call, 0).shape.length, 0) },
        },
      ],
    ],
    linear: [[0]],
    sample,
  });
}

function concatAnnotation(call: CallShapes): string {
  const rank = shapeAt(call, 0).length;
  const dim = dimOf(call, rank, 0);
  const sizes = call.inputs.map((shape) => shape?.[dim]);
  const total = sizes.reduce<KnownSize>((sum, size) => (sum ?? 0) + (size ?? 1), 0);
  const inputs = call.inputs.map((_, at) =>
    frozenAt(rank, () => false)
      .map((name, each) => (each === dim ? `${name}${at}^` : name))
      .join(" "),
  );
  const output = frozenAt(rank, () => false).map((name, each) =>
    each === dim ? written(total) : name,
  );
  return `${inputs.join(", ")} -> ${output.join(" ")}`;
}

/** The first operand as far as the index lies in it, then the next. */
function concatBody(call: BoundCall): Body {
  const rank = operandAt(call, 0).shape.length;
  const dim = dimOf(call, rank, 0);
  const sizes = call.inputs.map((input) => input?.shape[dim] ?? 0);
  const starts = sizes.map((_, at) => sum(sizes.slice(0, at)));
  const value = call.inputs.reduceRight<Expr>((rest, _, at) => {
    const start = starts[at] ?? 0;
    const own = read(
      at,
      replaced(rank, dim, (here) => sub(here, start)),
    );
    return select(less(position(dim), start + (sizes[at] ?? 0)), own, rest);
  }, number(0));
  return pointwise(value);
}

/** One slice of the output's gradient per operand. */
function concatGradient(call: BoundCall): ReturnType<LibraryEntry["gradient"]> {
  const dim = dimOf(call, operandAt(call, 0).shape.length, 0);
  let start = 0;
  return call.inputs.map((input) => {
    const from = start;
    start += input?.shape[dim] ?? 0;
    return [{ op: "slice", operands: [gradient], attributes: { dim, start: from, stop: start } }];
  });
}

const gradient: GradientOperand = { from: "gradient", index: 0 };
/** All operands (at most 64) as one linear group; operands that a call lacks do not count. */
const linearTogether = [Array.from({ length: 64 }, (_, at) => at)];

export const joining: readonly LibraryEntry[] = [
  splitting("split", "split_size", (n) => ({
    inputs: [[n("a"), 2 * n("b")]],
    attributes: { split_size: n("b"), dim: 1 },
  })),
  splitting("chunk", "chunks", (n) => ({
    inputs: [[2 * n("a"), n("b")]],
    attributes: { chunks: 2, dim: 0 },
  })),
  define({
    name: "concat",
    aliases: ["cat"],
    parameters: ["tensors", "dim"],
    tensors: 1,
    variadic: true,
    annotate: concatAnnotation,
    body: concatBody,
    gradient: concatGradient,
    linear: linearTogether,
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("a"), n("c")],
      ],
      attributes: { dim: 1 },
    }),
  }),
  define({
    name: "stack",
    parameters: ["tensors", "dim"],
    tensors: 1,
    variadic: true,
    annotate: (call) => {
      const names = shapeAt(call, 0).map((_, dim) => letter(dim));
      const dim = dimOf(call, names.length + 1, 0);
      const output = [...names.slice(0, dim), String(call.inputs.length), ...names.slice(dim)];
      return `${call.inputs.map(() => names.join(" ")).join(", ")} -> ${output.join(" ")}`;
    },
    body: (call) => {
      const dim = dimOf(call, outputAt(call, 0).shape.length, 0);
      const value = call.inputs.reduceRight<Expr>(
        (rest, _, at) => select(less(position(dim), at + 1), read(at), rest),
        number(0),
      );
      return pointwise(value);
    },
    gradient: (call) => {
      const dim = dimOf(call, outputAt(call, 0).shape.length, 0);
      return call.inputs.map((_, at) => [
        { op: "select", operands: [gradient], attributes: { dim, index: at } },
      ]);
    },
    linear: linearTogether,
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("a"), n("b")],
      ],
      attributes: { dim: 1 },
    }),
  }),
];
