import { wildcardMatcher } from "#core/ir";
import type { StrategyCall, Trace } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/** Contracted identifier of a linear layer in its library annotation. */
const contracted = "k";

/** A linear layer with a bias, and its operands. */
interface Layer {
  readonly operator: TracedOperator;
  readonly x: TracedTensor;
  readonly weight: TracedTensor;
  readonly bias: TracedTensor;
  readonly result: TracedTensor;
}

/**
 * Separates every linear layer with a bias into a product and an addition, if the text splits its
 * contracted dim: by `strategy(y, k=…)`, by `place(weight, layout(None, …))` or in a system's
 * notation. The partial products are summed and the bias is added once, to their sum, as in DTensor
 * and Megatron's `RowParallelLinear`. Otherwise the layer stays one operator whose annotation keeps
 * that dim whole (`a k^, n k^, n -> a n`).
 *
 * @returns the additions, each with the span that asks for it
 */
export function addBiasesAfterSums(
  trace: Trace,
  names: ReadonlyMap<TracedTensor, string>,
): NonNullable<Trace["biasesAfterSums"]> {
  if (trace.partitions.length > 0) return [];
  const layers = trace.operators.flatMap((operator) => layerOf(operator) ?? []);
  const asked = layers.flatMap((layer) => {
    const own = trace.strategies.filter((call) => isFor(call, layer.result, names));
    const calls = own.filter(cutsRows);
    // A strategy that keeps the dim whole wins over the weight's placement: the weight is gathered.
    const isKept = own.length > 0 && calls.length === 0;
    const place = isKept
      ? undefined
      : trace.places.find(
          ({ target, layout: { dims } }) =>
            dims.length === 2 && isCut(dims[1]) && isFor({ target }, layer.weight, names),
        );
    const span = calls.at(-1)?.span ?? place?.span ?? trace.cutRows.get(layer.weight);
    return span === undefined ? [] : [{ layer, calls, span }];
  });
  return asked.map(({ layer, calls, span }) => {
    const { product, sum } = separate(trace, layer);
    const name = names.get(layer.result);
    for (const call of calls) {
      const isAlone = typeof call.target !== "string" || call.target === name;
      const own = sharedOut(call, product, layer.result);
      trace.strategies.splice(trace.strategies.indexOf(call), isAlone ? 1 : 0, ...own);
    }
    return { operator: sum, span };
  });
}

function layerOf(operator: TracedOperator): Layer | undefined {
  const { entry, inputs, outputs, primitive, annotations } = operator;
  const [x, weight, bias, ...more] = inputs.flatMap((each) =>
    each.kind === "tensor" ? [each] : [],
  );
  const [result, ...others] = outputs;
  if (entry !== "linear" || primitive !== undefined || annotations.length !== 1) return undefined;
  if (x === undefined || weight === undefined || bias === undefined || result === undefined)
    return undefined;
  const isKnown = [x, weight, bias, result].every(
    ({ shape, isUnknown }) => shape !== undefined && isUnknown !== true,
  );
  if (!isKnown || more.length > 0 || others.length > 0 || bias.shape?.length !== 1)
    return undefined;
  return { operator, x, weight, bias, result };
}

function isCut(written: { readonly axes: readonly { readonly name: string }[] } | undefined) {
  return written?.axes.some(({ name }) => name !== "None") === true;
}

function cutsRows({ cuts }: StrategyCall): boolean {
  return cuts.some(({ key, written }) => key === contracted && isCut(written));
}

function isFor(
  { target }: { readonly target: TracedTensor | string },
  tensor: TracedTensor,
  names: ReadonlyMap<TracedTensor, string>,
): boolean {
  if (typeof target !== "string") return target === tensor;
  return wildcardMatcher(target)(names.get(tensor) ?? "");
}

/** Puts the product in place of the layer and the addition directly after it. */
function separate(trace: Trace, { operator, x, weight, bias, result }: Layer) {
  const [annotation] = operator.annotations;
  const { text = "", ...place } = annotation ?? { text: "" };
  const [operands = "", made = ""] = text.split("->").map((side) => side.trim());
  const [read = "", table = "", added = ""] = operands.split(",").map((side) => side.trim());
  const product: TracedOperator = {
    ...operator,
    stem: "product",
    inputs: [x, weight],
    annotations: [{ ...place, text: `${read}, ${table} -> ${made}`.replaceAll("^", "+") }],
    bound: undefined,
    linear: [[0], [1]],
    outputs: [],
  };
  const parts: TracedTensor = {
    ...result,
    name: undefined,
    isModuleVariable: false,
    producer: product,
  };
  product.outputs = [parts];
  const sum: TracedOperator = {
    ...operator,
    op: "add",
    entry: "add",
    inputs: [parts, bias],
    annotations: [{ ...place, text: `${made}, ${added} -> ${made}` }],
    bound: undefined,
    linear: [[0, 1]],
    attributes: undefined,
    outputs: [result],
  };
  result.producer = sum;
  trace.operators.splice(trace.operators.indexOf(operator), 1, product, sum);
  trace.tensors.splice(trace.tensors.indexOf(result), 0, parts);
  return { product, sum };
}

/**
 * Splits a layer's strategy call between its product and its addition; the addition gets the cuts
 * of its own dims.
 */
function sharedOut(
  call: StrategyCall,
  { outputs: [parts] }: TracedOperator,
  result: TracedTensor,
): readonly StrategyCall[] {
  const cuts = call.cuts.filter(({ key }) => key !== contracted);
  const ofSum = { ...call, cuts, carry: undefined, target: result };
  return parts === undefined ? [ofSum] : [{ ...call, target: parts }, ofSum];
}
