import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  assumedOf,
  isPlaceRow,
  type OpaqueOperators,
  type TensorBindings,
  takeRank,
} from "#language/document/bindings";
import { castArguments, castingNow } from "#language/document/bindings/types";
import {
  hostFunction,
  integer,
  integerOf,
  namespace,
  none,
  text,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import { batchWord, type DataParts } from "../training/data.ts";
import { ofTensors } from "./call-faults.ts";
import { withTypes } from "./function-types.ts";
import { inLayerOrder } from "./layer-keywords.ts";
import type { TorchSettings } from "./torch-settings.ts";

/** The parts of a run that library functions written in Python use. */
export interface LibraryParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly settings: TorchSettings;
  /** Says of a tensor that it is no part of the program. */
  readonly leaveOut: DataParts["leaveOut"];
}

/** `torch._operators`: what the texts say that PyTorch's own code says in C++. */
export function operatorsModule(
  parts: LibraryParts,
  published: (name: string, context: Context) => Value | undefined,
): ModuleValue {
  const { tensors, opaque } = parts;
  const said = { noAxis: false };
  const words: Readonly<Record<string, Value>> = {
    operator: operatorWord(parts),
    ...layerWords(parts.settings),
    ...tensorQuestions(tensors),
    ...functionQuestions,
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

/** `require(name, input=…)`: raises where a function of torch refuses its tensors. */
function requireWord(tensors: LibraryParts["tensors"]): Value {
  return hostFunction("require", ([name, ...args], context, span) => {
    const given = (parameter: string) => args.find((each) => each.name === parameter)?.value;
    const fault = ofTensors(tensors, textOf(name?.value) ?? "", given);
    return fault === undefined ? none : context.raise(...fault, span);
  });
}

/** The path of an unknown value where an annotation has a size, e.g. `config.rate`. */
const unknownSize = /[A-Za-z_]\w*\./u;

/**
 * `operator(name, annotation, *operands)`: an operator that is known by its shapes. With a size that
 * is unknown, its result is unknown.
 */
function operatorWord({ tensors, opaque }: Pick<LibraryParts, "tensors" | "opaque">): Value {
  return hostFunction("operator", ([name, annotation, ...args], context, span) => {
    const [op, said] = [textOf(name?.value) ?? "operator", textOf(annotation?.value) ?? ""];
    if (unknownSize.test(said))
      return opaque.call(`torch.${op}`, args, context, span) ?? opaque.assumed(`torch.${op}`);
    const given = castArguments(tensors, castingNow(tensors, [op]), args, context, span);
    const operands = given.map(({ value }) => value);
    const made = tensors.shaped(op, said, operands, context, span);
    return withTypes(tensors, op, given, made, context, span);
  });
}

/** What a layer says of itself: its settings, and that its steps follow on each other. */
function layerWords(settings: TorchSettings): Readonly<Record<string, Value>> {
  return {
    settings: hostFunction("settings", ([name, ...args], context) => {
      const layer = textOf(name?.value) ?? "";
      settings.say(layer, inLayerOrder(layer, args), context);
      return none;
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
  };
}

/** Whether a value is a tensor, whether it is unknown, and the rank that it takes. */
function tensorQuestions(tensors: TensorBindings): Readonly<Record<string, Value>> {
  return {
    is_tensor: hostFunction("is_tensor", ([value]) => ({
      kind: "bool",
      value: tensors.tensorOf(value?.value) !== undefined,
    })),
    is_unknown: hostFunction("is_unknown", ([value]) => ({
      kind: "bool",
      value: assumedOf(value?.value) !== undefined,
    })),
    ranked: hostFunction("ranked", ([given, rank]) => {
      takeRank(tensors.tensorOf(given?.value), integerOf(rank?.value));
      return given?.value ?? none;
    }),
  };
}

/** The parameters of a function of the text: how many, and their names. */
const functionQuestions: Readonly<Record<string, Value>> = {
  arity: hostFunction("arity", ([given]) =>
    integer(given?.value.kind === "function" ? given.value.parameters.length : 0),
  ),
  parameters_of: hostFunction("parameters_of", ([given]) => {
    const { value } = given ?? {};
    const callee = value?.kind === "method" ? value.callee : value;
    const names = callee?.kind === "function" ? callee.parameters : [];
    return { kind: "list", items: names.map(({ name }) => text(name)) };
  }),
};

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

/** What texts of published models are written with, operators of the board's own and rows of ids, and arrays as tensors. */
function modelWords(tensors: TensorBindings): Readonly<Record<string, Value>> {
  const word = (name: string) =>
    hostFunction(name, (args, context, span) => {
      const entry = library.get(name);
      if (entry === undefined) return none;
      return tensors.call(entry, { op: name, reducesInside: false }, args, context, span);
    });
  const entries = ["rotary", "moe_dispatch", "moe_combine"].map((name) => [name, word(name)]);
  const asTorch = hostFunction("as_torch", ([given]) => tensors.asTensor(given?.value ?? none));
  return { ...Object.fromEntries(entries), row_of: rowWord(tensors), as_torch: asTorch };
}

/** Host functions about the tokens of experts, for library functions written in Python. */
function expertWords(tensors: TensorBindings): Readonly<Record<string, Value>> {
  const { experts } = tensors;
  return {
    require: requireWord(tensors),
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
