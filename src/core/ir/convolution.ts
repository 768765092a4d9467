import {
  type Body,
  type Expr,
  folded,
  index,
  mapped,
  position,
  read,
  table,
  tabled,
} from "./body/body.ts";
import { add, mul, select } from "./body/expressions.ts";
import {
  axesBeside,
  axisAt,
  type BoundCall,
  numberOf,
  operandAt,
  outputAt,
  pointsOf,
  shapeAt,
  written,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";

import { over, slid, spatialNames, tapNames, under, type Window, windowsOf } from "./windows.ts";

const names = (from: readonly string[], count: number) => from.slice(0, count);

/** `n c h w, o c y x -> n o H W`; groups lead their channels; a bias completes the sum first. */
function convAnnotation(spatial: number): LibraryEntry["annotate"] {
  return (call) => {
    const [x, weight] = [shapeAt(call, 0), shapeAt(call, 1)];
    const hasBias = call.inputs.length > 2;
    const windows = windowsOf(call, weight.slice(2));
    const isGrouped = numberOf(call, "groups", 1) > 1;
    const places = names(spatialNames, spatial)
      .map((name) => `${name}^`)
      .join(" ");
    const taps = names(tapNames, spatial)
      .map((name) => `${name}^`)
      .join(" ");
    const results = windows.map((window, at) => written(slid(x[2 + at], window))).join(" ");
    const inner = hasBias || isGrouped ? "c^" : "c+";
    const [from, to] = isGrouped ? ["(groups c^)", "(groups o^)"] : [inner, "o"];
    const bias = hasBias ? `, ${to}` : "";
    return `n ${from} ${places}, ${to} ${inner} ${taps}${bias} -> n ${to} ${results}`;
  };
}

interface ConvolutionTaps {
  readonly windows: readonly Window[];
  /** The index of x's channel, from the group and the inner channel axis. */
  readonly channel: Expr;
  readonly taps: readonly string[];
}

function tapsOf(call: BoundCall, weightAt: number): ConvolutionTaps {
  const weight = operandAt(call, weightAt);
  const inner = axisAt(weight, 1);
  const isGrouped = numberOf(call, "groups", 1) > 1;
  const channel = isGrouped
    ? add(mul(index("groups"), weight.shape[1] ?? 1), index(inner))
    : index(inner);
  const taps = weight.dims.slice(2).map(({ identifiers }) => identifiers[0] ?? "");
  return { windows: windowsOf(call, weight.shape.slice(2)), channel, taps };
}

function convBody(call: BoundCall): Body {
  const { windows, channel, taps } = tapsOf(call, 1);
  const result = outputAt(call, 0);
  const at = windows.map((window, dim) => under(position(2 + dim), index(taps[dim] ?? ""), window));
  const value = mul(read(0, [index("n"), channel, ...at]), read(1));
  const inner = [axisAt(operandAt(call, 1), 1), ...taps];
  if (call.inputs[2] === undefined) return { tables: [], outputs: [folded("sum", inner, value)] };
  const product = tabled("product", pointsOf(call, result), folded("sum", inner, value));
  return { tables: [product], outputs: [mapped(add(table("product"), read(2)))] };
}

/** The gradient of the output at given places. */
function incoming(call: BoundCall, places: readonly Expr[]): Expr {
  const channels = outputAt(call, 0).dims[1]?.identifiers ?? [];
  const perGroup = (operandAt(call, 1).shape[0] ?? 1) / numberOf(call, "groups", 1);
  const own = channels.length > 1 ? add(mul(index("groups"), perGroup), index("o")) : index("o");
  return read(0, [index("n"), own, ...places]);
}

/** dx: the sum over every window that covers an element. */
function backwardInput(call: BoundCall): Body {
  const { windows, taps } = tapsOf(call, 1);
  const found = windows.map((window, dim) =>
    over(index(spatialNames[dim] ?? ""), index(taps[dim] ?? ""), window),
  );
  const dy = incoming(
    call,
    found.map(({ at }) => at),
  );
  const value = select(mul(...found.map(({ isThere }) => isThere)), mul(dy, read(2)), 0);
  const beside = axesBeside(call, operandAt(call, 0));
  return { tables: [], outputs: [folded("sum", beside, value)] };
}

/** dweight or dbias: the sum over all windows. */
function backwardWeight(call: BoundCall, target: number): Body {
  const { windows, channel, taps } = tapsOf(call, 1);
  const loops = windows.map((_, dim) => ({
    axis: `at${dim}`,
    size: outputAt(call, 0).shape[2 + dim] ?? 0,
  }));
  const at = windows.map((window, dim) => under(index(`at${dim}`), index(taps[dim] ?? ""), window));
  const dy = incoming(
    call,
    loops.map(({ axis }) => index(axis)),
  );
  if (target === 2) return { tables: [], outputs: [folded("sum", ["n", ...loops], dy)] };
  const value = mul(dy, read(1, [index("n"), channel, ...at]));
  return { tables: [], outputs: [folded("sum", ["n", ...loops], value)] };
}

const convBackward: Backward = {
  targets: [0, 1, 2],
  body: (call, target) => (target === 0 ? backwardInput(call) : backwardWeight(call, target)),
};

function convolution(name: string, spatial: number): LibraryEntry {
  return define({
    name,
    parameters: ["x", "weight", "bias", "stride", "padding", "dilation", "groups"],
    tensors: 3,
    required: 2,
    annotate: convAnnotation(spatial),
    body: convBody,
    gradient: convBackward,
    linear: [
      [0, 2],
      [1, 2],
    ],
    sample: (n) => ({
      inputs: [
        [n("n"), n("c"), ...[3, 3, 5].slice(-spatial)],
        [n("o"), n("c"), ...[2, 2, 3].slice(-spatial)],
      ],
      attributes: { stride: 2, padding: 1 },
    }),
  });
}

/**
 * Transposed convolution: the sum over the windows that cover an element, as in a convolution's
 * gradient.
 */
const transposed: LibraryEntry = define({
  name: "conv_transpose2d",
  parameters: ["x", "weight", "bias", "stride", "padding", "dilation"],
  tensors: 2,
  annotate: (call) => {
    const [x, weight] = [shapeAt(call, 0), shapeAt(call, 1)];
    const windows = windowsOf(call, weight.slice(2));
    const results = windows.map((w, at) =>
      written(((x[2 + at] ?? 1) - 1) * w.stride - 2 * w.padding + w.dilation * (w.size - 1) + 1),
    );
    return `n c+ h^ w^, c+ o y^ x^ -> n o ${results.join(" ")}`;
  },
  body: (call) => {
    const windows = windowsOf(call, operandAt(call, 1).shape.slice(2));
    const found = windows.map((window, dim) =>
      over(position(2 + dim), index(tapNames[dim] ?? ""), window),
    );
    const value = select(
      mul(...found.map(({ isThere }) => isThere)),
      mul(read(0, [index("n"), index("c"), ...found.map(({ at }) => at)]), read(1)),
      0,
    );
    return { tables: [], outputs: [folded("sum", ["c", "y", "x"], value)] };
  },
  gradient: {
    targets: [0, 1],
    body: (call, target) => {
      const windows = windowsOf(call, operandAt(call, 1).shape.slice(2));
      const at = windows.map((window, dim) =>
        under(index(spatialNames[dim] ?? ""), index(tapNames[dim] ?? ""), window),
      );
      const dy = read(0, [index("n"), index("o"), ...at]);
      const value = mul(dy, read(target === 0 ? 2 : 1));
      const over = axesBeside(call, operandAt(call, target));
      return { tables: [], outputs: [folded("sum", over, value)] };
    },
  },
  linear: [[0], [1]],
  sample: (n) => ({
    inputs: [
      [n("n"), n("c"), 3, 3],
      [n("c"), n("o"), 3, 2],
    ],
    attributes: { stride: 2, padding: 1 },
  }),
});

export const convolutions: readonly LibraryEntry[] = [
  convolution("conv1d", 1),
  convolution("conv2d", 2),
  convolution("conv3d", 3),
  transposed,
];
