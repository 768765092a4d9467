import type { CutOperator } from "#systems/system";

/** Primitives that refuse a strategy on the dims over which they normalise (mindspore.md §5.3); RmsNorm takes one. */
const refusing: Readonly<Record<string, string>> = {
  softmax: "Softmax",
  log_softmax: "LogSoftmax",
  layer_norm: "LayerNorm",
};

/** What MindSpore does where an operator combines over a cut dim inside. */
export function mindsporeVerdict({ operator, cut }: CutOperator): string | undefined {
  const { entry = "", inner = [] } = operator;
  const primitive = Object.hasOwn(refusing, entry) ? refusing[entry] : undefined;
  const [first] = cut.filter((name) => inner.includes(name));
  if (primitive === undefined || first === undefined) return undefined;
  return `refuses the cut of "${first}": ${primitive} runs over it`;
}
