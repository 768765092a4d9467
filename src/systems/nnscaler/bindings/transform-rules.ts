import type { Kwargs, Split, TransformRule } from "#core/dimops";
import {
  bindArguments,
  hostFunction,
  integer,
  integerOf,
  integersOf,
  itemsOf,
  jsonOf,
  pythonOf,
  text,
} from "#language/document/bindings/values";
import {
  type Argument,
  type Context,
  dictOf,
  type HostFunction,
  type HostObject,
  type HostType,
  type Value,
} from "#language/python";

const splitType: HostType = { name: "DimopSplit", text: () => "DimopSplit" };
const ruleType: HostType = { name: "TransformRule", text: () => "TransformRule" };

/** `DimopSplit.D(dims)`, `.R()`, `.V()` and `TransformRule(inputs, outputs, modifier)`. */
export function transformRuleBindings(): ReadonlyMap<string, Value> {
  const factory: HostObject = {
    kind: "host",
    data: undefined,
    type: {
      name: "type",
      attribute: (_self, name) => splitFactory(name),
      call: (_self, args, context, span) => makeSplit(args, context, span),
    },
  };
  return new Map<string, Value>([
    ["DimopSplit", factory],
    ["TransformRule", hostFunction("TransformRule", makeRule)],
  ]);
}

/** The rule that a Python value holds; `undefined` if it is none. */
export function ruleOf(value: Value): TransformRule | undefined {
  return value.kind === "host" && value.type === ruleType ? ruleIn(value) : undefined;
}

/** The cast is safe: only values of `ruleType` are passed. */
function ruleIn(value: HostObject): TransformRule {
  return value.data as TransformRule;
}

/**
 * `DimopSplit(dims)`, `DimopSplit(r=True)`, `DimopSplit(v=True)`: the constructor behind the short
 * forms.
 */
function makeSplit(args: readonly Argument[], context: Context, span: HostSpan): Value {
  const { bound, extra } = bindArguments(["dims", "r", "v"], args);
  const isSet = (name: string) => {
    const value = bound.get(name)?.value;
    return value?.kind === "bool" && value.value;
  };
  const dims = dimsIn(bound.get("dims")?.value);
  const kinds = [...(dims === undefined ? [] : ["D"]), ...["r", "v"].filter(isSet)];
  if (kinds.length === 1 && extra.length === 0) {
    if (dims !== undefined) return splitValue({ kind: "D", dims });
    return splitValue({ kind: isSet("r") ? "R" : "V" });
  }
  const message = "DimopSplit() takes one of dims, r=True and v=True";
  return context.raise("ValueError", message, span);
}

/** A dim or a list of dims; `undefined` for other values. */
function dimsIn(value: Value | undefined): readonly number[] | undefined {
  const single = integerOf(value);
  return single === undefined ? integersOf(value) : [single];
}

function splitFactory(name: string): Value | undefined {
  if (name === "R" || name === "V") return hostFunction(name, () => splitValue({ kind: name }));
  if (name !== "D") return undefined;
  return hostFunction(name, ([argument], context, span) => {
    const dims = dimsIn(argument?.value);
    if (dims !== undefined) return splitValue({ kind: "D", dims });
    return context.raise("TypeError", "DimopSplit.D() takes a dim or several", span);
  });
}

function splitValue(split: Split): HostObject {
  return { kind: "host", type: splitType, data: split };
}

function makeRule(args: readonly Argument[], context: Context, span: HostSpan): Value {
  const { bound } = bindArguments(["irules", "orules", "modifier"], args);
  const [inputs, outputs] = ["irules", "orules"].map((name) => {
    const items = itemsOf(bound.get(name)?.value);
    if (items?.every(isSplit)) return items.map((item) => item.data as Split);
    return context.raise("TypeError", `${name} must be a list of DimopSplit`, span);
  });
  const modifier = bound.get("modifier")?.value;
  const rule: TransformRule = {
    inputs: inputs ?? [],
    outputs: outputs ?? [],
    ...(modifier !== undefined &&
      modifier.kind !== "none" && {
        modify: (kwargs, config, piece) =>
          modified(
            modifier,
            kwargs,
            [config.operand, config.dim, config.count, piece],
            context,
            span,
          ),
      }),
  };
  return { kind: "host", type: ruleType, data: rule };
}

type HostSpan = Parameters<HostFunction["call"]>[2];

function isSplit(value: Value): value is HostObject {
  return value.kind === "host" && value.type === splitType;
}

/**
 * Calls `modifier(kwargs, idx, dim, num, piece)` for the arguments of a piece; unchanged if that
 * fails.
 */
function modified(
  modifier: Value,
  kwargs: Kwargs,
  config: readonly (number | "v")[],
  context: Context,
  span: HostSpan,
): Kwargs {
  const given = dictOf(Object.entries(kwargs).map(([name, value]) => [name, pythonOf(value)]));
  const values = [given, ...config.map((item) => (item === "v" ? text(item) : integer(item)))];
  const answer = context.attempt(() =>
    context.call(
      modifier,
      values.map((value) => ({ value, span })),
      span,
    ),
  );
  if (answer?.kind !== "dict") return kwargs;
  const entries = [...answer.entries.values()];
  return Object.fromEntries(
    entries.map(({ key, value }) => [context.text(key), jsonOf(value, context)]),
  );
}
