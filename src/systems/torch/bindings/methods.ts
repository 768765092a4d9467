import type { Span } from "#core/diagnostics";
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
  const creator = /^new_(zeros|ones|full|empty|tensor)$/.exec(name)?.[1];
  const word = creator === undefined ? undefined : torch.creator(creator);
  const said = args.filter((each) => each.name !== "dtype" || each.value.kind !== "none");
  const isTyped = said.some(({ name }) => name === "dtype");
  const own = isTyped ? undefined : torch.typeOf(self?.value);
  const given = own === undefined ? said : [...said, { name: "dtype", value: own, span }];
  return word && context.call(word, given, span);
}
