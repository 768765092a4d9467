import type { Span } from "#core/diagnostics";
import { layerSize, type TensorBindings } from "#language/document/bindings";
import { bindArguments, integer, none, tuple } from "#language/document/bindings/values";
import { knownSize } from "#language/document/trace";
import type { Context, Value } from "#language/python";
import { keepArguments } from "./layer-attributes.ts";
import { biased, type CellBindings, type LayerMembers, running } from "./layer-members.ts";

/**
 * Makes the activation from the argument `activation=`, a layer or a name; `none` if it is omitted.
 */
export type Activation = (given: Value | undefined, context: Context, span: Span) => Value;

/**
 * `nn.Dense`: a matrix product over the last dim. With more than two dims, the leading ones are
 * flattened into one before the product and restored after it.
 */
export function denseLayer(
  members: LayerMembers,
  tensors: Pick<TensorBindings, "tensorOf">,
  activation: Activation,
): CellBindings {
  return {
    init: (self, args, context, span) => {
      const { bound } = bindArguments(
        ["in_channels", "out_channels", "weight_init", "bias_init", "has_bias", "activation"],
        args,
      );
      const made = { layer: "Dense", given: bound, span };
      const [inner, outer] = [
        layerSize(made, "in_channels", context),
        layerSize(made, "out_channels", context),
      ];
      keepArguments(self, bound, {
        in_channels: none,
        out_channels: none,
        has_bias: { kind: "bool", value: true },
      });
      self.set("bias", none);
      const bias = bound.get("has_bias")?.value;
      const transposed = {
        name: "transpose_b",
        value: { kind: "bool", value: true },
        span,
      } as const;
      self.set("weight", members.parameter([outer, inner], context, span));
      members.hold(self, "matmul", "MatMul", [transposed], context, span);
      members.hold(self, "reshape", "Reshape", [], context, span);
      self.set("activation", activation(bound.get("activation")?.value, context, span));
      if (bias?.kind === "bool" && !bias.value) return;
      self.set("bias", members.parameter([outer], context, span));
      members.hold(self, "bias_add", "BiasAdd", [], context, span);
    },
    call: (self, [input], context, span) => {
      const run = running(self, context, span);
      const x = input?.value ?? none;
      const shape = tensors.tensorOf(x)?.shape?.map(knownSize) ?? [];
      const sizes = shape.flatMap((size) => (size === undefined ? [] : [size]));
      const isFlat = sizes.length <= 2 || sizes.length < shape.length;
      const rows = sizes.slice(0, -1);
      const count = rows.reduce((product, size) => product * size, 1);
      const flat = isFlat ? x : run("reshape", x, tuple([count, sizes.at(-1) ?? 1].map(integer)));
      const product = run("matmul", flat, self.get("weight") ?? none);
      const sum = biased(self, product, run);
      const result = self.get("activation")?.kind === "none" ? sum : run("activation", sum);
      const outer = tensors.tensorOf(self.get("weight"))?.shape?.map(knownSize)[0];
      return isFlat ? result : run("reshape", result, tuple([...rows, outer ?? 1].map(integer)));
    },
  };
}
