import { bindArguments, hostFunction, none } from "#language/document/bindings";
import type { HostType, Value } from "#language/python";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";

/** The optimizers of `mindspore.nn`. */
const names: ReadonlySet<string> = new Set([
  ...["Momentum", "LARS", "Adam", "AdamWeightDecay", "LazyAdam", "AdamOffload", "Lamb", "SGD"],
  ...["ASGD", "Rprop", "FTRL", "RMSProp", "ProximalAdagrad", "Adagrad", "AdaFactor", "AdaMax"],
  ...["Adadelta", "AdamW"],
]);

/**
 * An optimizer of `mindspore.nn`: it holds parameters and is no operator. What it does to them when
 * it is called is not drawn, and said to be not.
 */
export function optimizerWord(
  { opaque }: Pick<MindsporeParts, "opaque">,
  primitives: Primitives,
  name: string,
): Value | undefined {
  if (!names.has(name)) return undefined;
  const type: HostType = {
    name,
    call: (_, _args, context, span) => {
      context.report({
        code: "mindspore/update-not-drawn",
        severity: "warning",
        message: `${name} updates the parameters when the net runs: that is not drawn; train(…) draws a training step`,
        span,
      });
      return none;
    },
    attribute: (self, attribute) => {
      // The primitives that run the update are the optimizer's own; where they run is no layout.
      if (attribute === "opt" || attribute === "sparse_opt")
        return primitives.plain(`${name}Update`);
      if (attribute === "parameters") return self.data as Value;
      if (attribute === "set_device" || attribute === "place")
        return hostFunction(attribute, () => none);
      return opaque.assumed(`${name}.${attribute}`);
    },
    setAttribute: () => true,
    text: () => name,
  };
  return hostFunction(name, (args) => {
    const { bound } = bindArguments(["params"], args);
    return { kind: "host", type, data: bound.get("params")?.value ?? none };
  });
}
