import { floatOf, intOf, type OnnxCall, type OnnxMade } from "./call.ts";
import { dimsIn, integersOf, tensorText, termText } from "./values.ts";

/** Constant padding on both sides of every dim, or of the dims listed in `axes`. */
export function padded({ node, inputs: [term, pads, value, axes] }: OnnxCall, x: string): OnnxMade {
  const amounts = integersOf(pads) ?? node.attributes.get("pads")?.ints;
  const mode = node.attributes.get("mode")?.text ?? "constant";
  if (amounts === undefined || mode !== "constant" || amounts.some((each) => each < 0))
    return undefined;
  const count = amounts.length / 2;
  const rank = dimsIn(term) ?? (axes === undefined ? count : undefined);
  const said = axes === undefined ? amounts.slice(0, count).map((_, at) => at) : integersOf(axes);
  if (rank === undefined || said?.length !== count || value?.kind === "tensor") return undefined;
  if (axes === undefined && rank !== count) return undefined;
  const dims = said.map((dim) => (dim < 0 ? dim + rank : dim));
  const sides = Array.from({ length: rank }, (_, dim) => {
    const at = dims.indexOf(dim);
    return at < 0 ? [0, 0] : [amounts[at], amounts[at + count]];
  });
  const own = value === undefined ? String(floatOf(node, "value", 0)) : termText(value);
  const number = { True: "1.0", False: "0.0", 0: "0.0" }[own] ?? own;
  return `F.pad(${x}, (${sides.toReversed().flat().join(", ")}), value=${number})`;
}

interface Windowed {
  readonly input: string;
  readonly padding: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
}

/** Padding and strides over spatial dims; asymmetric padding is applied to the input first. */
function windowed(
  { node }: OnnxCall,
  x: string,
  rank: number,
  value = "0.0",
): Windowed | undefined {
  const { attributes } = node;
  const all = (name: string, usual: number) =>
    attributes.get(name)?.ints ?? Array.from({ length: rank }, () => usual);
  const auto = attributes.get("auto_pad")?.text ?? "NOTSET";
  if (auto !== "NOTSET" && auto !== "VALID") return undefined;
  const pads = attributes.get("pads")?.ints ?? Array.from({ length: 2 * rank }, () => 0);
  const [low, high] = [pads.slice(0, rank), pads.slice(rank)];
  const isEven = low.every((each, at) => each === high[at]);
  const sides = low.map((each, at) => [each, high[at] ?? 0]).toReversed();
  const input = isEven ? x : `F.pad(${x}, (${sides.flat().join(", ")}), value=${value})`;
  const padding = isEven ? low : low.map(() => 0);
  return { input, padding, stride: all("strides", 1), dilation: all("dilations", 1) };
}

function tuple(list: readonly number[]): string {
  return list.length === 1 ? `(${list[0]},)` : `(${list.join(", ")})`;
}

/** A convolution over one to three dims. */
export function convolved(call: OnnxCall, x: string): OnnxMade {
  const shape = call.shapeOf(1);
  const [, weight, bias] = call.inputs;
  const rank = (shape?.length ?? 0) - 2;
  const window = windowed(call, x, rank);
  if (rank < 1 || rank > 3 || window === undefined || weight === undefined) return undefined;
  const words = [
    ...[window.input, tensorText(weight), ...(bias ? [tensorText(bias)] : [])],
    ...[`stride=${tuple(window.stride)}`, `padding=${tuple(window.padding)}`],
    ...[`dilation=${tuple(window.dilation)}`, `groups=${intOf(call.node, "group", 1)}`],
  ];
  return `F.conv${rank}d(${words.join(", ")})`;
}

/** A pooling over two dims. */
export function pooled(call: OnnxCall, x: string, kind: "max" | "avg"): OnnxMade {
  const { node } = call;
  const kernel = node.attributes.get("kernel_shape")?.ints ?? [];
  const window = windowed(call, x, kernel.length, 'float("-inf")');
  const isPlain = intOf(node, "ceil_mode", 0) === 0;
  if (window === undefined || kernel.length !== 2 || !isPlain) return undefined;
  if (window.dilation.some((each) => each !== 1)) return undefined;
  const isPadded = (node.attributes.get("pads")?.ints ?? []).some((each) => each !== 0);
  if (kind === "avg" && isPadded) return undefined;
  const settings = `${tuple(kernel)}, stride=${tuple(window.stride)}, padding=${tuple(window.padding)}`;
  return `F.${kind}_pool2d(${window.input}, ${settings})`;
}
