import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { bindArguments, textOf } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";

/** An attribute of a primitive, as given in the text. */
export interface GivenAttribute {
  readonly name: string;
  readonly value: Value;
  readonly span: Span;
}

/** `set_device(target)`: the same as `add_prim_attr("primitive_target", target)`. */
export function addTarget(
  { attributes }: { readonly attributes: GivenAttribute[] },
  value: Value,
  span: Span,
): void {
  attributes.push({ name: "primitive_target", value, span });
}

/** `add_prim_attr(name, value)`: a call without a value is read as `True` (mindspore.md §5.8). */
export function addAttribute(
  primitive: { readonly name: string; readonly attributes: GivenAttribute[] },
  args: readonly Argument[],
  context: Context,
  span: Span,
): void {
  const { bound } = bindArguments(["name", "value"], args);
  const key = bound.get("name");
  const name = textOf(key?.value);
  if (key === undefined || name === undefined) {
    context.raise("TypeError", "add_prim_attr() needs a name and a value", span);
  }
  const value = bound.get("value");
  if (value === undefined) {
    const at = key.span.to;
    context.report({
      code: "mindspore/attribute-without-value",
      severity: "warning",
      message: `add_prim_attr("${name}") has no value: read as True`,
      span,
      upstream: "TypeError",
      fixes: [{ title: `Write "${name}", True`, edits: [{ from: at, to: at, text: ", True" }] }],
    });
  }
  const reach = attributeReach(name, primitive.name);
  if (reach !== undefined) {
    context.report({
      code: "mindspore/attribute-without-effect",
      severity: "warning",
      message: `"${name}" has no effect on ${primitive.name}: ${reach}`,
      span: key.span,
    });
  }
  const given = value?.value ?? ({ kind: "bool", value: true } as const);
  primitive.attributes.push({ name, value: given, span });
}

/** Operators that each attribute of `add_prim_attr` acts on (mindspore.md §5). */
const reaches: Readonly<Record<string, RegExp>> = {
  cross_batch: /^Reduce/,
  skip_redistribution: /^(Reshape|StridedSlice|Split(V|Tensor|WithSize)?)$/,
  manual_split: /^(Gather|EmbeddingLookup)$/,
  manual_split_with_offset: /^(Gather|EmbeddingLookup)$/,
};

const kinds: Readonly<Record<string, string>> = {
  cross_batch: "only Reduce operators know it",
  skip_redistribution: "only Reshape, StridedSlice and Split know it",
  manual_split: "only Gather knows it",
  manual_split_with_offset: "only Gather knows it",
};

/**
 * Why an attribute has no effect on an operator; `undefined` if it has one, or if its effect is
 * unknown.
 *
 * @internal
 */
export function attributeReach(name: string, operator: string): string | undefined {
  const reach = Object.hasOwn(reaches, name) ? fieldOf(reaches, name) : undefined;
  return reach === undefined || reach.test(operator) ? undefined : fieldOf(kinds, name);
}
