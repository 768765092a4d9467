import { hostFunction } from "#language/document/bindings/values";
import type { Argument, Value } from "#language/python";
import { placed, type TensorParts } from "./tensor-words.ts";

/** Makers of tensors that lie on a mesh: `torch.distributed.tensor.zeros(…, device_mesh=, placements=)`. */
export const distributedMakers = ["empty", "full", "ones", "rand", "randn", "zeros"];

/**
 * A maker of distributed tensors; nothing of other names.
 *
 * @param creator the function of torch that makes a tensor of the same shape
 */
export function distributedMaker(
  parts: TensorParts,
  name: string,
  creator: (name: string) => Value | undefined,
): Value | undefined {
  const make = distributedMakers.includes(name) ? creator(name) : undefined;
  if (make === undefined) return undefined;
  return hostFunction(name, (args, context, span) => {
    const isOwn = ({ name: key }: Argument) => key === "device_mesh" || key === "placements";
    const bound = new Map(args.filter(isOwn).map((each) => [each.name ?? "", each]));
    const value = context.call(
      make,
      args.filter((each) => !isOwn(each)),
      span,
    );
    return placed(parts, `torch.distributed.tensor.${name}`, { value, span }, bound, context, span);
  });
}
