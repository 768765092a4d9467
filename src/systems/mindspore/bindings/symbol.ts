import type { Span } from "#core/diagnostics";
import { bindArguments, hostFunction, integerOf } from "#language/document/bindings/values";
import type { Context, HostFunction, HostObject, HostType, Value } from "#language/python";

/** What a `Symbol` says of a length: its bounds, what divides it, and what that leaves. */
type Numbers = Readonly<Record<"max" | "min" | "divisor" | "remainder", number>>;

/** The data of a `Symbol`: its numbers, and whether equal symbols are equal lengths. */
interface SymbolData {
  readonly numbers: Numbers;
  readonly isUnique: boolean;
}

const symbolType: HostType = {
  name: "Symbol",
  attribute: ({ data }, name) => {
    const { numbers, isUnique } = data as SymbolData;
    if (name === "unique") return { kind: "bool", value: isUnique };
    const number = numbers[name as keyof Numbers];
    return number === undefined ? undefined : { kind: "int", value: BigInt(number) };
  },
  text: () => "Symbol",
};

/**
 * `Symbol(divisor=8)`: a dim whose length is known only at run time. A tensor with such a dim gets
 * an assumed shape, which is reported.
 */
export function symbolWord(): HostFunction {
  const made = hostFunction("Symbol", (args, context, span): HostObject => {
    const { bound } = bindArguments(["max", "min", "divisor", "remainder", "unique"], args);
    const number = (name: keyof Numbers, otherwise: number) => {
      const value = bound.get(name)?.value;
      const found = value === undefined ? otherwise : integerOf(value);
      if (found !== undefined) return found;
      const message = `For 'Symbol', the argument '${name}' must be int`;
      return context.raise("TypeError", message, span);
    };
    const [max, min] = [number("max", 0), number("min", 1)];
    const numbers = { max, min, divisor: number("divisor", 1), remainder: number("remainder", 0) };
    checkNumbers(numbers, context, span);
    const unique = bound.get("unique")?.value;
    const data = { numbers, isUnique: unique?.kind === "bool" && unique.value };
    return { kind: "host", type: symbolType, data };
  });
  return { ...made, isInstance: isSymbol };
}

function checkNumbers({ min, divisor, remainder }: Numbers, context: Context, span: Span): void {
  const refuse = (name: string, range: string, value: number) =>
    context.raise(
      "ValueError",
      `For 'Symbol', the '${name}' value should be ${range}, but got ${value}`,
      span,
    );
  if (min <= 0) refuse("min", "positive", min);
  if (divisor <= 0) refuse("divisor", "positive", divisor);
  if (remainder < 0 || remainder >= divisor)
    refuse("remainder", `in the range '[0, ${divisor})'`, remainder);
}

function isSymbol(value: Value): value is HostObject {
  return value.kind === "host" && value.type === symbolType;
}

/**
 * The length assumed for a run-time dim: a divisor of all lengths that it may have, or 1 for
 * `None`. MindSpore's own checks of a strategy use the same number. `undefined` for other values.
 */
export function dynamicSize(value: Value): number | undefined {
  if (value.kind === "none") return 1;
  if (!isSymbol(value)) return undefined;
  const { divisor, remainder } = (value.data as SymbolData).numbers;
  return divisor + remainder;
}
