import type { Span } from "#core/diagnostics";
import { originOf } from "#language/document/bindings";
import { integer, itemsOf } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import type { TorchBindings } from "./torch.ts";

/** `x.movedim(0, 1)`: a method of tensors that is a function of torch. */
export function callMethod(
  torch: TorchBindings,
  name: string,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const made =
    torch.parallel.method(name, args, context, span) ?? newLike(torch, name, args, context, span);
  if (made !== undefined) return made;
  const found = torch.method(name, context);
  return found && context.call(found, args, span);
}

/** `x.new_zeros(shape)` and its kin make a tensor as the functions of torch do. */
function newLike(
  torch: TorchBindings,
  name: string,
  [self, ...args]: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const creator =
    name === "new"
      ? creatorOfNew(torch, args)
      : /^new_(zeros|ones|full|empty|tensor)$/.exec(name)?.[1];
  const word = creator === undefined ? undefined : torch.creator(creator);
  const asked = name === "new" && args.length === 0 ? [{ value: integer(0), span }] : args;
  const said = asked.filter((each) => each.name !== "dtype" || each.value.kind !== "none");
  const isTyped = said.some(({ name }) => name === "dtype");
  const own = isTyped ? undefined : torch.typeOf(self?.value);
  const given = own === undefined ? said : [...said, { name: "dtype", value: own, span }];
  return word && context.call(word, given, span);
}

/**
 * The creator behind `x.new(…)`: sizes, `x.new(2, 3)` or `x.new(y.size())`, give an empty tensor; a
 * list, `x.new([1, 2])`, gives its elements.
 */
function creatorOfNew(torch: TorchBindings, [first]: readonly Argument[]): "empty" | "tensor" {
  if (torch.typeOf(first?.value) !== undefined) return "tensor";
  const items = itemsOf(first?.value);
  const isShape =
    first?.value.kind === "tuple" && items?.every((each) => originOf(each) !== undefined) === true;
  return items === undefined || isShape ? "empty" : "tensor";
}
