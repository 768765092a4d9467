import type { Span } from "#core/diagnostics";
import { arrayPromotion } from "#core/ir/types";
import { assumedOf, type TensorBindings } from "#language/document/bindings";
import { dtypeOf, longDType } from "#language/document/bindings/types";
import { hostFunction, itemsOf, none, numbersIn, text } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { arrayFault } from "./gradient-faults.ts";
import type { PythonLibraries } from "./python-libraries.ts";

type Classes = "ndarray" | "functions" | "ufuncs" | "linalg" | "makers";

/** Methods that change the array itself and give nothing. */
const inPlace: ReadonlySet<string> = new Set(["fill", "sort", "partition", "put", "resize"]);

/** Arguments of makers that no shape depends on. */
const idle: ReadonlySet<string> = new Set(["order", "like", "device", "subok", "copy", "k"]);

/** Functions that also accept a value that is no array, and return an array of it. */
const making: ReadonlySet<string> = new Set(["array", "asarray", "ascontiguousarray", "copy"]);

/** Functions that give an array of a list of numbers. */
const ofLists: ReadonlySet<string> = new Set([
  ...["cumsum", "cumprod", "diff", "sort", "argsort", "flip", "roll", "unique"],
  ...["nonzero", "flatnonzero", "where"],
]);

function isOfList(name: string, [first, ...others]: readonly Argument[]): boolean {
  if (!ofLists.has(name) || (name === "where" && others.length > 0)) return false;
  const numbers = numbersIn(first?.value);
  return numbers.length > 0 && !numbers.includes(undefined);
}

/** Position of the data type among the positional arguments of NumPy's array constructors. */
const typePlaces: Readonly<Record<string, number>> = {
  ...{ zeros: 1, ones: 1, empty: 1, full: 2, eye: 3, identity: 1, linspace: 5 },
  ...{ array: 1, asarray: 1 },
};

function sayOtherType({ value, span }: Argument, context: Context): void {
  const isNamed = value.kind === "class" || value.kind === "host-function";
  const type = assumedOf(value)?.name ?? (isNamed ? value.name : context.text(value));
  const message = `arrays of ${type} are not computed with: shapes stand, bytes are those of other numbers`;
  context.report({ code: "document/unknown-value", severity: "warning", message, span });
}

/** Functions and methods of NumPy, which are written in Python (`library/arrays.py`), in one reading of a text. */
export class ArrayWords {
  private readonly tensors: TensorBindings;
  private readonly libraries: PythonLibraries;
  private readonly words = new Map<string, Value>();

  constructor(tensors: TensorBindings, libraries: PythonLibraries) {
    this.tensors = tensors;
    this.libraries = libraries;
  }

  /** `numpy.ndarray` as `isinstance` asks for it. */
  get type(): Value {
    return this.kept("type", () => ({
      ...hostFunction("ndarray", () => none),
      isInstance: (value) => this.tensors.isArray(value),
    }));
  }

  /** A method of arrays, which is called with the array first. */
  method(name: string, context: Context): Value | undefined {
    if (name.startsWith("_")) return this.libraries.member("numpy", name, context);
    const found = this.held("ndarray", name, context);
    return found && this.kept(`ndarray.${name}`, () => this.word(name, found, inPlace.has(name)));
  }

  /** A function of `numpy` of arrays, by its dotted name; without arrays it is another one. */
  function(name: string, context: Context, otherwise: Value): Value | undefined {
    const found = name.startsWith("linalg.")
      ? this.held("linalg", name.slice("linalg.".length), context)
      : (this.held("functions", name, context) ?? this.held("ufuncs", name, context));
    if (found === undefined) return undefined;
    return this.kept(name, () => {
      const word = this.word(name, found, false);
      return hostFunction(name, (args, inner, span) => {
        if (span.from >= 0) this.requireArrays(name, args, inner, span);
        const taken = this.isCheckable(args) || isOfList(name, args) ? word : otherwise;
        return inner.call(taken, args, span);
      });
    });
  }

  /** Whether a call takes arrays, or has arguments that NumPy refuses in any case. */
  private isCheckable(args: readonly Argument[]): boolean {
    if (args.some(({ value }) => this.isOfArrays(value) || value.kind === "range")) return true;
    const first = args.find((each) => each.name === undefined)?.value;
    if (first === undefined) return args.every(({ name }) => name === "axis" || name === "dtype");
    return itemsOf(first)?.length === 0 || first.kind === "str" || first.kind === "none";
  }

  /**
   * A function that makes an array: its arguments are checked first, and its result is an array.
   */
  maker(name: string, make: Value): Value {
    return this.kept(`makers.${name}`, () =>
      hostFunction(name, (args, context, span) => {
        const check = this.held("makers", name.split(".").at(-1) ?? name, context);
        if (check !== undefined && !args.some((each) => this.isOpen(each.value)))
          context.call(check, this.asTensors(args), span);
        this.requireArray(args[0]?.value, context, span);
        const data = this.asTensors(args.filter((each) => !idle.has(each.name ?? "")));
        const given = this.withType(this.asTaken(name, data, context, span), context);
        for (const each of given) if (this.isOtherType(each)) sayOtherType(each, context);
        const made = context.call(make, given, span);
        return this.tensors.asArray(name.endsWith("_like") ? made : this.inDouble(made, given));
      }),
    );
  }

  /** Tensors among what NumPy makes arrays of; a few functions ask for attributes alone. */
  private requireArrays(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): void {
    if (asking.has(name)) return;
    const [first] = args;
    const isTensor = first !== undefined && this.tensors.tensorOf(first.value) !== undefined;
    if (isTensor && reducing.has(name) && this.isOfTensors(first.value)) {
      // The method of the tensor is called, with what arrays call it with.
      const message = `${name}() calls the method of the tensor with "axis" and "out", which it does not take`;
      context.raise("TypeError", message, span);
    }
    for (const value of args.flatMap((each) => itemsOf(each.value) ?? [each.value]))
      if (this.isOfTensors(value)) this.requireArray(value, context, span);
  }

  /** A tensor with a gradient is no array. */
  private requireArray(value: Value | undefined, context: Context, span: Span): void {
    if (value?.kind !== "host" || span.from < 0 || this.tensors.isArray(value)) return;
    const fault = arrayFault(this.tensors, value);
    if (fault !== undefined) context.raise(...fault, span);
  }

  /** The arguments of a maker as PyTorch's own takes them. */
  private asTaken(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): readonly Argument[] {
    const [first, ...rest] = args;
    if (first === undefined)
      return /^random\.randn?$/u.test(name) ? [{ value: { kind: "tuple", items: [] }, span }] : [];
    const make = this.libraries.member("numpy", "_array", context);
    if (name.endsWith("_like") && itemsOf(first.value) !== undefined && make !== undefined)
      return [{ ...first, value: context.call(make, [first], span) }, ...rest];
    if (name === "arange")
      return args.map((each) => (each.name === "stop" ? { ...each, name: "end" } : each));
    const place = typePlaces[name.replace(/_like$/u, "")];
    return args.flatMap((each, at) => {
      if (each.name !== undefined || place === undefined) return [each];
      if (at === place) return [{ ...each, name: "dtype" }];
      return at > place || (name === "eye" && at === 2) ? [] : [each];
    });
  }

  /** `np.dtype(type)`: the data type that it says. */
  typeWord(otherwise: Value): Value {
    return hostFunction("numpy.dtype", (args, context, span) => {
      const named = this.libraries.member("numpy", "_dtype", context);
      const type =
        named && args.length === 1 ? dtypeOf(context.call(named, args, span)) : undefined;
      const value = type && this.tensors.types.valueOf?.(type);
      return value ?? context.call(otherwise, args, span);
    });
  }

  /** Whether an argument says a data type that no tensor has here: of complex numbers, of objects. */
  private isOtherType({ name, value }: Argument): boolean {
    return name === "dtype" && dtypeOf(value) === undefined && !this.isOpen(value);
  }

  /** The arguments with the data type by its long name, where they have one. */
  private withType(args: readonly Argument[], context: Context): readonly Argument[] {
    const named = this.libraries.member("numpy", "_dtype", context);
    if (named === undefined) return args;
    return args.flatMap((each) => {
      if (each.name !== "dtype") return [each];
      if (each.value.kind === "none") return [];
      const type = dtypeOf(context.call(named, [each], each.span));
      if (type === undefined) return [each];
      return [{ ...each, value: this.tensors.types.valueOf?.(type) ?? text(longDType(type)) }];
    });
  }

  /** Floats of NumPy are of double precision, where a call does not say otherwise. */
  private inDouble(made: Value, args: readonly Argument[]): Value {
    const tensor = this.tensors.tensorOf(made);
    const isSaid = args.some(({ name }) => name === "dtype");
    const isFloat = tensor !== undefined && tensor.dtype === this.tensors.types.defaultFloat;
    if (isFloat && !isSaid && tensor.producer === undefined)
      Object.assign(tensor, { dtype: "f64", dtypeText: "float64" });
    return made;
  }

  private word(name: string, found: Value, changes: boolean): Value {
    return hostFunction(name, (args, context, span) => {
      const { tensors } = this;
      const made = this.result(name, found, args, context, span);
      const [self] = args;
      if (changes && self?.value.kind === "host") {
        tensors.replace(self.value, made);
        return none;
      }
      const isOther = !making.has(name) && args.some(({ value }) => this.isOfTensors(value));
      return isOther ? made : tensors.asArray(made);
    });
  }

  private result(
    name: string,
    found: Value,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const { tensors } = this;
    const given = this.asTensors(args);
    if (given.some(({ value }) => this.isOpen(value))) {
      const values = given.flatMap(({ value }) => itemsOf(value) ?? [value]);
      for (const open of values.map(assumedOf))
        if (open !== undefined) tensors.sayUnsaid(open, context, span);
      return tensors.unknownResult(name, values, context, span);
    }
    const { types, systems } = tensors;
    return systems.apart(() =>
      types.uncast(() => types.promoting(() => context.call(found, given, span), arrayPromotion)),
    );
  }

  /** Whether a value is or contains a tensor. */
  private isOfArrays(value: Value): boolean {
    const items = itemsOf(value);
    if (items !== undefined) return items.some((each) => this.isOfArrays(each));
    return this.tensors.tensorOf(value) !== undefined;
  }

  /** Whether a value is or contains a tensor that is no array. */
  private isOfTensors(value: Value): boolean {
    const items = itemsOf(value);
    if (items !== undefined) return items.some((each) => this.isOfTensors(each));
    const { tensors } = this;
    const isOther = tensors.isArray(value) || tensors.isScalar(value);
    return !isOther && tensors.tensorOf(value) !== undefined;
  }

  /** Whether a value is or contains a tensor without a known shape. */
  private isOpen(value: Value): boolean {
    const items = itemsOf(value);
    if (items !== undefined) return items.some((each) => this.isOpen(each));
    const { isStandIn, isOfUnknown, name = "" } = assumedOf(value) ?? {};
    const isType = /^numpy\./u.test(name);
    const isAssumed = assumedOf(value) !== undefined && !isType;
    return (
      (isAssumed && isStandIn !== true && isOfUnknown !== true) ||
      this.tensors.tensorOf(value)?.isUnknown === true
    );
  }

  private asTensors(args: readonly Argument[]): readonly Argument[] {
    return args.map((each) => ({ ...each, value: this.asTensor(each.value) }));
  }

  private asTensor(value: Value): Value {
    const dtype = value.kind === "host" ? dtypeOf(value) : undefined;
    if (dtype !== undefined) return text(longDType(dtype));
    if (value.kind !== "tuple" && value.kind !== "list") return this.tensors.asTensor(value);
    if (!this.isOfArrays(value)) return value;
    return { ...value, items: value.items.map((each) => this.asTensor(each)) };
  }

  private held(home: Classes, name: string, context: Context): Value | undefined {
    const found = name.startsWith("_") ? undefined : this.libraries.member("numpy", home, context);
    if (found?.kind !== "class") return undefined;
    const from = found.mro.find((each) => each.name !== "object" && each.attributes.has(name));
    const word = from?.attributes.get(name);
    // Messages about its arguments name the function as NumPy does, without the class.
    return word?.kind === "function" ? { ...word, qualifiedName: name } : word;
  }

  private kept(name: string, make: () => Value): Value {
    const known = this.words.get(name) ?? make();
    this.words.set(name, known);
    return known;
  }
}

/** Functions of NumPy that ask a tensor for its attributes and make no array of it. */
const asking: ReadonlySet<string> = new Set(["shape", "ndim", "size", "isscalar", "squeeze"]);

/** Those that call the method of the same name, where it has one. */
const reducing: ReadonlySet<string> = new Set([
  ...["mean", "sum", "std", "var", "max", "min", "amax", "amin", "prod", "any", "all"],
]);
