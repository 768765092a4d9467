// Arguments that the constructors and calls of PyTorch 2.13's layers refuse, in its words.

import { product } from "#core/arithmetic";
import { fieldOf } from "#core/records";
import { numberOf, textOf } from "#language/document/bindings/values";
import type { Value } from "#language/python";
import { boundChecks } from "./bound-faults.ts";
import { type CallFault, ofNumbers } from "./call-fault.ts";
import type { Given } from "./layer-table.ts";
import { reductions } from "./value-faults.ts";

type Numbers = (parameter: string, usual?: number) => number | undefined;

/** A check of a layer's constructor arguments. */
type MadeCheck = (of: Numbers) => CallFault | undefined;

const convolved: MadeCheck = (of) => {
  const groups = of("groups", 1);
  if (groups === undefined) return undefined;
  if (groups <= 0) return ["ValueError", "groups must be a positive integer"];
  for (const side of ["in_channels", "out_channels"]) {
    const size = of(side);
    if (size !== undefined && size % groups !== 0)
      return ["ValueError", `${side} must be divisible by groups`];
  }
  return undefined;
};

const paddings: ReadonlySet<string> = new Set(["valid", "same"]);

/** A convolution is padded by numbers, or by one of two words. */
function paddingFault(given: Given): CallFault | undefined {
  const word = textOf(given.get("padding")?.value);
  if (word === undefined || paddings.has(word)) return undefined;
  const message = `Invalid padding string '${word}', should be one of {'valid', 'same'}`;
  return ["ValueError", message];
}

const grouped: MadeCheck = (of) => {
  const [groups, channels] = [of("num_groups"), of("num_channels")];
  if (groups === undefined || channels === undefined || channels % groups === 0) return undefined;
  const message = `num_channels (${channels}) must be divisible by num_groups (${groups})`;
  return ["ValueError", message];
};

const sizesOfLayers = [
  ...["in_features", "out_features", "in_channels", "out_channels", "num_features"],
  ...["num_embeddings", "embedding_dim", "num_channels"],
];

const made: Readonly<Record<string, MadeCheck>> = {
  ...{ Conv1d: convolved, Conv2d: convolved, Conv3d: convolved },
  ...{ GroupNorm: grouped },
};

const neverTensor: ReadonlySet<string> = new Set(["list", "tuple", "int", "float", "str", "dict"]);

const kindOf = (given: Given, parameter: string) => given.get(parameter)?.value.kind ?? "none";

/** Why a layer cannot be made with these arguments. */
export function layerFault(name: string, given: Given): CallFault | undefined {
  if (given.get("dtype")?.value.kind === "str")
    return ["TypeError", "empty(): argument 'dtype' must be torch.dtype, not str"];
  const negative = sizesOfLayers.find((size) => (numberOf(given.get(size)?.value) ?? 0) < 0);
  if (negative !== undefined)
    return ["RuntimeError", `Trying to create tensor with negative dimension: ${negative}`];
  const weight = ["weight", "pos_weight"].find((each) => neverTensor.has(kindOf(given, each)));
  if (name.endsWith("Loss") && weight !== undefined) {
    const message = `cannot assign '${kindOf(given, weight)}' object to buffer '${weight}' (torch Tensor or None required)`;
    return ["TypeError", message];
  }
  // A loss that is given its operands where its settings belong.
  if (name.endsWith("Loss") && given.get("size_average")?.value.kind === "host")
    return ["RuntimeError", "Boolean value of Tensor with more than one value is ambiguous"];
  const { has, value, ...call } = ofNumbers(name, (parameter) => given.get(parameter)?.value);
  const bounds = Object.hasOwn(boundChecks, name) ? fieldOf(boundChecks, name) : undefined;
  const outside = bounds?.({ ...call, has, value });
  if (outside !== undefined) return outside;
  const check = Object.hasOwn(made, name) ? fieldOf(made, name) : undefined;
  const padding = name.startsWith("Conv") ? paddingFault(given) : undefined;
  if (padding !== undefined) return padding;
  return check?.((parameter, usual) => {
    return has(parameter) ? numberOf(value(parameter)) : usual;
  });
}

/** The ranks that a norm over batches takes. */
const ranks: Readonly<Record<string, readonly number[]>> = {
  ...{ BatchNorm1d: [2, 3], BatchNorm2d: [4], BatchNorm3d: [5] },
};

/** Why a norm over batches does not take a tensor of this shape. */
export function batchNormFault(
  name: string,
  shape: readonly number[],
  isTraining: boolean,
): CallFault | undefined {
  const known = Object.hasOwn(ranks, name) ? fieldOf(ranks, name) : undefined;
  if (known === undefined) return undefined;
  if (!known.includes(shape.length)) {
    const wanted = known.map((rank) => `${rank}D`).join(" or ");
    return ["ValueError", `expected ${wanted} input (got ${shape.length}D input)`];
  }
  const [batch = 1, , ...rest] = shape;
  if (!isTraining || batch * product(rest) !== 1) return undefined;
  const size = `torch.Size([${shape.join(", ")}])`;
  const message = `Expected more than 1 value per channel when training, got input size ${size}`;
  return ["ValueError", message];
}

/** Why a layer of a loss cannot reduce what it makes so. */
export function reductionFault(op: string, reduction: Value | undefined): CallFault | undefined {
  const word = textOf(reduction);
  const isTaken = word === undefined || reductions.split(" ").includes(word);
  if (isTaken || (op === "kl_div" && word === "batchmean")) return undefined;
  return ["ValueError", `${word} is not a valid value for reduction`];
}
