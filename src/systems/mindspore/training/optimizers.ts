import type { Span } from "#core/diagnostics";
import type { Optimizer } from "#core/training";
import { bindArguments, hostFunction, none, numberOf } from "#language/document/bindings/values";
import type { Argument, HostObject, HostType, Value } from "#language/python";
import type { MindsporeParts } from "../bindings/parts.ts";
import type { Primitives } from "../bindings/primitives.ts";
import type { TrainingRecord } from "./record.ts";

/**
 * The optimizers of `mindspore.nn` and `mint.optim`, with the kind of update that is drawn, if any.
 */
const optimizers: ReadonlyMap<string, Optimizer | undefined> = new Map([
  ...["Adam", "LazyAdam", "AdamOffload"].map((name) => [name, "adam"] as const),
  ...["AdamWeightDecay", "AdamW"].map((name) => [name, "adamw"] as const),
  ["Momentum", "momentum"],
  ["SGD", "sgd"],
  ...["LARS", "Lamb", "ASGD", "Rprop", "FTRL", "RMSProp", "ProximalAdagrad", "Adagrad"].map(
    (name) => [name, undefined] as const,
  ),
  ...["AdaFactor", "AdaMax", "Adadelta"].map((name) => [name, undefined] as const),
]);

interface Made {
  readonly name: string;
  readonly kind: Optimizer | undefined;
  readonly parameters: Value;
}

const made = new WeakMap<HostObject, Made>();

/**
 * An optimizer of `mindspore.nn`: it holds parameters and is no operator. A call ends a training
 * step. `undefined` for other names.
 */
export function optimizerWord(
  { opaque }: Pick<MindsporeParts, "opaque">,
  primitives: Primitives,
  record: TrainingRecord,
  name: string,
  optimizerFault: () => string | undefined,
): Value | undefined {
  if (!optimizers.has(name)) return undefined;
  const type: HostType = {
    name,
    call: (self, _args, _context, span) => {
      noteUpdate(record, self, span);
      return none;
    },
    attribute: (self, attribute) => {
      // The update primitives belong to the optimizer; `set_device` does not affect layouts.
      if (attribute === "opt" || attribute === "sparse_opt")
        return primitives.plain(`${name}Update`);
      if (attribute === "parameters") return made.get(self)?.parameters ?? none;
      if (attribute === "set_device" || attribute === "place")
        return hostFunction(attribute, () => none);
      return opaque.assumed(`${name}.${attribute}`);
    },
    setAttribute: () => true,
    text: () => name,
  };
  return hostFunction(name, (args, context, span) => {
    const fault = optimizerFault();
    if (fault !== undefined) return context.raise("RuntimeError", fault, span);
    const { bound } = bindArguments(["params"], args);
    const parameters = bound.get("params")?.value ?? none;
    const self: HostObject = { kind: "host", type, data: parameters };
    made.set(self, { name, kind: kindOf(name, args), parameters });
    return self;
  });
}

function kindOf(name: string, args: readonly Argument[]): Optimizer | undefined {
  const momentum = numberOf(args.find((each) => each.name === "momentum")?.value ?? args[2]?.value);
  return name === "SGD" && (momentum ?? 0) > 0 ? "momentum" : optimizers.get(name);
}

/** Records the call of an optimizer; other values are ignored. */
export function noteUpdate(record: TrainingRecord, value: Value | undefined, span: Span): void {
  const known = value?.kind === "host" ? made.get(value) : undefined;
  if (known !== undefined) record.updates.push({ name: known.name, kind: known.kind, span });
}
