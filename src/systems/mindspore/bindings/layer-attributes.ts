import { none } from "#language/document/bindings/values";
import type { Argument, Value } from "#language/python";

type Attributes = Map<string, Value>;
type Bound = ReadonlyMap<string, Pick<Argument, "value">>;

const no: Value = { kind: "bool", value: false };

/** What a layer was made with stands in attributes of the same names; those unsaid are as given here. */
export function keepArguments(
  self: Attributes,
  bound: Bound,
  unsaid: Readonly<Record<string, Value>>,
): void {
  for (const [name, value] of Object.entries(unsaid)) {
    self.set(name, bound.get(name)?.value ?? value);
  }
}

/** What a convolution of images keeps of what it is made with: a number for both dims stands as a pair. */
export function keepConvolution(self: Attributes, bound: Bound): void {
  keepArguments(self, bound, {
    ...{ in_channels: none, out_channels: none, has_bias: no, group: whole(1), padding: whole(0) },
    ...{ pad_mode: word("same"), data_format: word("NCHW") },
  });
  self.set("bias", none);
  const unsaid = { kernel_size: none, stride: whole(1), dilation: whole(1) };
  for (const [name, value] of Object.entries(unsaid))
    self.set(name, paired(bound.get(name)?.value ?? value));
}

/** What a batch norm keeps: of its momentum what is left to one. */
export function keepBatchNorm(self: Attributes, bound: Bound): void {
  keepArguments(self, bound, {
    ...{ num_features: none, eps: number(1e-5), use_batch_statistics: none },
    format: bound.get("data_format")?.value ?? word("NCHW"),
  });
  const momentum = bound.get("momentum")?.value ?? number(0.9);
  const isNumber = momentum.kind === "float" || momentum.kind === "int";
  self.set("momentum", isNumber ? number(1 - Number(momentum.value)) : momentum);
}

export function keepLayerNorm(self: Attributes, bound: Bound): void {
  keepArguments(self, bound, {
    ...{ normalized_shape: none, begin_norm_axis: whole(-1), begin_params_axis: whole(-1) },
    epsilon: number(1e-7),
  });
  const shape = self.get("normalized_shape");
  if (shape?.kind === "list") self.set("normalized_shape", { kind: "tuple", items: shape.items });
}

function paired(value: Value): Value {
  return value.kind === "int" ? { kind: "tuple", items: [value, value] } : value;
}

function whole(value: number): Value {
  return { kind: "int", value: BigInt(value) };
}

function number(value: number): Value {
  return { kind: "float", value };
}

function word(value: string): Value {
  return { kind: "str", value };
}
