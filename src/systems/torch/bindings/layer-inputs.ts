// What layers of PyTorch 2.13 are called with.

import { fieldOf } from "#core/records";
import type { Argument } from "#language/python";
import type { CallFault } from "./call-fault.ts";
import { type Kinds, strangerOf } from "./signatures.ts";

/** The parameters of `forward` where they are not `input`, and of a loss `input` and `target`. */
const parameters: Readonly<Record<string, string>> = {
  ...{ CosineSimilarity: "x1 x2", PairwiseDistance: "x1 x2", Bilinear: "input1 input2" },
  ...{ MarginRankingLoss: "input1 input2 target", CosineEmbeddingLoss: "input1 input2 target" },
  ...{ GaussianNLLLoss: "input target var", PoissonNLLLoss: "log_input target" },
  TripletMarginLoss: "anchor positive negative",
  CTCLoss: "log_probs targets input_lengths target_lengths",
};

function parametersOf(layer: string): readonly string[] {
  const usual = layer.endsWith("Loss") ? "input target" : "input output_size";
  const said = Object.hasOwn(parameters, layer) ? fieldOf(parameters, layer) : undefined;
  return (said ?? usual).split(" ");
}

/** The inputs of a layer by their places, those that are given by name among them. */
export function inPlaces(layer: string, inputs: readonly Argument[]): readonly Argument[] {
  const placed = inputs.filter((each) => each.name === undefined);
  for (const name of parametersOf(layer).slice(placed.length)) {
    const given = inputs.find((each) => each.name === name);
    if (given === undefined) break;
    placed.push({ value: given.value, span: given.span });
  }
  const names = parametersOf(layer).slice(0, placed.length);
  const isOther = ({ name }: Argument) => name !== undefined && !names.includes(name);
  return [...placed, ...inputs.filter(isOther)];
}

/** Why a layer does not take its inputs: a name that it has not, or a value that is no tensor. */
export function inputsFault(
  layer: string,
  op: string,
  inputs: readonly Argument[],
  words: Kinds,
): CallFault | undefined {
  const names = parametersOf(layer);
  const other = inputs.find(({ name }) => name !== undefined && !names.includes(name));
  if (other !== undefined)
    return ["TypeError", `${layer}.forward() got an unexpected keyword argument '${other.name}'`];
  if (op === "identity") return undefined;
  for (const [at, { value }] of inputs.entries()) {
    const stranger = strangerOf(value, words);
    if (stranger === undefined) continue;
    const message = `${op}(): argument '${names[at]}' (position ${at + 1}) must be Tensor, not ${stranger}`;
    return ["TypeError", message];
  }
  return undefined;
}
