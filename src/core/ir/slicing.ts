import { alongNumbers, replaced } from "./along-dim.ts";
import { type Body, folded, index, number, pointwise, position, read } from "./body/body.ts";
import { add, less, mul, quotient, remainder, select, sub, within } from "./body/expressions.ts";
import {
  type BoundCall,
  type CallShapes,
  dimOf,
  fromFront,
  frozenAt,
  type KnownSize,
  letter,
  listOf,
  numberOf,
  operandAt,
  outputAt,
  shapeAt,
  written,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";

interface Range {
  readonly dim: number;
  readonly start: number;
  readonly step: number;
  readonly length: number;
}

/** The range that `slice` or `select` takes; negative indices count as in Python. */
function rangeOf(call: Pick<CallShapes, "attributes">, shape: readonly KnownSize[]): Range {
  const dim = dimOf(call, shape.length, 0);
  const size = shape[dim] ?? 1;
  const clip = (at: number) => Math.min(size, Math.max(0, at < 0 ? at + size : at));
  const start = clip(numberOf(call, "start", 0));
  const stop = Math.max(start, clip(numberOf(call, "stop", size)));
  const step = Math.max(1, numberOf(call, "step", 1));
  return { dim, start, step, length: Math.ceil((stop - start) / step) };
}

/** `dx[p] = dy[(p − start) / step]` where that is an index of the slice. */
const sliceBackward: Backward = {
  targets: [0],
  body: (call) => {
    const { shape } = operandAt(call, 0);
    const { dim, start, step, length } = rangeOf(call, shape);
    const from = sub(position(dim), start);
    const isTaken = mul(within(from, 0, length * step), less(remainder(from, step), 1));
    const at = replaced(shape.length, dim, () => quotient(from, step));
    return pointwise(select(isTaken, read(0, at), 0));
  },
};

const selectBackward: Backward = {
  targets: [0],
  body: (call) => {
    const { shape } = operandAt(call, 0);
    const dim = dimOf(call, shape.length, 0);
    const chosen = fromFront(numberOf(call, "index", 0), shape[dim] ?? 1);
    const at = shape.flatMap((_, each) => (each === dim ? [] : [position(each)]));
    return pointwise(select(within(position(dim), chosen, chosen + 1), read(0, at), 0));
  },
};

/** Elements added before and after each dim; the call lists the last dim first. */
function paddingOf(call: Pick<CallShapes, "attributes">, rank: number) {
  const list = listOf(call, "pad") ?? [];
  return Array.from({ length: rank }, (_, dim) => {
    const at = 2 * (rank - 1 - dim);
    return { before: list[at] ?? 0, behind: list[at + 1] ?? 0 };
  });
}

function padBody(call: BoundCall): Body {
  const { shape } = operandAt(call, 0);
  const padding = paddingOf(call, shape.length);
  const at = shape.map((_, dim) => sub(position(dim), padding[dim]?.before ?? 0));
  const inside = shape.map((size, dim) => within(at[dim] ?? number(0), 0, size));
  return pointwise(select(mul(...inside), read(0, at), numberOf(call, "value", 0)));
}

const padBackward: Backward = {
  targets: [0],
  body: (call) => {
    const { shape } = operandAt(call, 0);
    const padding = paddingOf(call, shape.length);
    const at = shape.map((_, dim) => add(position(dim), padding[dim]?.before ?? 0));
    // Elements removed by negative padding get no gradient.
    const isCut = padding.some(({ before, behind }) => before < 0 || behind < 0);
    if (!isCut) return pointwise(read(0, at));
    const inside = padding.map(({ before, behind }, dim) =>
      within(at[dim] ?? number(0), 0, (shape[dim] ?? 0) + before + behind),
    );
    return pointwise(select(mul(...inside), read(0, at), 0));
  },
};

/** Gradient of an element: the sum over all its copies. */
const repeatBackward: Backward = {
  targets: [0],
  body: (call) => {
    const { shape } = operandAt(call, 0);
    const skipped = outputAt(call, 0).shape.length - shape.length;
    const copies = outputAt(call, 0).shape.map((size, dim) => size / (shape[dim - skipped] ?? 1));
    const axes = new Set(call.axes.map(({ name }) => name));
    // Repetitions have an axis of their own: a device adds up those that it holds.
    const loops = outputAt(call, 0).dims.map(({ identifiers: [outer = "", inner] }, dim) =>
      inner !== undefined && axes.has(outer)
        ? outer
        : { axis: `copy${dim}`, size: copies[dim] ?? 1 },
    );
    const nameOf = (dim: number) => {
      const loop = loops[dim] ?? "";
      return typeof loop === "string" ? loop : loop.axis;
    };
    const at = loops.map((_, dim) => {
      const size = shape[dim - skipped];
      const copy = index(nameOf(dim));
      return size === undefined ? copy : add(mul(copy, size), position(dim - skipped));
    });
    return { tables: [], outputs: [folded("sum", loops, read(0, at))] };
  },
};

export const slicing: readonly LibraryEntry[] = [
  define({
    name: "slice",
    parameters: ["x", "dim", "start", "stop", "step"],
    tensors: 1,
    annotate: (call) => {
      const shape = shapeAt(call, 0);
      const { dim, length } = rangeOf(call, shape);
      return alongNumbers(shape.length, dim, [length]);
    },
    body: (call) => {
      const { shape } = operandAt(call, 0);
      const { dim, start, step } = rangeOf(call, shape);
      return pointwise(
        read(
          0,
          replaced(shape.length, dim, (here) => add(mul(here, step), start)),
        ),
      );
    },
    gradient: sliceBackward,
    linear: [[0]],
    sample: (n) => ({
      inputs: [[n("a"), 2 * n("b")]],
      attributes: { dim: 1, start: 1, stop: -1, step: 2 },
    }),
  }),
  define({
    name: "select",
    parameters: ["x", "dim", "index"],
    tensors: 1,
    annotate: (call) => {
      const rank = shapeAt(call, 0).length;
      const dims = frozenAt(rank, (dim) => dim === dimOf(call, rank, 0));
      const kept = dims.filter((name) => !name.endsWith("^"));
      return `${dims.join(" ")} -> ${kept.length === 0 ? "1" : kept.join(" ")}`;
    },
    body: (call) => {
      const { shape } = operandAt(call, 0);
      const dim = dimOf(call, shape.length, 0);
      const chosen = fromFront(numberOf(call, "index", 0), shape[dim] ?? 1);
      const at = shape.map((_, each) => position(each > dim ? each - 1 : each));
      return pointwise(
        read(
          0,
          at.map((place, each) => (each === dim ? number(chosen) : place)),
        ),
      );
    },
    gradient: selectBackward,
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { dim: 1, index: -1 } }),
  }),
  define({
    name: "pad",
    parameters: ["x", "pad", "value"],
    tensors: 1,
    annotate: (call) => {
      const shape = shapeAt(call, 0);
      const padding = paddingOf(call, shape.length);
      // Dims that are padded or cropped are frozen: their elements move.
      const moved = padding.map(({ before, behind }) => before !== 0 || behind !== 0);
      const inputs = frozenAt(shape.length, (dim) => moved[dim] === true);
      const outputs = padding.map(({ before, behind }, dim) =>
        moved[dim] ? written(Math.max(0, (shape[dim] ?? 1) + before + behind)) : letter(dim),
      );
      return `${inputs.join(" ")} -> ${outputs.join(" ")}`;
    },
    body: padBody,
    gradient: padBackward,
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { pad: [1, 2], value: 3 } }),
  }),
  define({
    name: "repeat",
    aliases: ["tile"],
    parameters: ["x", "repeats"],
    gathers: "repeats",
    tensors: 1,
    annotate: (call) => {
      const shape = shapeAt(call, 0);
      const given = listOf(call, "repeats") ?? [];
      // Counts belong to the last dims; counts in excess make new dims in front.
      const skipped = given.length - shape.length;
      const repeats = (dim: number) => given[dim + skipped] ?? 1;
      const isRepeated = (dim: number) => repeats(dim) !== 1;
      const outputs = shape.map((_, dim) =>
        isRepeated(dim) ? `(${repeats(dim)} ${letter(dim)}^)` : letter(dim),
      );
      const before = given.slice(0, Math.max(0, skipped)).map(String);
      const output = [...before, ...outputs].join(" ");
      return `${frozenAt(shape.length, isRepeated).join(" ")} -> ${output}`;
    },
    body: (call) => {
      const { shape } = operandAt(call, 0);
      const skipped = outputAt(call, 0).shape.length - shape.length;
      return pointwise(
        read(
          0,
          shape.map((size, dim) => remainder(position(dim + skipped), size)),
        ),
      );
    },
    gradient: repeatBackward,
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { repeats: [3, 1] } }),
  }),
];
