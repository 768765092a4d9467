import { bindArguments, hostFunction, integerOf } from "#language/document/bindings/values";
import type { HostFunction, HostObject, HostType, Value } from "#language/python";

const symbolType: HostType = { name: "Symbol", text: () => "Symbol" };

/**
 * `Symbol(divisor=8)`: a dim whose length is known when the program runs. A tensor with one has a
 * shape that is assumed, and said to be.
 */
export function symbolWord(): HostFunction {
  return hostFunction("Symbol", (args): HostObject => {
    const { bound } = bindArguments(["max", "min", "divisor", "remainder", "unique"], args);
    const number = (name: string) => integerOf(bound.get(name)?.value) ?? 0;
    const data = Math.max(1, number("divisor") + number("remainder"));
    return { kind: "host", type: symbolType, data };
  });
}

/**
 * The length that stands for one that is known when the program runs only: what divides all that it
 * may be, 1 for `None`, which is all that MindSpore's own checks of a strategy know of it.
 */
export function dynamicSize(value: Value): number | undefined {
  if (value.kind === "none") return 1;
  return value.kind === "host" && value.type === symbolType ? Number(value.data) : undefined;
}
