import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  type Assumed,
  assumedOf,
  isPlaceRow,
  type OpaqueOperators,
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
import {
  hostFunction,
  integer,
  integerOf,
  itemsOf,
  namespace,
  none,
  text,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import {
  broadcastingNames,
  elementWiseNames,
  type Library,
  libraries,
  publishedModel,
} from "../library/index.ts";
import { batchWord, type DataParts } from "../training/data.ts";
import { withTypes } from "./function-types.ts";
import { inLayerOrder } from "./layer-keywords.ts";
import { named, resultFields } from "./result-fields.ts";
import type { TorchSettings } from "./torch-settings.ts";

/** What the parts that are written in Python are made of. */
export interface LibraryParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly settings: TorchSettings;
  /** Says of a tensor that it is no part of the program. */
  readonly leaveOut: DataParts["leaveOut"];
}

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

  /** What a module has under a name. */
  member(home: string, name: string, context: Context): Value | undefined {
    const known = this.functions.get(`${home}.${name}`);
    if (known !== undefined) return known;
    const found = this.held(home, name, context) ?? this.shaped(name, context);
    const word = found && this.takingUnknown(found, `${home}.${name}`);
    if (word !== undefined) this.functions.set(`${home}.${name}`, word);
    return word;
  }

  /** A function that asks nothing of a tensor without a known shape: what it gives has none either. */
  private takingUnknown(found: Value, path: string): Value {
    if (found.kind !== "function") return found;
    const { tensors, settings } = this.parts;
    const name = path.slice(path.lastIndexOf(".") + 1);
    return hostFunction(name, (written, context, span) => {
      const args = path.startsWith("einops.")
        ? firstAsInput(tensors, written, context, span)
        : written;
      settings.say(name, args, context);
      takeRank(tensors.tensorOf(args[0]?.value), rankByName(name));
      const how = castingNow(tensors, [name]);
      const given = castArguments(tensors, how, args, context, span);
      const result = this.resultOf([path, found], given, how, context, span);
      const typed = withTypes(tensors, name, given, result, context, span);
      return typedAs(tensors, args, inSingle(tensors, how, given, typed));
    });
  }

  /** What a function gives; inside one that is cast nothing else is. */
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

  /** Its result has the shape of its first operand, whatever the others are. */
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

  /** A module of which all names stand in one part. */
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

/** Settings that no shape depends on. */
const shapeless: ReadonlySet<string> = new Set([
  ...["eps", "p", "training", "inplace", "dtype", "device", "generator", "out", "momentum"],
  ...["requires_grad", "layout", "pin_memory", "dropout_p", "scale", "is_causal", "alpha", "beta"],
  ...["negative_slope", "memory_format", "non_blocking", "temperature", "tau", "label_smoothing"],
  "weights",
]);

/** An argument that may say a shape, and of which nobody knows what it is. */
function unknownAmong(args: readonly Argument[]): Assumed | undefined {
  return args
    .filter(({ name = "" }) => !shapeless.has(name))
    .flatMap(({ value }) => itemsOf(value) ?? [value])
    .flatMap((value) => assumedOf(value) ?? [])
    .find(({ isStandIn, isOfUnknown }) => isStandIn !== true && isOfUnknown !== true);
}

/** Arguments of which the first is a tensor: a name that the text does not define is an input. */
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

/** `torch._operators`: what the texts say that PyTorch's own code says in C++. */
function operatorsModule(
  parts: LibraryParts,
  published: (name: string, context: Context) => Value | undefined,
): ModuleValue {
  const { tensors, opaque, settings } = parts;
  const said = { noAxis: false };
  const words: Readonly<Record<string, Value>> = {
    operator: hostFunction("operator", ([name, annotation, ...args], context, span) => {
      const [op, said] = [textOf(name?.value) ?? "operator", textOf(annotation?.value) ?? ""];
      const how = castingNow(tensors, [op]);
      const given = castArguments(tensors, how, args, context, span);
      const operands = given.map(({ value }) => value);
      return withTypes(
        tensors,
        op,
        given,
        tensors.shaped(op, said, operands, context, span),
        context,
        span,
      );
    }),
    settings: hostFunction("settings", ([name, ...args], context) => {
      const layer = textOf(name?.value) ?? "";
      settings.say(layer, inLayerOrder(layer, args), context);
      return none;
    }),
    is_tensor: hostFunction("is_tensor", ([value]) => ({
      kind: "bool",
      value: tensors.tensorOf(value?.value) !== undefined,
    })),
    ranked: hostFunction("ranked", ([given, rank]) => {
      takeRank(tensors.tensorOf(given?.value), integerOf(rank?.value));
      return given?.value ?? none;
    }),
    recurring: hostFunction("recurring", ([name], context, span) => {
      context.report({
        code: "torch/not-modelled",
        severity: "warning",
        message: `not modelled: the steps of ${textOf(name?.value)} run one after the other: its time is that of one product, a lower bound`,
        span,
      });
      return none;
    }),
    arity: hostFunction("arity", ([given]) =>
      integer(given?.value.kind === "function" ? given.value.parameters.length : 0),
    ),
    parameters_of: hostFunction("parameters_of", ([given]) => {
      const { value } = given ?? {};
      const callee = value?.kind === "method" ? value.callee : value;
      const names = callee?.kind === "function" ? callee.parameters : [];
      return { kind: "list", items: names.map(({ name }) => text(name)) };
    }),
    published: hostFunction(
      "published",
      ([name], context) => published(textOf(name?.value) ?? "", context) ?? none,
    ),
    unknown: hostFunction("unknown", ([path, ...args], context, span) => {
      const name = textOf(path?.value) ?? "";
      return opaque.call(name, args, context, span) ?? opaque.assumed(name);
    }),
    ...modelWords(tensors),
    ...expertWords(tensors),
    batch_of: batchWord({
      ...parts,
      standIn: (name, known) => opaque.assumed(name, { isStandIn: true, ...known }),
    }),
    cut: hostFunction("cut", ([target, key], context, span) =>
      cutOverTensorAxis({ ...parts, said }, target, textOf(key?.value), context, span),
    ),
  };
  return namespace("torch._operators", (name) => fieldOf(words, name));
}

/** `row_of(given, length)`: rows whose length nobody gives are so long. */
function rowWord(tensors: LibraryParts["tensors"]): Value {
  return hostFunction("row_of", ([given, length]) => {
    const tensor = tensors.tensorOf(given?.value);
    const size = integerOf(length?.value);
    const isOpen = tensor !== undefined && tensor.shape === undefined && !tensor.isUnknown;
    if (isOpen && size !== undefined) giveRow(tensor, size);
    return given?.value ?? none;
  });
}

/** The shape of rows of so many token ids. */
function giveRow(tensor: TracedTensor, size: number): void {
  takeRank(tensor, 2);
  if (tensor.shape !== undefined) tensor.shape = tensor.shape.with(1, size);
}

/** What texts of published models are written with: operators of the board's own, and rows of ids. */
function modelWords(tensors: TensorBindings): Readonly<Record<string, Value>> {
  const word = (name: string) =>
    hostFunction(name, (args, context, span) => {
      const entry = library.get(name);
      if (entry === undefined) return none;
      return tensors.call(entry, { op: name, reducesInside: false }, args, context, span);
    });
  const entries = ["rotary", "moe_dispatch", "moe_combine"].map((name) => [name, word(name)]);
  return { ...Object.fromEntries(entries), row_of: rowWord(tensors) };
}

/** What the texts say of the tokens of experts. */
function expertWords(tensors: TensorBindings): Readonly<Record<string, Value>> {
  const { experts } = tensors;
  return {
    places: hostFunction("places", ([condition, isMatrix], context, span) => {
      const value = condition?.value ?? none;
      experts.leaveRoundOf(tensors.tensorOf(value));
      const asMatrix = isMatrix?.value.kind === "bool" && isMatrix.value.value;
      return (
        experts.rows.places(value, asMatrix, { context, span }) ??
        experts.hits(value, asMatrix) ??
        none
      );
    }),
    equal_loads: hostFunction("equal_loads", (_args, context, span) => {
      experts.sayEqualLoads(context, span);
      return none;
    }),
    chosen: hostFunction("chosen", ([input]) => experts.chosen(input?.value ?? none) ?? none),
    is_places: hostFunction("is_places", ([value]) => ({
      kind: "bool",
      value: isPlaceRow(value?.value),
    })),
    add_at: hostFunction("add_at", ([input, index, source], context, span) =>
      input === undefined || source === undefined || !isPlaceRow(index?.value)
        ? none
        : experts.rows.add(input.value, [index.value], source.value, { context, span }),
    ),
  };
}

/** Names of mesh axes that tensor parallelism runs over. */
const tensorAxis = /^(tp|mp|model|tensor|m|t)/;

/** Cuts the operator of a tensor over the mesh's axis of tensor parallelism. */
function cutOverTensorAxis(
  { recorder, tensors, said }: LibraryParts & { readonly said: { noAxis: boolean } },
  target: Argument | undefined,
  key: string | undefined,
  context: Context,
  span: Span,
): Value {
  const tensor: TracedTensor | undefined = tensors.tensorOf(target?.value);
  const axes = recorder.trace.meshes[0]?.axes ?? [];
  const axis = axes.find(({ name }) => tensorAxis.test(name));
  if (tensor === undefined || key === undefined) return none;
  if (axis === undefined) {
    if (said.noAxis) return none;
    said.noAxis = true;
    context.report({
      code: "document/no-tensor-axis",
      severity: "info",
      message:
        "the mesh has no axis called tp or mp: this layer, and others of its kind, are not cut",
      span,
    });
    return none;
  }
  const written = { axes: [{ name: axis.name, span }], span };
  const cuts = [{ key, keySpan: span, written, span }];
  recorder.trace.strategies.push({ target: tensor, cuts, carry: undefined, span });
  return none;
}
