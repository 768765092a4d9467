import { integers } from "./attributes.ts";
import type { Operation } from "./mlir.ts";
import { isNeutral, ownType, reducerOf } from "./reductions.ts";
import { countOf } from "./types.ts";
import { type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/**
 * Writes `reduce_window` as a pooling over its two windowed dims, or as a running sum along one;
 * `undefined` when PyTorch has no equivalent.
 */
export function windows(
  writer: Writer,
  operation: Operation,
  [x, init]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const { text } = operation;
  const how = reducerOf(text, operation.regions[0]);
  if (type === undefined || x === undefined || init === undefined || how === undefined)
    return undefined;
  const rank = type.shape.length;
  const all = (name: string, usual: number) =>
    integers(text, name) ?? Array.from({ length: rank }, () => usual);
  const isOne = (name: string) => all(name, 1).every((each) => each === 1);
  if (!isOne("base_dilations") || !isOne("window_dilations") || !isNeutral(how, init))
    return undefined;
  const window = all("window_dimensions", 1);
  const strides = all("window_strides", 1);
  const pads = paddingOf(text, rank);
  const sum = how === "add" ? runningSum({ x, window, strides, pads }) : undefined;
  if (sum !== undefined) return bind(writer, operation, sum, type);
  const over = window.flatMap((size, dim) => (size > 1 || (strides[dim] ?? 1) > 1 ? [dim] : []));
  if (rank !== 4 || over.length > 2) return undefined;
  const space =
    over.length === 2
      ? over
      : [
          ...[1, 2, 3].filter((dim) => !over.includes(dim)).slice(0, 2 - over.length),
          ...over,
        ].sort();
  const [p, q] = space;
  if (p === undefined || q === undefined) return undefined;
  const others = [0, 1, 2, 3].filter((dim) => dim !== p && dim !== q);
  const order = [...others, p, q];
  const isEven = space.every((dim) => pads[dim]?.[0] === pads[dim]?.[1]);
  const half = space.every((dim) => 2 * (pads[dim]?.[0] ?? 0) <= (window[dim] ?? 1));
  if (!isEven || !half || others.some((dim) => pads[dim]?.some((each) => each !== 0)))
    return undefined;
  const at = (list: readonly number[]) => `(${space.map((dim) => list[dim] ?? 1).join(", ")})`;
  const padding = at(pads.map(([low]) => low ?? 0));
  const isSame = order.every((dim, place) => dim === place);
  const input = isSame ? wholeText(x) : `${wholeText(x)}.permute(${order.join(", ")})`;
  const settings = `${at(window)}, stride=${at(strides)}, padding=${padding}`;
  const back = isSame
    ? ""
    : `.permute(${[0, 1, 2, 3].map((dim) => order.indexOf(dim)).join(", ")})`;
  if (how === "maximum") {
    return bind(writer, operation, `F.max_pool2d(${input}, ${settings})${back}`, type);
  }
  if (how !== "add") return undefined;
  const cells = `${countOf(window)}.0`;
  const isPadded = pads.flat().some((each) => each !== 0);
  if (isPadded) return undefined;
  return bind(writer, operation, `(F.avg_pool2d(${input}, ${settings}) * ${cells})${back}`, type);
}

/** Low and high padding of each dim. */
function paddingOf(text: string, rank: number): readonly (readonly [number, number])[] {
  const flat = integers(text, "padding") ?? [0];
  const pads = flat.length === 1 ? Array.from({ length: 2 * rank }, () => flat[0] ?? 0) : flat;
  return Array.from({ length: rank }, (_, dim) => [pads[2 * dim] ?? 0, pads[2 * dim + 1] ?? 0]);
}

interface Windowed {
  readonly x: Value;
  readonly window: readonly number[];
  readonly strides: readonly number[];
  readonly pads: readonly (readonly [number, number])[];
}

/** A running sum: a window as long as the dim, with all padding on one side. */
function runningSum({ x, window, strides, pads }: Windowed): string | undefined {
  const [dim, ...more] = window.flatMap((size, at) => (size > 1 ? [at] : []));
  if (dim === undefined || more.length > 0 || strides.some((each) => each !== 1)) return undefined;
  const size = x.type.shape[dim] ?? 0;
  const [low, high] = pads[dim] ?? [0, 0];
  const isElsewhere = pads.some((pair, at) => at !== dim && pair.some((each) => each !== 0));
  if (window[dim] !== size || isElsewhere) return undefined;
  const own = ownType(x.type);
  if (low === size - 1 && high === 0) return `torch.cumsum(${wholeText(x)}, ${dim}${own})`;
  if (low !== 0 || high !== size - 1) return undefined;
  return `torch.flip(torch.cumsum(torch.flip(${wholeText(x)}, [${dim}]), ${dim}${own}), [${dim}])`;
}
