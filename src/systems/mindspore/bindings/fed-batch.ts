import { product } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import { integersOf, itemsOf } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";
import { entryList } from "../operators/call.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import { mindsporeLayoutOf } from "./layouts.ts";

/**
 * How a context feeds a net: whole, one device's part of dim 0, with numbers of pieces per dim of
 * each input, or by Layouts.
 */
export type Feeding =
  | { readonly kind: "whole" }
  | { readonly kind: "share"; readonly devices: number }
  | { readonly kind: "pieces"; readonly inputs: readonly (readonly number[])[] }
  | { readonly kind: "layouts"; readonly inputs: readonly FedLayout[] };

/** The Layout of a fed input: device matrix and tensor map. */
type FedLayout = NonNullable<TracedTensor["fedLayout"]>;

/**
 * Reads `dataset_strategy=((4, 1), (1, 1))`, or one Layout per input; `undefined` if it is neither.
 */
export function feedingOf(strategy: Value): Feeding | undefined {
  const items = itemsOf(strategy) ?? [];
  const layouts = items.flatMap((each): FedLayout[] => {
    const { spec, called } = mindsporeLayoutOf(each) ?? {};
    return spec === undefined || called === undefined
      ? []
      : [{ deviceMatrix: spec.deviceMatrix, tensorMap: called.map }];
  });
  if (layouts.length > 0)
    return layouts.length === items.length ? { kind: "layouts", inputs: layouts } : undefined;
  const inputs = items.map((each) => integersOf(each) ?? []);
  return inputs.every((pieces) => pieces.length > 0) ? { kind: "pieces", inputs } : undefined;
}

/**
 * Enlarges fed tensors, the arguments of a net, to the whole batch: MindSpore takes a fed tensor as
 * one device's part, and its graph begins with the tensor of all devices, cut as the dataset is
 * (`_VirtualDataset`; shapes as its compiler prints them).
 *
 * Parameters and numbers are no part of the dataset. A tensor that an operator has already read
 * keeps its shape.
 */
export function feed(
  feeding: Feeding,
  args: readonly Argument[],
  tensors: TensorBindings,
  context: Context,
  span: Span,
): void {
  const fed = args.flatMap(({ value }) => {
    const tensor = tensors.tensorOf(value);
    return tensor?.role === "input" && tensor.producer === undefined ? [tensor] : [];
  });
  const fault = feeding.kind === "pieces" ? datasetFault(feeding.inputs) : undefined;
  if (fault !== undefined) context.raise("RuntimeError", fault, span);
  for (const [at, tensor] of fed.entries()) {
    const { shape } = tensor;
    if (shape === undefined || tensor.fed !== undefined) continue;
    const pieces = piecesOf(feeding, shape, at);
    if (pieces?.length !== shape.length) continue;
    cutAs(tensor, pieces);
    if (feeding.kind === "layouts") tensor.fedLayout = feeding.inputs[at];
  }
}

/**
 * Number of pieces per dim of the input at index `at`; `undefined` if the feeding does not list
 * that input.
 */
export function piecesOf(
  feeding: Feeding,
  shape: readonly unknown[],
  at: number,
): readonly number[] | undefined {
  if (feeding.kind === "pieces") return feeding.inputs[at];
  if (feeding.kind === "layouts") {
    const { deviceMatrix, tensorMap } = feeding.inputs[at] ?? {};
    return tensorMap?.map((entry) =>
      product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix ?? [], axis))),
    );
  }
  return shape.map((_, dim) => (feeding.kind === "share" && dim === 0 ? feeding.devices : 1));
}

function cutAs(tensor: TracedTensor, pieces: readonly number[]): void {
  tensor.shape = tensor.shape?.map((size, dim) =>
    typeof size === "number" ? size * (pieces[dim] ?? 1) : size,
  );
  tensor.fed = pieces;
}

/**
 * The fault of a `dataset_strategy` by MindSpore's own rules (`VirtualDatasetInfo`); `undefined` if
 * valid.
 */
function datasetFault(inputs: readonly (readonly number[])[]): string | undefined {
  const cut = inputs.map((pieces) => pieces.filter((each) => each > 1));
  if (cut.some((dims) => dims.length > 1)) {
    return "the dataset_strategy can cut one dim of each input only";
  }
  if (new Set(cut.flat()).size > 1) {
    return "the dataset_strategy must cut all inputs that it cuts into as many pieces";
  }
  const longest = inputs.reduce((at, pieces, each) => {
    return pieces.length > (inputs[at]?.length ?? 0) ? each : at;
  }, 0);
  const isCut = cut.some((dims) => dims.length > 0);
  return isCut && cut[longest]?.length === 0
    ? "the dataset_strategy must cut the input with the most dims where it cuts any"
    : undefined;
}
