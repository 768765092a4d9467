import { layerSize } from "#language/document/bindings";
import {
  hostFunction,
  integer,
  integerOf,
  itemsOf,
  namespace,
  none,
  textOf,
} from "#language/document/bindings/values";
import { knownSize } from "#language/document/trace";
import type { Context, FunctionValue, HostFunction, ModuleValue, Value } from "#language/python";
import { netInside } from "../bindings/auto-parallel.ts";
import type { MindsporeParts } from "../bindings/parts.ts";
import { libraries } from "../library/index.ts";
import { parallelSetting } from "../plans/parallel-mode.ts";
import { CellCalls } from "./cell-calls.ts";
import { batchOf, datasetWord } from "./datasets.ts";
import { gradients, gradientWord, noteLoss } from "./gradient-words.ts";
import { noteUpdate } from "./optimizers.ts";
import { TrainingRecord } from "./record.ts";

/** Module through which the parts written in Python report training events. */
export const trainingModule = "mindspore._training";

/** MindSpore's names for training: gradients, training cells, `Model`, and data sets. */
export class TrainingWords {
  readonly record: TrainingRecord;
  readonly calls: CellCalls;
  private readonly parts: MindsporeParts;
  private readonly loaded = new Map<string, ReadonlyMap<string, Value>>();

  constructor(parts: MindsporeParts) {
    this.parts = parts;
    this.record = new TrainingRecord(parts.recorder);
    this.calls = new CellCalls(parts.tensors);
  }

  /** Resolves a training name of a MindSpore module; `undefined` for other names. */
  word(module: string, name: string, context: Context): Value | undefined {
    const { record, calls } = this;
    const { recorder, tensors } = this.parts;
    if (module.startsWith("mindspore.dataset"))
      return datasetWord({ recorder, tensors, record, opaque: this.parts.opaque }, name);
    if (name === "ParameterTuple") return parameterTuple;
    return (
      (gradientModules.test(module) ? gradientWord({ record, tensors, calls }, name) : undefined) ??
      this.written(module, name, context)
    );
  }

  /** A class that is written in Python; `undefined` if no library has it. */
  private written(module: string, name: string, context: Context): Value | undefined {
    const found = libraries.find(
      ({ modules, text }) =>
        modules.test(module) && new RegExp(`^(class ${name}\\b|${name} = )`, "m").test(text),
    );
    if (found === undefined) return undefined;
    const loaded = this.loaded.get(found.home) ?? context.library(found.home, found.text);
    this.loaded.set(found.home, loaded);
    return loaded.get(name);
  }

  /** `mindspore._training`, for the parts that are written in Python. */
  module(): ModuleValue {
    const { record, calls } = this;
    const { tensors } = this.parts;
    const gradientParts = { record, tensors, calls };
    const words: readonly HostFunction[] = [
      hostFunction("differentiated", ([loss], _, span) => {
        if (loss !== undefined) noteLoss(gradientParts, loss.value, span);
        return none;
      }),
      hostFunction("gradients", ([weights], context, span) =>
        gradients(gradientParts, weights?.value ?? none, context, span),
      ),
      hostFunction("updated", ([optimizer], _, span) => {
        noteUpdate(record, optimizer?.value, span);
        return none;
      }),
      hostFunction("accumulates", ([count]) => {
        record.microbatches = Math.max(1, integerOf(count?.value) ?? 1);
        return none;
      }),
      hostFunction("scaled", () => {
        record.isScaled = true;
        return none;
      }),
      hostFunction("is_split", () => ({
        kind: "bool",
        value: parallelSetting(this.parts.recorder.trace) !== undefined,
      })),
      hostFunction("not_modelled", ([what, then], _, span) => {
        record.notModelled(textOf(what?.value) ?? "", textOf(then?.value) ?? "", span);
        return none;
      }),
      hostFunction("open_size", ([layer, name], context, span) => {
        const [size, made] = [textOf(name?.value) ?? "", textOf(layer?.value) ?? ""];
        layerSize({ layer: made, given: new Map(), span }, size, context);
        return this.parts.opaque.assumed(size, { isUndefined: true });
      }),
      hostFunction("has_open_sizes", ([given]) => {
        const sizes = tensors.tensorOf(given?.value)?.shape?.map(knownSize) ?? [undefined];
        return { kind: "bool", value: sizes.includes(undefined) };
      }),
      hostFunction("taken", ([net]) => integer(inputsTaken(net?.value) ?? 2)),
      hostFunction("batch_of", ([dataset, count], context, span) => {
        const { recorder, opaque } = this.parts;
        const parts = { recorder, tensors, record, opaque };
        const wanted = integerOf(count?.value) ?? 2;
        const items = batchOf(parts, dataset?.value, wanted, context, span);
        return items === undefined ? none : { kind: "list", items: [...items] };
      }),
    ];
    return namespace(trainingModule, (name) => words.find((each) => each.name === name));
  }
}

/** Modules that offer the functions for gradients. */
const gradientModules = /^mindspore(\.ops.*|\.common.*)?$/;

/** `ParameterTuple(params)`: a tuple of the parameters. */
const parameterTuple = hostFunction("ParameterTuple", ([given]) => ({
  kind: "tuple",
  items: itemsOf(given?.value) ?? [],
}));

/** Number of inputs that a net requires; `undefined` if not known. */
function inputsTaken(value: Value | undefined): number | undefined {
  const net = (value && netInside(value)) ?? value;
  if (net?.kind !== "instance") return undefined;
  const construct = net.type.mro
    .map(({ attributes }) => attributes.get("construct"))
    .find((each): each is FunctionValue => each?.kind === "function");
  if (construct === undefined) return undefined;
  const inner = net.attributes.get("network");
  if (construct.parameters.some(({ kind }) => kind === "var-positional")) return inputsTaken(inner);
  const wanted = construct.parameters.filter(
    ({ kind, defaultTree }) => kind.startsWith("positional") && defaultTree === undefined,
  );
  return wanted.length - 1;
}
