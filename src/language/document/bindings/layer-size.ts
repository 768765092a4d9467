import type { Span } from "#core/diagnostics";
import type { Argument, Context, Value } from "#language/python";
import { freshSize, type Size } from "../trace/size.ts";
import { asWhole } from "./argument-checks.ts";
import { sizeOf } from "./assumed.ts";
import { itemsOf } from "./values/values.ts";

/** The construction of a layer: its class, its arguments by parameter, and its span. */
export interface LayerCall {
  readonly layer: string;
  readonly given: ReadonlyMap<string, Argument>;
  readonly span: Span;
}

/**
 * A size that a layer is constructed with, e.g. `in_features`. A missing size becomes a new open
 * size, which is reported; a value that is no integer is refused.
 */
export function layerSize(call: LayerCall, name: string, context: Context): Size {
  const argument = call.given.get(name);
  if (argument === undefined) return sayOpen(call, name, context);
  return sizeGiven(call, name, argument, context);
}

/**
 * Several sizes that a layer is constructed with, e.g. `normalized_shape`; a single number is
 * repeated `count` times.
 */
export function layerSizes(
  call: LayerCall,
  name: string,
  context: Context,
  count = 1,
): readonly Size[] {
  const argument = call.given.get(name);
  const items = argument && itemsOf(argument.value);
  if (argument !== undefined && items !== undefined)
    return items.map((value) => sizeGiven(call, name, { ...argument, value }, context));
  const size = layerSize(call, name, context);
  return Array.from({ length: count }, () => size);
}

function sayOpen({ layer, span }: LayerCall, name: string, context: Context): Size {
  context.report({
    code: "document/assumed-size",
    severity: "warning",
    message: `${layer}() is not given "${name}": a size is assumed`,
    span,
    upstream: "TypeError",
  });
  return freshSize();
}

/** Value kinds that are no size in any system. */
const wrongKinds: ReadonlySet<Value["kind"]> = new Set<Value["kind"]>([
  ...(["float", "str", "none", "list", "tuple", "dict", "set"] as const),
]);

function sizeGiven({ layer }: LayerCall, name: string, argument: Argument, context: Context): Size {
  const { value, span } = argument;
  if (wrongKinds.has(value.kind)) {
    const what = `${value.kind === "float" ? "the float " : ""}${context.text(value)}`;
    const message = `${name} of ${layer} must be an integer, not ${what}`;
    context.raise("TypeError", message, span, { fixes: asWhole([argument], context.source) });
  }
  return sizeOf(value) ?? freshSize();
}
