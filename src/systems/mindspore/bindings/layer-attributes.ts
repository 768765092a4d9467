import { float, integer, none, text } from "#language/document/bindings/values";
import type { Argument, Value } from "#language/python";

type Attributes = Map<string, Value>;
type Bound = ReadonlyMap<string, Pick<Argument, "value">>;

const no: Value = { kind: "bool", value: false };

/**
 * Stores the constructor arguments of a layer in attributes of the same names; `unsaid` holds the
 * defaults.
 */
export function keepArguments(
  self: Attributes,
  bound: Bound,
  unsaid: Readonly<Record<string, Value>>,
): void {
  for (const [name, value] of Object.entries(unsaid)) {
    self.set(name, bound.get(name)?.value ?? value);
  }
}

/** Stores the arguments of a 2-d convolution; a single number for both dims is stored as a pair. */
export function keepConvolution(self: Attributes, bound: Bound): void {
  keepArguments(self, bound, {
    ...{
      in_channels: none,
      out_channels: none,
      has_bias: no,
      group: integer(1),
      padding: integer(0),
    },
    ...{ pad_mode: text("same"), data_format: text("NCHW") },
  });
  self.set("bias", none);
  const unsaid = { kernel_size: none, stride: integer(1), dilation: integer(1) };
  for (const [name, value] of Object.entries(unsaid))
    self.set(name, paired(bound.get(name)?.value ?? value));
}

/** Stores the arguments of a batch norm; the momentum is stored as 1 minus the argument. */
export function keepBatchNorm(self: Attributes, bound: Bound): void {
  keepArguments(self, bound, {
    ...{ num_features: none, eps: float(1e-5), use_batch_statistics: none },
    format: bound.get("data_format")?.value ?? text("NCHW"),
  });
  const momentum = bound.get("momentum")?.value ?? float(0.9);
  const isNumber = momentum.kind === "float" || momentum.kind === "int";
  self.set("momentum", isNumber ? float(1 - Number(momentum.value)) : momentum);
}

export function keepLayerNorm(self: Attributes, bound: Bound): void {
  keepArguments(self, bound, {
    ...{ normalized_shape: none, begin_norm_axis: integer(-1), begin_params_axis: integer(-1) },
    epsilon: float(1e-7),
  });
  const shape = self.get("normalized_shape");
  if (shape?.kind === "list") self.set("normalized_shape", { kind: "tuple", items: shape.items });
}

function paired(value: Value): Value {
  return value.kind === "int" ? { kind: "tuple", items: [value, value] } : value;
}
