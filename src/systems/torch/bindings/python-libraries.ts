import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import {
  type Assumed,
  assumedOf,
  rankByName,
  type TensorBindings,
  takeRank,
  typedAs,
} from "#language/document/bindings";
import {
  type Casting,
  castArguments,
  castingNow,
  inSingle,
} from "#language/document/bindings/types";
import { hostFunction, itemsOf, text } from "#language/document/bindings/values";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import {
  broadcastingNames,
  elementWiseNames,
  type Library,
  libraries,
  publishedModel,
} from "../library/index.ts";
import { withTypes } from "./function-types.ts";
import { type LibraryParts, operatorsModule } from "./library-operators.ts";
import { named, resultFields } from "./result-fields.ts";
import { usualNames } from "./signatures.ts";

/** Parts of torch and of packages around it that are written in Python, in one reading of a text. */
export class PythonLibraries {
  private readonly loaded = new Map<Library, ReadonlyMap<string, Value>>();
  private readonly functions = new Map<string, Value>();
  /** The module through which they make operators. */
  readonly operators: ModuleValue;

  private readonly parts: LibraryParts;

  constructor(parts: LibraryParts) {
    this.parts = parts;
    this.operators = operatorsModule(parts, (name, context) =>
      this.member("transformers", name, context),
    );
  }

  /** Whether a module has a name, without running anything. */
  has(home: string, name: string): boolean {
    const isShaped = elementWiseNames.has(name) || broadcastingNames.has(name);
    return (isShaped && home.startsWith("torch")) || this.holding(home, name) !== undefined;
  }

  /** A name of a module. */
  member(home: string, name: string, context: Context): Value | undefined {
    const known = this.functions.get(`${home}.${name}`);
    if (known !== undefined) return known;
    const found = this.held(home, name, context) ?? this.shaped(name, context);
    const word = found && this.takingUnknown(found, `${home}.${name}`);
    if (word !== undefined) this.functions.set(`${home}.${name}`, word);
    return word;
  }

  /**
   * Wraps a function that reads no shape: a tensor without a known shape gives a result without
   * one.
   */
  private takingUnknown(found: Value, path: string): Value {
    if (found.kind !== "function") return found;
    const { tensors, settings } = this.parts;
    const name = path.slice(path.lastIndexOf(".") + 1);
    const parameters = found.parameters.map((each) => each.name);
    const isNative = /^torch\.(?!nn\.)/u.test(path);
    return hostFunction(name, (written, context, span) => {
      const args = path.startsWith("einops.")
        ? firstAsInput(tensors, written, context, span)
        : isNative && span.from >= 0
          ? usualNames(path.slice("torch.".length), "function", written, parameters)
          : written;
      settings.say(name, args, context);
      noteWrites(tensors, name, args);
      takeRank(tensors.tensorOf(args[0]?.value), rankByName(name));
      const how = castingNow(tensors, [name]);
      const given = castArguments(tensors, how, args, context, span);
      const result = this.resultOf([path, found], given, how, context, span);
      const typed = withTypes(tensors, name, given, result, context, span);
      return typedAs(tensors, args, inSingle(tensors, how, given, typed));
    });
  }

  /**
   * The result of a function. Inside a function that autocast casts as a whole nothing else is
   * cast.
   */
  private resultOf(
    [path, found]: readonly [string, Value],
    args: readonly Argument[],
    how: Casting | undefined,
    context: Context,
    span: Span,
  ): Value {
    const name = path.slice(path.lastIndexOf(".") + 1);
    const { tensors } = this.parts;
    const values = args.flatMap(({ value }) => itemsOf(value) ?? [value]);
    const open = elementWiseNames.has(name) ? undefined : unknownAmong(args);
    if (open !== undefined) tensors.sayUnsaid(open, context, span);
    const isUnknown =
      open !== undefined || values.some((value) => tensors.tensorOf(value)?.isUnknown === true);
    if (!isUnknown) {
      const call = () => named(path, context.call(found, args, span));
      return how === undefined ? call() : tensors.types.uncast(call);
    }
    const first = tensors.tensorOf(values[0]);
    if (likeFirstNames.has(name) && first?.isUnknown !== true && first?.shape !== undefined)
      return this.likeFirst(name, values, context, span);
    const count = givesPair(name, args) ? (resultFields(path)?.length ?? 1) : 1;
    return named(path, tensors.unknownResult(name, values, context, span, count));
  }

  /**
   * An operator whose result has the shape of its first operand; the shapes of the others do not
   * matter.
   */
  private likeFirst(name: string, values: readonly Value[], context: Context, span: Span): Value {
    const { tensors } = this.parts;
    const given = values.flatMap((value) => tensors.tensorOf(value) ?? []);
    const dims = (given[0]?.shape ?? []).map((_, dim) => `a${dim}^`).join(" ");
    const others = given.slice(1).map(() => ", ?");
    const operands = given.map((each) => tensors.object(each));
    return tensors.shaped(
      name,
      `${dims}${others.join("")} -> ${dims}`,
      operands,
      context,
      span,
      "known",
    );
  }

  /** A module whose names are all defined in one part of the library. */
  module(home: string, path = home, otherwise?: (name: string) => Value): ModuleValue {
    return {
      kind: "module",
      name: path,
      attribute: (name, context) => {
        const found = this.held(home, name, context);
        return found === undefined
          ? otherwise?.(name)
          : this.takingUnknown(found, `${home}.${name}`);
      },
    };
  }

  private held(home: string, name: string, context: Context): Value | undefined {
    const library = this.holding(home, name);
    if (library === undefined) return undefined;
    const loaded = this.loaded.get(library) ?? context.library(library.home, library.text);
    this.loaded.set(library, loaded);
    return loaded.get(name);
  }

  private holding(home: string, name: string): Library | undefined {
    const known = Object.hasOwn(libraries, home) ? fieldOf(libraries, home) : undefined;
    const found = known?.find((each) => namesIn(each).has(name));
    return found ?? (home === "transformers" ? publishedModel(name) : undefined);
  }

  /** A function of the elements of one tensor, or of two that broadcast. */
  private shaped(name: string, context: Context): Value | undefined {
    const maker = elementWiseNames.has(name) ? "_elementwise" : "_binary";
    if (maker === "_binary" && !broadcastingNames.has(name)) return undefined;
    const make = this.held("torch", maker, context);
    const span = { from: 0, to: 0 };
    return make && context.call(make, [{ value: text(name), span }], span);
  }
}

/** Notes what a function writes into: `out`, and the first operand of one in place. */
export function noteWrites(
  tensors: Pick<TensorBindings, "noteWritten">,
  name: string,
  args: readonly Argument[],
): void {
  for (const { name: key, value } of args) {
    const isInPlace = key === "inplace" && value.kind === "bool" && value.value;
    if (key === "out") tensors.noteWritten(value);
    if (isInPlace) tensors.noteWritten(args[0]?.value);
  }
  if (name.endsWith("_")) tensors.noteWritten(args[0]?.value);
}

/** Settings that no shape depends on. */
const shapeless: ReadonlySet<string> = new Set([
  ...["eps", "p", "training", "inplace", "dtype", "device", "generator", "out", "momentum"],
  ...["requires_grad", "layout", "pin_memory", "dropout_p", "scale", "is_causal", "alpha", "beta"],
  ...["negative_slope", "memory_format", "non_blocking", "temperature", "tau", "label_smoothing"],
  "weights",
]);

/** An unknown argument that may decide a shape. */
function unknownAmong(args: readonly Argument[]): Assumed | undefined {
  return args
    .filter(({ name = "" }) => !shapeless.has(name))
    .flatMap(({ value }) => itemsOf(value) ?? [value])
    .flatMap((value) => assumedOf(value) ?? [])
    .find(({ isStandIn, isOfUnknown }) => isStandIn !== true || isOfUnknown === true);
}

/**
 * The arguments with the first one as a tensor: a name that the text does not define becomes an
 * input.
 */
function firstAsInput(
  tensors: TensorBindings,
  [first, ...rest]: readonly Argument[],
  context: Context,
  span: Span,
): readonly Argument[] {
  if (first === undefined) return [];
  return [{ ...first, value: tensors.asInput(first.value, context, span) }, ...rest];
}

/** Functions that give several results along a dim, and one of all elements. */
const alongDim: ReadonlySet<string> = new Set(["median", "nanmedian"]);

/** Whether a function gives several results, where it has names for several. */
function givesPair(name: string, args: readonly Argument[]): boolean {
  return !alongDim.has(name) || args.length > 1;
}

/** Functions that write into their first operand, and so give its shape. */
const likeFirstNames: ReadonlySet<string> = new Set([
  ...["index_add", "index_copy", "index_fill", "index_put", "masked_scatter"],
  ...["scatter", "scatter_add", "scatter_reduce", "select_scatter", "slice_scatter"],
]);

const bound = new WeakMap<Library, ReadonlySet<string>>();

/** The names that a part binds, which are looked for once: its text is a constant. */
function namesIn(library: Library): ReadonlySet<string> {
  const names = bound.get(library) ?? boundAtTop(library.text);
  bound.set(library, names);
  return names;
}

/** The names that a text binds at its top: by `def`, `class`, or an assignment. */
function boundAtTop(source: string): ReadonlySet<string> {
  const defined = source.matchAll(/^(?:def|class) (\w+)/gm);
  const assigned = source.matchAll(/^(\w+(?:(?:, | = )\w+)*) = /gm);
  return new Set([
    ...[...defined].map(([, name = ""]) => name),
    ...[...assigned].flatMap(([, names = ""]) => names.split(/, | = /)),
  ]);
}
