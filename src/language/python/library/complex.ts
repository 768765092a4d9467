import type { Span } from "#core/diagnostics";
import { floatText } from "../values/numbers.ts";
import type { Context, HostObject, HostType, Value } from "../values/value.ts";

/** A complex number: real and imaginary part, in 64 bits each. */
interface Complex {
  readonly real: number;
  readonly imaginary: number;
}

/** A complex number as a Python value. */
export function complex(real: number, imaginary: number): HostObject {
  const data: Complex = { real, imaginary };
  return { kind: "host", type: complexType, data };
}

/** Whether a value is a complex number. */
export function isComplex(value: Value): boolean {
  return value.kind === "host" && value.type === complexType;
}

/** The absolute value of a complex number; `undefined` for any other value. */
export function complexModulus(value: Value): number | undefined {
  if (value.kind !== "host" || value.type !== complexType) return undefined;
  const { real, imaginary } = complexOf(value);
  return Math.hypot(real, imaginary);
}

/** Host type of `complex`: `+ - * /` with numbers, and attributes. */
const complexType: HostType = {
  name: "complex",
  binary: (self, operator, other, isReflected, context, span) => {
    const known = numberOf(other);
    const operation = operations.get(operator);
    if (known === undefined || operation === undefined) return undefined;
    const own = complexOf(self);
    const [a, b] = isReflected ? [known, own] : [own, known];
    const { real, imaginary } = operation(a, b, context, span);
    return complex(real, imaginary);
  },
  unary: (self, operator) => {
    const { real, imaginary } = complexOf(self);
    if (operator === "+") return self;
    return operator === "-" ? complex(-real, -imaginary) : undefined;
  },
  attribute: (self, name) => {
    const { real, imaginary } = complexOf(self);
    if (name === "real") return { kind: "float", value: real };
    if (name === "imag") return { kind: "float", value: imaginary };
    if (name !== "conjugate") return undefined;
    return { kind: "host-function", name, call: () => complex(real, -imaginary) };
  },
  equals: (self, other) => {
    const [a, b] = [complexOf(self), numberOf(other)];
    return b !== undefined && a.real === b.real && a.imaginary === b.imaginary;
  },
  truth: (self) => complexOf(self).real !== 0 || complexOf(self).imaginary !== 0,
  text: (self) => written(complexOf(self)),
};

type Operation = (a: Complex, b: Complex, context: Context, span: Span) => Complex;

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["+", (a, b) => ({ real: a.real + b.real, imaginary: a.imaginary + b.imaginary })],
  ["-", (a, b) => ({ real: a.real - b.real, imaginary: a.imaginary - b.imaginary })],
  [
    "*",
    (a, b) => ({
      real: a.real * b.real - a.imaginary * b.imaginary,
      imaginary: a.real * b.imaginary + a.imaginary * b.real,
    }),
  ],
  ["/", quotient],
  [
    "**",
    (_a, _b, context, span) =>
      context.raise(
        "NotImplementedError",
        "a power of a complex number is not supported here",
        span,
        {
          code: "python/not-supported",
        },
      ),
  ],
]);

/**
 * Quotient as CPython computes it: scaled by the larger part of the divisor, so that nothing
 * overflows.
 */
function quotient(a: Complex, b: Complex, context: Context, span: Span): Complex {
  if (b.real === 0 && b.imaginary === 0)
    return context.raise("ZeroDivisionError", "complex division by zero", span);
  if (Math.abs(b.real) >= Math.abs(b.imaginary)) {
    const ratio = b.imaginary / b.real;
    const divisor = b.real + b.imaginary * ratio;
    return {
      real: (a.real + a.imaginary * ratio) / divisor,
      imaginary: (a.imaginary - a.real * ratio) / divisor,
    };
  }
  const ratio = b.real / b.imaginary;
  const divisor = b.real * ratio + b.imaginary;
  return {
    real: (a.real * ratio + a.imaginary) / divisor,
    imaginary: (a.imaginary * ratio - a.real) / divisor,
  };
}

function numberOf(value: Value): Complex | undefined {
  if (value.kind === "int" || value.kind === "float" || value.kind === "bool") {
    return { real: Number(value.value), imaginary: 0 };
  }
  return value.kind === "host" && value.type === complexType ? complexOf(value) : undefined;
}

/** The cast is safe: only values of this type reach these methods. */
function complexOf(self: HostObject): Complex {
  return self.data as Complex;
}

/** `2j`, `(1+2j)`: integral parts have no point, and a real part of +0 is left out. */
function written({ real, imaginary }: Complex): string {
  const part = (value: number) => floatText(value).replace(/\.0$/, "");
  const isSigned = imaginary < 0 || Object.is(imaginary, -0);
  if (Object.is(real, 0)) return `${part(imaginary)}j`;
  return `(${part(real)}${isSigned ? "" : "+"}${part(imaginary)}j)`;
}
