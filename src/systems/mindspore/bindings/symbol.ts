import { bindArguments, hostFunction, integerOf } from "#language/document/bindings/values";
import type { HostFunction, HostObject, HostType, Value } from "#language/python";

const symbolType: HostType = { name: "Symbol", text: () => "Symbol" };

/**
 * `Symbol(divisor=8)`: a dim whose length is known only at run time. A tensor with such a dim gets
 * an assumed shape, which is reported.
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
 * The length assumed for a run-time dim: a divisor of all lengths that it may have, or 1 for
 * `None`. MindSpore's own checks of a strategy use the same number. `undefined` for other values.
 */
export function dynamicSize(value: Value): number | undefined {
  if (value.kind === "none") return 1;
  return value.kind === "host" && value.type === symbolType ? Number(value.data) : undefined;
}
