import type { Span } from "#core/diagnostics";
import { none } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";

type Folded = (args: readonly Argument[], context: Context, span: Span) => Value | undefined;

/**
 * Folds a call to an attribute of its first argument: `Shape()(x)` is `x.shape`, which MindSpore
 * evaluates at compile time.
 */
const attribute =
  (name: string): Folded =>
  ([x], context, span) =>
    x && context.getAttribute(x.value, name, span);

/** Folds a call to the argument at this index. */
const argument =
  (at: number): Folded =>
  (args) =>
    args[at]?.value ?? none;

/** Primitives that leave no operator in the compiled graph, by name. */
const primitives: ReadonlyMap<string, Folded> = new Map([
  ["Shape", attribute("shape")],
  ["TensorShape", attribute("shape")],
  ["DynamicShape", attribute("shape")],
  ["DType", attribute("dtype")],
  ["Rank", attribute("ndim")],
  ["Size", attribute("size")],
  ["Depend", argument(0)],
  // Output to the screen or a file is no result of the graph.
  ["DumpGradient", argument(1)],
  ["TensorDump", argument(1)],
  ["InsertGradientOf", argument(0)],
  ["Print", () => none],
]);

/** Functions of `mindspore.ops` that leave no operator in the compiled graph, by name. */
const functions: ReadonlyMap<string, Folded> = new Map([
  ["shape", attribute("shape")],
  ["dyn_shape", attribute("shape")],
  ["dtype", attribute("dtype")],
  ["rank", attribute("ndim")],
  ["size", attribute("size")],
  ["numel", attribute("size")],
  ["depend", argument(0)],
  ["stop_gradient", argument(0)],
]);

/**
 * The value of a primitive's call that MindSpore folds at compile time; `undefined` for other
 * calls.
 */
export function foldedCall(
  name: string,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  return primitives.get(name)?.(args, context, span);
}

/** The folding of a function of `mindspore.ops`; `undefined` for other functions. */
export function foldedFunction(name: string): Folded | undefined {
  return functions.get(name);
}
