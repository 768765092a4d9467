// NumPy arrays: tensors with NumPy's methods, operands and subscripts.

import type { Span } from "#core/diagnostics";
import { arrayPromotion, isFloat, type Promotion } from "#core/ir/types";
import type { Context, HostObject, HostType, Value } from "#language/python";
import { provisional } from "../trace/size.ts";
import { runFact } from "./assumed.ts";
import { listInText } from "./known-numbers.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { hostFunction, integer, integerOf, itemsOf, none, text } from "./values/values.ts";

/**
 * The host type of NumPy arrays: the operations of a tensor with the same elements, with methods,
 * operands and subscripts as NumPy has them. Results are arrays again.
 *
 * @param tensor the host type of tensors
 */
export function arrayType(words: TensorCalls, tensor: HostType): HostType {
  const plain = (value: Value) => words.asTensor(value) as HostObject;
  const apart = <T>(run: () => T) => promoted(words, run, arrayPromotion);
  return {
    name: "numpy.ndarray",
    attribute: (self, name, context, span) => attributeOf(words, tensor, self, name, context, span),
    setAttribute: (self, name, value, context, span) =>
      name === "shape" && reshaped(words, self, value, context, span),
    binary: (self, operator, other, reflected, context, span) => {
      const call = (one: HostObject, operand: Value) =>
        tensor.binary?.(one, operator, operand, reflected, context, span);
      return operated(words, [self, operator, other], call, context, span);
    },
    update: (self, operator, other, context, span) => {
      const call = (one: HostObject, operand: Value) =>
        tensor.update?.(one, operator, operand, context, span);
      return operated(words, [self, operator, other], call, context, span);
    },
    unary: (self, operator, context, span) =>
      apart(() => {
        const wrong = wrongTypes(words, operator, [self]);
        if (wrong !== undefined) return context.raise("TypeError", wrong, span);
        return arrayOf(words, tensor.unary?.(plain(self), operator, context, span));
      }),
    item: (self, key, context, span) =>
      apart(() => {
        const [from, keys] = forward(words, plain(self), key, context, span);
        return arrayOf(words, tensor.item?.(from, keys, context, span));
      }),
    setItem: (self, ...asked) => apart(() => tensor.setItem?.(plain(self), ...asked) ?? false),
    number: (self, ...asked) => tensor.number?.(plain(self), ...asked),
    iterate: (self, ...asked) =>
      apart(() => tensor.iterate?.(plain(self), ...asked)?.map((each) => words.asArray(each))),
    unpack: (self, ...asked) =>
      apart(() => tensor.unpack?.(plain(self), ...asked)?.map((each) => words.asArray(each))),
    truth: (self, context, span) => tensor.truth?.(plain(self), context, span) ?? true,
    length: (self, ...asked) => tensor.length?.(plain(self), ...asked),
    text: (self) => tensor.text?.(plain(self)) ?? "array",
  };
}

/** Runs an operation apart from a system's own rules, by NumPy's promotion of data types. */
function promoted<T>(words: TensorCalls, run: () => T, promotion: Promotion | undefined): T {
  return words.types.promoting(() => words.systems.apart(run), promotion);
}

/**
 * Runs a binary operator on an array. The result is a tensor if the other operand is a tensor, else
 * an array.
 */
function operated(
  words: TensorCalls,
  [self, operator, other]: readonly [HostObject, string, Value],
  call: (self: HostObject, operand: Value) => Value | undefined,
  context: Context,
  span: Span,
): Value | undefined {
  const plain = () => words.asTensor(self) as HostObject;
  const isOther = isTensor(words, other);
  const run = () => {
    if (/^[!=]=$/u.test(operator) && (other.kind === "none" || other.kind === "str"))
      return arrayOf(words, unlike(words, self, context, span));
    const operand = beside(words, other, context, span);
    const wrong = wrongTypes(words, operator, [self, operand]);
    if (wrong !== undefined) return context.raise("TypeError", wrong, span);
    const result = call(plain(), operand);
    if (result === plain()) return self;
    return isOther ? result : arrayOf(words, result);
  };
  return promoted(words, run, isOther ? undefined : arrayPromotion);
}

/** `a.shape = (3, 2)`: the same elements in another shape. */
function reshaped(
  words: TensorCalls,
  self: HostObject,
  shape: Value,
  context: Context,
  span: Span,
): boolean {
  const method = words.systems.arrayMethod("reshape", context);
  if (method === undefined) return false;
  const args = [self, shape].map((value) => ({ value, span }));
  words.replace(self, context.call(method, args, span));
  return true;
}

/** A list or tuple with its tensors as arrays; the same object if it holds none. */
export function rowOfArrays(
  words: TensorCalls,
  row: Extract<Value, { readonly kind: "list" | "tuple" }>,
): Value {
  const items = row.items.map((each) => words.asArray(each));
  return items.every((each, at) => each === row.items[at]) ? row : { ...row, items };
}

function arrayOf(words: TensorCalls, value: Value | undefined): Value | undefined {
  return value && words.asArray(value);
}

/**
 * Whether a value is a tensor other than an array or a scalar, or a list or tuple that holds such a
 * tensor.
 */
function isTensor(words: TensorCalls, value: Value): boolean {
  const items = itemsOf(value);
  if (items !== undefined) return items.some((each) => isTensor(words, each));
  return words.tensorOf(value) !== undefined && !words.isArray(value) && !words.isScalar(value);
}

/** The other operand of an array's operator: a list or tuple is turned into an array. */
function beside(words: TensorCalls, value: Value, context: Context, span: Span): Value {
  const make =
    itemsOf(value) === undefined ? undefined : words.systems.arrayMethod("_array", context);
  return words.asTensor(make === undefined ? value : context.call(make, [{ value, span }], span));
}

/**
 * Attributes of every NumPy array that have no method in the library; they are known only when the
 * program runs.
 */
const others: ReadonlySet<string> = new Set(
  [
    "ctypes data flags strides dump dumps getfield setfield tobytes tofile",
    "is_integer as_integer_ratio hex bit_count numerator denominator",
  ].flatMap((line) => line.split(" ")),
);

/** Attributes that arrays and tensors share by name. */
const facts: ReadonlySet<string> = new Set([
  ...["shape", "ndim", "dtype", "itemsize", "T", "mT", "real", "imag"],
]);

function attributeOf(
  words: TensorCalls,
  tensor: HostType,
  self: HostObject,
  name: string,
  context: Context,
  span: Span,
): Value | undefined {
  const plain = words.asTensor(self) as HostObject;
  if (name.startsWith("__")) return asMethod(words, tensor.attribute?.(plain, name, context, span));
  if (facts.has(name)) return arrayOf(words, tensor.attribute?.(plain, name, context, span));
  if (name === "size") return context.call(context.getAttribute(plain, "numel", span), [], span);
  if (name === "device") return text("cpu");
  if (name === "base") return none;
  if (name === "flat") return words.asArray(flattened(words, self, context, span));
  if (name === "nbytes") {
    const [count, each] = ["size", "itemsize"].map((fact) =>
      integerOf(context.getAttribute(self, fact, span)),
    );
    return count === undefined || each === undefined ? none : integer(count * each);
  }
  const method = words.systems.arrayMethod(name, context);
  if (method !== undefined)
    return hostFunction(name, (args, inner, at) => {
      const isRead = name === "tolist" && args.length === 0;
      const numbers = isRead ? listInText(words.tensorOf(plain)) : undefined;
      return numbers ?? inner.call(method, [{ value: self, span }, ...args], at);
    });
  return others.has(name) ? runFact(`numpy.ndarray.${name}`) : undefined;
}

/** A method whose results are arrays. */
function asMethod(words: TensorCalls, method: Value | undefined): Value | undefined {
  if (method?.kind !== "host-function") return method;
  return { ...method, call: (...asked) => words.asArray(method.call(...asked)) };
}

/**
 * The message with which NumPy refuses operands of these data types; `undefined` if it takes them
 * or one of the types is not certain.
 */
function wrongTypes(
  words: TensorCalls,
  operator: string,
  operands: readonly Value[],
): string | undefined {
  const types = operands.map((each) => {
    if (each.kind === "float") return "f64";
    const tensor = words.tensorOf(each);
    if (tensor === undefined) return each.kind === "bool" ? "bool" : "i64";
    return tensor.isTypeAssumed === true || tensor.isUnknown === true ? undefined : tensor.dtype;
  });
  if (types.includes(undefined)) return undefined;
  if (/^(?:[&|^~]|<<|>>)$/u.test(operator) && types.some((type) => type && isFloat(type)))
    return `ufunc for "${operator}" not supported for the input types`;
  const isOfTruths = operator === "-" && types.every((type) => type === "bool");
  return isOfTruths ? 'numpy boolean subtract, the "-" operator, is not supported' : undefined;
}

/** `a == None` and `a != None`, compared element by element. */
function unlike(words: TensorCalls, self: HostObject, context: Context, span: Span) {
  const make = words.systems.arrayMethod("_unlike", context);
  return make && context.call(make, [{ value: words.asTensor(self), span }], span);
}

function flattened(words: TensorCalls, self: HostObject, context: Context, span: Span): Value {
  const ravel = words.systems.arrayMethod("ravel", context);
  return ravel === undefined ? self : context.call(ravel, [{ value: self, span }], span);
}

/**
 * The subscript with forward ranges only, and the tensor that it applies to. A tensor is flipped
 * along each dim whose range goes backward.
 */
function forward(
  words: TensorCalls,
  self: HostObject,
  key: Value,
  context: Context,
  span: Span,
): readonly [HostObject, Value] {
  const keys = key.kind === "tuple" ? key.items : [key];
  const shape = words.tensorOf(self)?.shape?.map(provisional);
  if (shape === undefined || !keys.some(goesBack)) return [self, key];
  const taking = keys.filter(({ kind }) => kind !== "none" && kind !== "ellipsis").length;
  const turned: number[] = [];
  let dim = 0;
  const given = keys.map((each) => {
    if (each.kind === "none") return each;
    const at = dim;
    dim += each.kind === "ellipsis" ? shape.length - taking : 1;
    const size = shape[at];
    if (!goesBack(each) || size === undefined) return each;
    turned.push(at);
    return mirrored(each, size);
  });
  const dims: Value = { kind: "tuple", items: turned.map(integer) };
  const flip = context.getAttribute(self, "flip", span);
  const from = context.call(flip, [{ value: dims, span }], span);
  return [from as HostObject, { kind: "tuple", items: given }];
}

function goesBack(key: Value): boolean {
  return key.kind === "slice" && (integerOf(key.step) ?? 1) < 0;
}

/** A backward range as the forward range over the flipped dim that takes the same elements. */
function mirrored(key: Value, size: number): Value {
  if (key.kind !== "slice") return key;
  const place = (end: Value) => {
    const at = integerOf(end);
    if (at === undefined) return none;
    return integer(Math.max(0, size - 1 - (at < 0 ? at + size : at)));
  };
  const step = integer(-(integerOf(key.step) ?? -1));
  return { ...key, start: place(key.start), stop: place(key.stop), step };
}
