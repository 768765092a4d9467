import type { CutOperator } from "#systems/system";

/**
 * Primitives that refuse a strategy which cuts a normalised dim (mindspore.md §5.3); RmsNorm
 * accepts one.
 */
const refusing: Readonly<Record<string, string>> = {
  softmax: "Softmax",
  log_softmax: "LogSoftmax",
  layer_norm: "LayerNorm",
};

/**
 * MindSpore's behaviour when a cut dim is one that the operator combines over internally;
 * `undefined` if it does not refuse.
 */
export function mindsporeVerdict({ operator, cut }: CutOperator): string | undefined {
  const { entry = "", inner = [] } = operator;
  const primitive = Object.hasOwn(refusing, entry) ? refusing[entry] : undefined;
  const [first] = cut.filter((name) => inner.includes(name));
  if (primitive === undefined || first === undefined) return undefined;
  return `refuses the cut of "${first}": ${primitive} runs over it`;
}
