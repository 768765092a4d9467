import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { assumedOf, type TensorAccess } from "#language/document/bindings";
import { hostFunction, itemsOf, none, text, textOf } from "#language/document/bindings/values";
import { knownSize, type TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostFunction, ModuleValue, Value } from "#language/python";
import { type FunctionsOf, functionTexts, simpleFunction } from "../functions/index.ts";
import { dataWord } from "./assigned-parameters.ts";
import {
  constantWord,
  evenWord,
  heldWord,
  parameterWord,
  splitWord,
  typeWord,
  unreadWord,
} from "./function-words.ts";
import type { MindsporeParts } from "./parts.ts";
import { placesWord } from "./places-word.ts";
import type { Primitives } from "./primitives.ts";
import { isMissing } from "./public-names.ts";
import { simpleCall } from "./simple-functions.ts";
import { itemOf, itemSet, type SubscriptParts } from "./subscripts.ts";
import { checkTypes } from "./type-arguments.ts";
import { dataOf, written } from "./written-tensors.ts";

type Parts = Pick<MindsporeParts, "recorder" | "tensors" | "opaque" | "lengths">;

/**
 * The functions of MindSpore as the primitives that MindSpore 2.10 compiles them to: a single
 * primitive on the first operands, or those called by a Python text in `functions/`.
 */
export class PythonFunctions {
  private readonly parts: Parts;
  private readonly made: Primitives;
  /** Whether a net of the program is running. */
  private readonly isRunning: () => boolean;
  /** Functions for which the `mindspore/no-rule` warning was given. */
  private readonly said = new Set<string>();
  private readonly loaded = new Map<FunctionsOf, ReadonlyMap<string, Value>>();
  private readonly subscripts: SubscriptParts;
  private readonly inMemory: Parameters<typeof written>[0];
  /** Helper functions, no primitives, that those texts call. */
  private readonly words: ReadonlyMap<string, Value>;
  /** The module from which those texts import primitives; user programs cannot reach it. */
  readonly primitives: ModuleValue;

  constructor(
    parts: Parts,
    primitives: Primitives,
    operation: (name: string) => Value | undefined,
    isRunning: () => boolean,
  ) {
    this.isRunning = isRunning;
    this.parts = parts;
    this.made = primitives;
    this.subscripts = {
      tensors: parts.tensors,
      named: (name, context) => this.namesOf("Tensor", context).get(name),
      isRunning,
    };
    this.inMemory = { tensors: parts.tensors, primitive: (name) => primitives.plain(name) };
    this.words = new Map([
      ["constant", constantWord(parts)],
      ["places", placesWord(parts)],
      ["is_parameter", parameterWord(parts)],
      ["is_constant", heldWord(parts)],
      ["check_even", evenWord(parts)],
      ["check_type", typeWord(parts)],
      ["is_split", splitWord(parts)],
      ["unread", unreadWord(parts)],
      [
        "library",
        hostFunction("library", ([name]) => operation(textOf(name?.value) ?? "") ?? none),
      ],
    ]);
    this.primitives = {
      kind: "module",
      name: functionPrimitives,
      attribute: (name) =>
        this.words.get(name) ??
        hostFunction(name, (args, context, span) =>
          primitives.make(name, args, context, span, undefined),
        ),
    };
  }

  /**
   * A function of a module; a call with an operand of unknown shape goes to `otherwise`.
   * `undefined` if no text defines the function.
   */
  member(
    owner: FunctionsOf,
    name: string,
    context: Context,
    otherwise: () => Value | undefined,
  ): Value | undefined {
    const found = this.found(owner, name, context);
    if (found === undefined) return undefined;
    const called = hostFunction(name, (args, inner, span) => {
      if (owner !== "numpy") checkTypes(name, args, inner);
      const open = args.some(({ value }) => this.isOpen(value)) ? otherwise() : undefined;
      return this.known(inner.call(open ?? found, args, span), name, args, inner, span);
    });
    return { ...called, member: (asked) => (asked === "__wrapped__" ? found : undefined) };
  }

  /**
   * A method or attribute of tensors; a method is a function whose first argument is the tensor.
   */
  method(
    { self, name, tensor, span }: Pick<TensorAccess, "self" | "name" | "tensor" | "span">,
    context: Context,
  ): Value | undefined {
    if (tensor.isUnknown === true || tensor.shape === undefined) return undefined;
    if (name === "shape") return this.parts.lengths.shapeOf(tensor);
    if (name === "set_data") return dataWord(self, (each) => this.parts.tensors.tensorOf(each));
    const isComputed = tensor.producer !== undefined || tensor.fed !== undefined;
    if (name === "item" && isComputed && this.isRunning()) return this.asNumber(self, tensor);
    if (name === "data" && this.isRunning()) return dataOf(this.inMemory, self, context, span);
    if (isMissing("mindspore.Tensor", name)) return this.missing(name, context, span);
    const found = this.found("Tensor", name === "T" ? "transpose" : name, context);
    if (found === undefined && !known.has(name) && !library.has(name))
      this.sayUnasked(name, context, span);
    if (name === "T" || name === "mT")
      return found && context.call(found, [{ value: self, span }], span);
    return (
      found &&
      hostFunction(name, (args, inner, at) => {
        checkTypes(name, args, inner);
        const given = [{ value: self, span: at }, ...args];
        const result = this.known(inner.call(found, given, at), name, given, inner, at);
        if (name.endsWith("_")) written(this.inMemory, self, result, inner, at);
        return result;
      })
    );
  }

  /**
   * The result of a call; if it is unknown, a tensor of unknown shape computed from the operands.
   */
  private known(
    result: Value,
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    if (assumedOf(result) === undefined) return result;
    return this.parts.opaque.call(name, args, context, span, "silent") ?? result;
  }

  /** `x.item()` in a graph: the only element as a number that is known at run time. */
  private asNumber(self: Value, tensor: TracedTensor): HostFunction {
    return hostFunction("item", (args, context, span) => {
      if (args.length > 0)
        return context.raise(
          "TypeError",
          "Tensor.item takes nothing in a graph of MindSpore",
          span,
        );
      const sizes = tensor.shape?.map(knownSize) ?? [];
      if (sizes.some((size) => size !== undefined && size !== 1))
        return context.raise("ValueError", "only a tensor of one element can be an item", span);
      return context.call(this.made.plain("TensorToScalar"), [{ value: self, span }], span);
    });
  }

  /** `x[key]` as MindSpore composes it; `undefined` for keys that the generic reading handles. */
  item(
    tensor: TracedTensor,
    self: Value,
    key: Value,
    context: Context,
    span: Span,
  ): Value | undefined {
    const item = itemOf(this.subscripts, tensor, self, key, context, span);
    const made = item && this.subscripts.tensors.tensorOf(item)?.producer;
    if (made !== undefined && key.kind !== "int") made.isSubscript = true;
    return item;
  }

  /**
   * The tensor that a name refers to after `x[key] = value` in a net; `undefined` for keys left to
   * the generic reading.
   */
  setItem(
    tensor: TracedTensor,
    self: Value,
    set: readonly [Value, Value],
    context: Context,
    span: Span,
  ): Value | undefined {
    return itemSet(this.subscripts, tensor, self, set, context, span);
  }

  /** `x + [1.0]`: the list is a tensor of its numbers, or of the tensors in it. */
  besideList(
    operator: string,
    pair: readonly [Value, Value],
    context: Context,
    span: Span,
  ): Value | undefined {
    const function_ = this.isRunning() && this.namesOf("Tensor", context).get("_beside_list");
    if (!function_) return undefined;
    const operands = [text(operator), ...pair].map((value) => ({ value, span }));
    return context.call(function_, operands, span);
  }

  /**
   * The value of a name after `x += value` in a net: the result. Other names of the tensor then
   * refer to the tensor in memory. `undefined` if the operation is not in place.
   */
  updated(self: Value, result: Value, context: Context, span: Span): Value | undefined {
    const isWritten = this.isRunning() && written(this.inMemory, self, result, context, span);
    return isWritten ? result : undefined;
  }

  private namesOf(owner: FunctionsOf, context: Context): ReadonlyMap<string, Value> {
    const known = this.loaded.get(owner) ?? context.library("mindspore", functionTexts[owner]);
    this.loaded.set(owner, known);
    return known;
  }

  private found(owner: FunctionsOf, name: string, context: Context): Value | undefined {
    if (name.startsWith("_")) return undefined;
    const simple = simpleFunction(owner, name);
    if (simple !== undefined)
      return simpleCall(name, simple, this.made, (value) => this.parts.tensors.tensorOf(value));
    // `range` is renamed in the text, since its body calls Python's `range`.
    const written = name === "range" ? "range_of" : name;
    const found = this.namesOf(owner, context).get(written);
    return found?.kind === "function" ? found : undefined;
  }

  /**
   * A tensor method that the operator library has and tensors of 2.10 lack: reports 2.10's
   * AttributeError, and the result is unknown.
   */
  private missing(name: string, context: Context, span: Span): Value | undefined {
    const isOurs = library.has(name.replace(/_$/u, ""));
    if (this.parts.recorder.trace.parallel.length === 0 || !isOurs) return undefined;
    const message = `'Tensor' object has no attribute '${name}' in MindSpore 2.10: nothing is known of it`;
    const upstream = "AttributeError";
    context.report({
      code: "mindspore/missing-name",
      severity: "warning",
      message,
      span,
      upstream,
    });
    return this.parts.opaque.assumed(`Tensor.${name}`, { isUndefined: true });
  }

  /**
   * A function of the library; for `mindspore.numpy`, with a warning that MindSpore's operators are
   * not known.
   */
  unasked(
    owner: FunctionsOf | undefined,
    name: string,
    found: Value | undefined,
  ): Value | undefined {
    if (owner !== "numpy" || found === undefined) return found;
    return hostFunction(name, (args, context, span) => {
      this.sayUnasked(name, context, span);
      return context.call(found, args, span);
    });
  }

  /**
   * Reports once that a function is read as in torch, because MindSpore's own operators for it are
   * not known.
   */
  private sayUnasked(name: string, context: Context, span: Span): void {
    if (this.parts.recorder.trace.parallel.length === 0 || this.said.has(name)) return;
    this.said.add(name);
    const code = "mindspore/no-rule";
    const message = `how MindSpore splits what "${name}" does is not known here: its operators, and what is sent for them, are not MindSpore's`;
    context.report({ code, severity: "warning", message, span });
  }

  /** Whether a tensor, or one in a list, has an unknown shape. */
  private isOpen(value: Value): boolean {
    const tensor = this.parts.tensors.tensorOf(value);
    if (tensor !== undefined) return tensor.isUnknown === true || tensor.shape === undefined;
    const isList = value.kind === "tuple" || value.kind === "list";
    return isList && (itemsOf(value) ?? []).some((item) => this.isOpen(item));
  }
}

/** Name of the module from which functions written in Python import primitives. */
export const functionPrimitives = "mindspore._function_primitives";

/** Methods and attributes of tensors that leave no operator in the graph. */
const known: ReadonlySet<string> = new Set(
  [
    "T mT dim dtype ndim shape size numel name asnumpy item tolist itemsize nbytes has_init init",
    "init_data set_dtype is_contiguous contiguous data grad requires_grad param_info device slice_num",
    "is_parameter stub_sync flush_from_cache long float half int bool to type astype register_hook",
    "is_floating_point is_complex is_signed ndimension nelement strides stride value virtual_flag",
  ].flatMap((line) => line.split(" ")),
);
