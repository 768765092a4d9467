import type { Span } from "#core/diagnostics";
import { contains } from "../values/compare.ts";
import type { Argument } from "../values/host.ts";
import { bitLength, toFraction } from "../values/numbers.ts";
import { int } from "../values/plain-values.ts";
import { chargeSize, type Method, type Runtime } from "../values/runtime.ts";
import { boundsOf } from "../values/subscript.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, integer } from "./bind-arguments.ts";
import { dictMethods, viewMethods } from "./methods-dict.ts";
import { generatorMethods } from "./methods-generator.ts";
import { listMethods, tupleMethods } from "./methods-sequence.ts";
import { changingSetMethods, setMethods } from "./methods-set.ts";
import { textMethods } from "./methods-text.ts";

type MethodOf<Self> = (rt: Runtime, self: Self, args: readonly Argument[], span: Span) => Value;

/** Adds the methods of built-in types to the runtime. */
export function addMethods(rt: Runtime): void {
  const makers: readonly (readonly [string, () => ReadonlyMap<string, Method>])[] = [
    ["str", () => bound(rt, textMethods, (self) => (self.kind === "str" ? self.value : undefined))],
    ["list", () => bound(rt, listMethods, (self) => (self.kind === "list" ? self : undefined))],
    ["tuple", () => bound(rt, tupleMethods, (self) => (self.kind === "tuple" ? self : undefined))],
    ["dict", () => bound(rt, dictMethods, (self) => (self.kind === "dict" ? self : undefined))],
    ["dict-view", () => bound(rt, viewMethods, (self) => self)],
    ["set", () => setTable(rt)],
    [
      "int",
      () => bound(rt, integerMethods, (self) => (self.kind === "int" ? self.value : undefined)),
    ],
    [
      "bool",
      () =>
        bound(rt, integerMethods, (self) =>
          self.kind === "bool" ? BigInt(self.value) : undefined,
        ),
    ],
    [
      "float",
      () => bound(rt, floatMethods, (self) => (self.kind === "float" ? self.value : undefined)),
    ],
    ["range", () => bound(rt, rangeMethods, (self) => (self.kind === "range" ? self : undefined))],
    ["slice", () => bound(rt, sliceMethods, (self) => (self.kind === "slice" ? self : undefined))],
    [
      "generator",
      () => bound(rt, generatorMethods, (self) => (self.kind === "generator" ? self : undefined)),
    ],
    [
      "iterator",
      () => bound(rt, iteratorMethods, (self) => (self.kind === "iterator" ? self : undefined)),
    ],
  ];
  for (const [kind, make] of makers) rt.methodMakers.set(kind, make);
}

/** Binds methods to a runtime; the receiver's type is checked here. */
function bound<Self>(
  rt: Runtime,
  methods: ReadonlyMap<string, MethodOf<Self>>,
  receive: (self: Value) => Self | undefined,
): ReadonlyMap<string, Method> {
  const entries = [...methods].map(([name, run]): [string, Method] => [
    name,
    (self, args, span) => {
      const receiver = receive(self);
      if (receiver === undefined) {
        return rt.fail("TypeError", `descriptor '${name}' got a wrong receiver`, span);
      }
      for (const value of [self, ...args.map((each) => each.value)]) chargeSize(rt, value, span);
      return run(rt, receiver, args, span);
    },
  ]);
  return new Map(entries);
}

function setTable(rt: Runtime): ReadonlyMap<string, Method> {
  const table = new Map(bound(rt, setMethods, (self) => (self.kind === "set" ? self : undefined)));
  for (const name of changingSetMethods) {
    const change = table.get(name);
    table.set(name, (self, args, span) => {
      if (self.kind === "set" && self.frozen) {
        const message = `'frozenset' object has no attribute '${name}'`;
        return rt.fail("AttributeError", message, span);
      }
      return change?.(self, args, span) ?? { kind: "none" };
    });
  }
  return table;
}

const integerMethods: ReadonlyMap<string, MethodOf<bigint>> = new Map<string, MethodOf<bigint>>([
  ["bit_length", (_rt, self) => int(BigInt(bitLength(self)))],
  [
    "bit_count",
    (rt, self, _args, span) => {
      rt.tick(bitLength(self) >> 3, span);
      return int(BigInt((self < 0n ? -self : self).toString(2).replaceAll("0", "").length));
    },
  ],
  ["conjugate", (_rt, self) => int(self)],
  ["as_integer_ratio", (_rt, self) => ({ kind: "tuple", items: [int(self), int(1n)] })],
  ["__index__", (_rt, self) => int(self)],
]);

const floatMethods: ReadonlyMap<string, MethodOf<number>> = new Map<string, MethodOf<number>>([
  ["is_integer", (_rt, self) => ({ kind: "bool", value: Number.isInteger(self) })],
  ["conjugate", (_rt, self) => ({ kind: "float", value: self })],
  ["as_integer_ratio", integerRatio],
]);

function integerRatio(rt: Runtime, self: number, _args: readonly Argument[], span: Span): Value {
  if (Number.isNaN(self)) return rt.fail("ValueError", "cannot convert NaN to integer ratio", span);
  if (!Number.isFinite(self)) {
    return rt.fail("OverflowError", "cannot convert Infinity to integer ratio", span);
  }
  const [numerator, denominator] = toFraction(self);
  return { kind: "tuple", items: [int(numerator), int(denominator)] };
}

type Range = Extract<Value, { kind: "range" }>;

const rangeMethods: ReadonlyMap<string, MethodOf<Range>> = new Map<string, MethodOf<Range>>([
  [
    "count",
    (rt, self, args, span) => {
      const item = first(bindArguments(rt, "count", args, "value", span));
      return int(contains(rt, self, item, span) ? 1n : 0n);
    },
  ],
  [
    "index",
    (rt, self, args, span) => {
      const item = first(bindArguments(rt, "index", args, "value", span));
      if (item.kind === "int" && contains(rt, self, item, span)) {
        return int((item.value - self.start) / self.step);
      }
      return rt.fail(
        "ValueError",
        `${item.kind === "int" ? item.value : "value"} is not in range`,
        span,
      );
    },
  ],
]);

type Slice = Extract<Value, { kind: "slice" }>;

const sliceMethods: ReadonlyMap<string, MethodOf<Slice>> = new Map<string, MethodOf<Slice>>([
  [
    "indices",
    (rt, self, args, span) => {
      const length = integer(rt, first(bindArguments(rt, "indices", args, "len", span)), span);
      const { start, stop, step } = boundsOf(rt, self, length, span);
      return { kind: "tuple", items: [int(start), int(stop), int(step)] };
    },
  ],
]);

type Iterator = Extract<Value, { kind: "iterator" }>;

const iteratorMethods: ReadonlyMap<string, MethodOf<Iterator>> = new Map<
  string,
  MethodOf<Iterator>
>([
  ["__iter__", (_rt, self) => self],
  ["__next__", (rt, self, _args, span) => self.advance() ?? rt.fail("StopIteration", "", span)],
]);
