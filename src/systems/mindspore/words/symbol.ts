import { bindArguments, hostFunction, integerOf } from "#language/document/words";
import type { HostFunction, HostObject, HostType, Value } from "#language/python";

/** A dim of unknown length: only what it is divisible by is known. */
interface SymbolicDim {
  readonly divisor: number;
}

const symbolType: HostType = {
  name: "Symbol",
  text: (self) => `Symbol(divisor=${(self.data as SymbolicDim).divisor})`,
};

/** `Symbol(divisor=8)`: a dim whose length is known when the program runs. */
export function symbolWord(): HostFunction {
  return hostFunction("Symbol", (args): HostObject => {
    const { bound } = bindArguments(["max", "min", "divisor", "remainder", "unique"], args);
    const divisor = integerOf(bound.get("divisor")?.value) ?? 1;
    return { kind: "host", type: symbolType, data: { divisor } };
  });
}

/** What a symbolic dim is divisible by; `undefined` for any other value. */
export function divisorOf(value: Value | undefined): number | undefined {
  if (value?.kind !== "host" || value.type !== symbolType) return undefined;
  return (value.data as SymbolicDim).divisor;
}
