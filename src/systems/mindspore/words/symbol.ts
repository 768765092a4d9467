import { hostFunction } from "#language/document/words";
import type { HostFunction, HostObject, HostType } from "#language/python";

const symbolType: HostType = { name: "Symbol", text: () => "Symbol" };

/**
 * `Symbol(divisor=8)`: a dim whose length is known when the program runs. A tensor with one has a
 * shape that is assumed, and said to be.
 */
export function symbolWord(): HostFunction {
  return hostFunction("Symbol", (): HostObject => ({ kind: "host", type: symbolType, data: {} }));
}
