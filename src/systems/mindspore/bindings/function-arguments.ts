import { fieldOf } from "#core/records";
import { bindArguments, itemsOf } from "#language/document/bindings/values";
import type { Argument } from "#language/python";

const ofClasses = ["input", "target", "weight", "ignore_index", "reduction", "label_smoothing"];
const ofLogits = { logits: "input", labels: "target" };
const ofElements = ["input", "target", "reduction"];

/**
 * Parameter order of functions of `ops` and `mint` that differ from torch, whose losses have two
 * more, deprecated parameters. Source: MindSpore 2.5.
 */
const orders: Readonly<Record<string, readonly string[]>> = {
  cross_entropy: ofClasses,
  nll_loss: ofClasses,
  mse_loss: ofElements,
  l1_loss: ofElements,
  soft_margin_loss: ofElements,
  kl_div: [...ofElements, "log_target"],
  huber_loss: [...ofElements, "delta"],
  hinge_embedding_loss: ["input", "target", "margin", "reduction"],
  binary_cross_entropy: ["input", "target", "weight", "reduction"],
  binary_cross_entropy_with_logits: ["input", "target", "weight", "pos_weight", "reduction"],
  multilabel_soft_margin_loss: ["input", "target", "weight", "reduction"],
  gaussian_nll_loss: ["input", "target", "var", "full", "eps", "reduction"],
  margin_ranking_loss: ["input1", "input2", "target", "margin", "reduction"],
  cosine_embedding_loss: ["input1", "input2", "target", "margin", "reduction"],
  triplet_margin_loss: [
    ...["anchor", "positive", "negative", "margin", "p", "eps", "swap", "reduction"],
  ],
  one_hot: ["ids", "num_classes", "on_value", "off_value", "axis"],
};

/** MindSpore's parameter names that differ from those of the operator library, by function. */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nll_loss: { inputs: "input" },
  hinge_embedding_loss: { inputs: "input", targets: "target" },
  binary_cross_entropy: ofLogits,
  binary_cross_entropy_with_logits: { ...ofLogits, label: "target" },
  kl_div: ofLogits,
  gaussian_nll_loss: { x: "input" },
  one_hot: { indices: "ids", tensor: "ids", depth: "num_classes" },
};

/** Functions whose defaults differ between `ops` and `mint`. */
export const otherFunctions: ReadonlySet<string> = new Set(["smooth_l1_loss", "poisson_nll_loss"]);

/**
 * Turns positional arguments into keyword arguments if the function's parameter order is not
 * torch's.
 */
export function namedArguments(name: string, args: readonly Argument[]): readonly Argument[] {
  // `mint` has `reduction` before `pos_weight`.
  const isOfMint = name === "binary_cross_entropy_with_logits" && args[3]?.value.kind === "str";
  const order = isOfMint
    ? ["input", "target", "weight", "reduction", "pos_weight"]
    : fieldOf(orders, name);
  return args.map((argument, at) => {
    const own = argument.name;
    const key = own === undefined ? order?.[at] : (fieldOf(fieldOf(names, name), own) ?? own);
    return key === undefined ? argument : { ...argument, name: key };
  });
}

/**
 * Splits the arguments of `rms_norm(x, gamma, epsilon)` into constructor and call arguments of the
 * primitive, which also returns the reciprocal root. `undefined` if a shape is given instead of
 * gamma, as in versions after MindSpore 2.9.
 */
export function rootArguments(
  args: readonly Argument[],
): { readonly made: readonly Argument[]; readonly called: readonly Argument[] } | undefined {
  const { bound, extra } = bindArguments(["x", "gamma", "epsilon"], args);
  const [x, gamma, epsilon] = ["x", "gamma", "epsilon"].map((name) => bound.get(name));
  if (x === undefined || gamma === undefined || extra.length > 0) return undefined;
  if (itemsOf(gamma.value) !== undefined || gamma.value.kind === "int") return undefined;
  return {
    made: epsilon === undefined ? [] : [{ ...epsilon, name: "epsilon" }],
    called: [x, gamma].map(({ value, span }) => ({ value, span })),
  };
}
