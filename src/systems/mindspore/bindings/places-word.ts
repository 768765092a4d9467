import { hostFunction, integer, integersOf } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { HostFunction, Value } from "#language/python";
import { notePlaces } from "../emitted/held-places.ts";
import { constantWord } from "./function-words.ts";
import type { MindsporeParts } from "./parts.ts";

/**
 * `places(values, shape, final)`: a constant tensor of int64 that is known at compile time.
 * `values` lists its elements, or is `(start, step)` of an arithmetic sequence; they fill `shape`,
 * which is broadcast to `final`.
 */
export function placesWord(parts: Pick<MindsporeParts, "recorder" | "tensors">): HostFunction {
  const constant = constantWord(parts);
  return hostFunction("places", ([values, own, final], context, span) => {
    const shape = integersOf(own?.value) ?? [];
    const sizes = integersOf((final ?? own)?.value) ?? [];
    const numbers = integersOf(values?.value) ?? [];
    const size: Value = { kind: "tuple", items: sizes.map((each) => integer(each)) };
    const given = [size, { kind: "str", value: "int64" } as const];
    const tensor = context.call(
      constant,
      given.map((value) => ({ value, span })),
      span,
    );
    const traced: TracedTensor | undefined = parts.tensors.tensorOf(tensor);
    if (traced !== undefined)
      notePlaces(traced, { numbers, isRow: values?.value.kind === "tuple", own: shape });
    return tensor;
  });
}
