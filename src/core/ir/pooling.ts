import { folded, index, pointwise, position, read } from "./body/body.ts";
import { add, div, equal, mul, quotient, select, within } from "./body/expressions.ts";
import { numberOf, operandAt, outputAt, perDim, shapeAt, written } from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";

import { over, slid, spatialNames, under, type Window, type WithAttributes } from "./windows.ts";

function poolWindows(call: WithAttributes): readonly Window[] {
  const sizes = perDim(call, "kernel_size", 2, 2);
  const strides = call.attributes.stride === undefined ? sizes : perDim(call, "stride", 2, 1);
  const paddings = perDim(call, "padding", 2, 0);
  return sizes.map((size, dim) => ({
    size,
    stride: strides[dim] ?? size,
    padding: paddings[dim] ?? 0,
    dilation: 1,
  }));
}

const taps = (windows: readonly Window[]) =>
  windows.map(({ size }, dim) => ({ axis: `tap${dim}`, size }));

/** Pooling over windows: `n c h w -> n c H W`; elements outside of the tensor do not count. */
function pooling(name: string, kind: "max" | "mean"): LibraryEntry {
  const area = (windows: readonly Window[]) => windows.reduce((n, { size }) => n * size, 1);
  return define({
    name,
    parameters: ["x", "kernel_size", "stride", "padding"],
    tensors: 1,
    annotate: (call) => {
      const x = shapeAt(call, 0);
      const results = poolWindows(call).map((window, at) => written(slid(x[2 + at], window)));
      return `n c h^ w^ -> n c ${results.join(" ")}`;
    },
    body: (call) => {
      const windows = poolWindows(call);
      const at = windows.map((window, dim) => under(position(2 + dim), index(`tap${dim}`), window));
      const sizes = operandAt(call, 0).shape.slice(2);
      const inside = mul(...at.map((place, dim) => within(place, 0, sizes[dim] ?? 0)));
      const element = read(0, [index("n"), index("c"), ...at]);
      const definition =
        kind === "max"
          ? folded("max", taps(windows), select(inside, element, Number.NEGATIVE_INFINITY))
          : folded("sum", taps(windows), div(element, area(windows)));
      return { tables: [], outputs: [definition] };
    },
    gradient: {
      targets: [0],
      readsOutput: true,
      body: (call) => {
        const windows = poolWindows(call);
        const found = windows.map((window, dim) =>
          over(index(spatialNames[dim] ?? ""), index(`tap${dim}`), window),
        );
        const at = [index("n"), index("c"), ...found.map((each) => each.at)];
        const sizes = outputAt(call, 0).shape.slice(2);
        const inside = found.map((each, dim) =>
          mul(each.isThere, within(each.at, 0, sizes[dim] ?? 0)),
        );
        const share =
          kind === "max"
            ? mul(read(0, at), equal(read(1), read(2, at)))
            : div(read(0, at), area(windows));
        return {
          tables: [],
          outputs: [folded("sum", taps(windows), select(mul(...inside), share, 0))],
        };
      },
    },
    linear: kind === "max" ? [] : [[0]],
    sample: (n) => ({
      inputs: [[n("n"), n("c"), 5, 4]],
      attributes: { kernel_size: 2, stride: 2, padding: kind === "max" ? 1 : 0 },
    }),
  });
}

export const poolings: readonly LibraryEntry[] = [
  pooling("max_pool2d", "max"),
  pooling("avg_pool2d", "mean"),
  define({
    name: "upsample_nearest",
    parameters: ["x", "scale_factor"],
    tensors: 1,
    annotate: (call) => {
      const scale = numberOf(call, "scale_factor", 2);
      return `n c h w -> n c (h ${scale}) (w ${scale})`;
    },
    body: (call) => {
      const scale = numberOf(call, "scale_factor", 2);
      const at = operandAt(call, 0).shape.map((_, dim) =>
        dim < 2 ? position(dim) : quotient(position(dim), scale),
      );
      return pointwise(read(0, at));
    },
    gradient: {
      targets: [0],
      body: (call) => {
        const scale = numberOf(call, "scale_factor", 2);
        const loops = [0, 1].map((dim) => ({ axis: `copy${dim}`, size: scale }));
        const at = operandAt(call, 0).shape.map((_, dim) =>
          dim < 2 ? position(dim) : add(mul(position(dim), scale), index(`copy${dim - 2}`)),
        );
        return { tables: [], outputs: [folded("sum", loops, read(0, at))] };
      },
    },
    linear: [[0]],
    sample: (n) => ({
      inputs: [[n("n"), n("c"), n("h"), n("w")]],
      attributes: { scale_factor: 2 },
    }),
  }),
];
