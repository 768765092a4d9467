import { layerSize, layerSizes, sizeOf } from "#language/document/bindings";
import { bindArguments, none } from "#language/document/bindings/values";
import type { Argument } from "#language/python";
import { keepConvolution } from "./layer-attributes.ts";
import { biased, type CellBindings, type LayerMembers, running } from "./layer-members.ts";

const others = ["stride", "pad_mode", "padding", "dilation", "group"] as const;

/** `nn.Conv2d`: a 2-D convolution; its bias has one element per output channel. */
export function convolutionLayer(members: LayerMembers): CellBindings {
  return {
    init: (self, args, context, span) => {
      const { bound } = bindArguments(
        [
          ...["in_channels", "out_channels", "kernel_size", ...others],
          ...["has_bias", "weight_init", "bias_init", "data_format"],
        ],
        args,
      );
      const made = { layer: "Conv2d", given: bound, span };
      const [inner, outer] = [
        layerSize(made, "in_channels", context),
        layerSize(made, "out_channels", context),
      ];
      keepConvolution(self, bound);
      const kernel = layerSizes(made, "kernel_size", context);
      const groups = sizeOf(bound.get("group")?.value ?? none) ?? 1;
      const isKnown = typeof inner === "number" && typeof groups === "number";
      const [height, width = height] = kernel;
      const shape = [outer, isKnown ? inner / groups : inner, height ?? 1, width ?? 1];
      self.set("weight", members.parameter(shape, context, span));
      const given = (key: string, ours: string): readonly Argument[] => {
        const argument = bound.get(key);
        return argument === undefined ? [] : [{ ...argument, name: ours }];
      };
      const mode = { name: "pad_mode", value: { kind: "str", value: "same" }, span } as const;
      const settings = [
        { ...(bound.get("kernel_size") ?? mode), name: "kernel_size" },
        bound.get("pad_mode") === undefined ? mode : given("pad_mode", "pad_mode"),
        given("padding", "pad"),
        ...["stride", "dilation", "group"].map((key) => given(key, key)),
      ].flat();
      members.hold(self, "conv2d", "Conv2D", settings, context, span);
      const bias = bound.get("has_bias")?.value;
      if (bias?.kind !== "bool" || !bias.value) return;
      self.set("bias", members.parameter([outer], context, span));
      members.hold(self, "bias_add", "BiasAdd", [], context, span);
    },
    call: (self, [input], context, span) => {
      const run = running(self, context, span);
      const made = run("conv2d", input?.value ?? none, self.get("weight") ?? none);
      return biased(self, made, run);
    },
  };
}
