import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import {
  isBoolean,
  type ModuleClasses,
  needsShapes,
  type OpaqueOperators,
  type RegisteredOperators,
  requireKeywords,
  sayComplex,
  type TensorBindings,
  typedAs,
} from "#language/document/bindings";
import { bindArguments, hostFunction, integer, none } from "#language/document/bindings/values";
import { certainSizes, provisional, type Recorder } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";
import { keywordsOf } from "./accepted-keywords.ts";
import { boundFault, callFault } from "./call-faults.ts";
import { asEntryTakesThem } from "./entry-arguments.ts";
import { matrixFault } from "./matrix-faults.ts";
import { noteWrites, type PythonLibraries } from "./python-libraries.ts";
import { named } from "./result-fields.ts";
import { usualNames } from "./signatures.ts";
import type { TorchSettings } from "./torch-settings.ts";

/** The parts of a run that the modules of torch share. */
export interface TorchParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly registered: RegisteredOperators;
  readonly modules: ModuleClasses;
  /** Whether planners know a function by its path. */
  readonly knowsFunction: (path: string) => boolean;
}

/** The parts that torch's functions use, and `other`, which makes an unknown value. */
interface FunctionParts
  extends Pick<TorchParts, "recorder" | "tensors" | "opaque" | "knowsFunction"> {
  readonly settings: TorchSettings;
  readonly libraries: PythonLibraries;
  readonly other: (path: string) => Value;
}

/** Modules whose functions have forms that are known. */
const callables: ReadonlyMap<string, "function" | "functional"> = new Map([
  ["torch", "function"],
  ["torch.nn.functional", "functional"],
]);

/** The functions of `torch`, `torch.nn.functional` and their like: operators, or written in Python here. */
export class TorchFunctions {
  private readonly parts: FunctionParts;

  constructor(parts: FunctionParts) {
    this.parts = parts;
  }

  /**
   * A function of a torch module: an operator of the library, an operator known by its shapes, or
   * an unknown one. It refuses arguments that PyTorch refuses.
   */
  in(module: string, name: string, context: Context): Value {
    return this.checked(module, name, this.named(module, name, context));
  }

  /** A function of a module that refuses what PyTorch refuses. */
  checked(module: string, name: string, found: Value): Value {
    const how = callables.get(module);
    if (module === "torch.linalg") return this.ofMatrices(name, found);
    if (how === undefined || (found.kind !== "host-function" && found.kind !== "function"))
      return found;
    return hostFunction(name, (written, inner, span) => {
      // The library's own texts know what they call, and hand on the numbers that they are given.
      if (span.from < 0) {
        const fault = boundFault([name, how], written, this.parts.tensors);
        return fault ? inner.raise(...fault, span) : inner.call(found, written, span);
      }
      const args = usualNames(name, how, written);
      const refused = callFault(name, how, args, this.parts.tensors);
      if (refused !== undefined) return inner.raise(...refused, span);
      const made = inner.call(this.spread(name, args, inner) ?? found, args, span);
      const asked = args.find((each) => each.name === "requires_grad")?.value;
      if (asked !== undefined && made.kind === "host" && this.parts.tensors.tensorOf(made))
        this.parts.tensors.setExtra(made, "requires_grad", asked);
      return made;
    });
  }

  /** Attention whose batches or heads are broadcast, which the operator of the library does not do. */
  private spread(name: string, args: readonly Argument[], context: Context): Value | undefined {
    if (name !== "scaled_dot_product_attention") return undefined;
    const gqa = args.find((each) => each.name === "enable_gqa")?.value;
    const isGrouped = gqa?.kind === "bool" && gqa.value;
    if (gqa !== undefined && gqa.kind !== "bool") return undefined;
    const { bound } = bindArguments(["query", "key", "value"], args);
    const leads = ["query", "key", "value"].map((each) =>
      certainSizes(this.parts.tensors.tensorOf(bound.get(each)?.value))?.slice(0, -2),
    );
    const [first, keys, values] = leads;
    if (isGrouped) {
      const isUsual = first?.length === 2 && keys?.[0] === first[0];
      if (leads.includes(undefined) || (isUsual && keys?.join() === values?.join()))
        return undefined;
      return this.parts.libraries.member("torch.nn.functional", "grouped_attention", context);
    }
    if (leads.every((each) => each === undefined || each.join() === first?.join()))
      return undefined;
    return this.parts.libraries.member("torch.nn.functional", "broadcast_attention", context);
  }

  /** A function of `torch.linalg`, which may want square matrices. */
  private ofMatrices(name: string, found: Value): Value {
    return hostFunction(name, (args, inner, span) => {
      const shape = certainSizes(this.parts.tensors.tensorOf(args[0]?.value));
      const refused = span.from < 0 ? undefined : matrixFault(name, shape);
      if (refused !== undefined) return inner.raise(...refused, span);
      return inner.call(found, args, span);
    });
  }

  /** A function of a module; of one in place it is noted what it writes into. */
  private named(module: string, name: string, context: Context): Value {
    const found = this.found(module, name, context);
    if (!/[a-z0-9]_$/u.test(name)) return found;
    return hostFunction(name, (args, inner, span) => {
      noteWrites(this.parts.tensors, name, args);
      return inner.call(found, args, span);
    });
  }

  private found(module: string, name: string, context: Context): Value {
    const path = `${module}.${name}`;
    // The layer of images calls its own, since planners may know the layer and not the function.
    if (path === "torch.nn.functional._instance_norm2d")
      return this.operator(path, "instance_norm");
    if (module === "torch.fft") return this.fourier(path, name, context);
    const plain = library.has(name) ? undefined : name.replace(/([a-z0-9])_$/, "$1");
    if (plain !== undefined && plain !== name && library.has(plain))
      return this.operator(path, plain);
    const homes = [module, "torch", "torch.nn.functional"];
    const home = homes.find((each) => this.parts.libraries.has(each, plain ?? name));
    const shaped = () =>
      home === undefined ? undefined : this.parts.libraries.member(home, plain ?? name, context);
    if (!library.has(name)) return this.warned(path, shaped()) ?? this.parts.other(path);
    const own = this.operator(path, name);
    if (home === undefined) return own;
    return hostFunction(name, (args, inner, span) => {
      const other = needsShapes(name, args, (value) => this.sizesOf(value)) ? shaped() : undefined;
      return inner.call(other ?? own, args, span);
    });
  }

  private sizesOf(value: Value | undefined): readonly number[] | undefined {
    return this.parts.tensors.tensorOf(value)?.shape?.map(provisional);
  }

  /** A function of `torch.fft`, of which some give what is complex. */
  private fourier(path: string, name: string, context: Context): Value {
    const member = this.parts.libraries.member("torch.fft", name, context);
    if (member === undefined) return this.parts.other(path);
    return hostFunction(name, (args, inner, span) => {
      if (!/^(irfft|hfft|istft|i?fftshift|r?fftfreq)/.test(name))
        sayComplex(`fft.${name}`, inner, span);
      return inner.call(this.warned(path, member) ?? member, args, span);
    });
  }

  /** A function that planners may not know says so where it is called. */
  private warned(path: string, value: Value | undefined): Value | undefined {
    const { opaque, knowsFunction } = this.parts;
    if (value === undefined || knowsFunction(path) || value.kind === "str") return value;
    return hostFunction(path.split(".").at(-1) ?? path, (args, context, span) => {
      if (span.from >= 0) opaque.warn(path, context, span);
      return context.call(value, args, span);
    });
  }

  /** A function of torch as an operator of the library, or as a box of unknown contents. */
  operator(path: string, name: string): Value {
    const entry = library.get(name);
    if (entry === undefined) return this.parts.other(path);
    const { tensors, opaque, knowsFunction } = this.parts;
    const isLayer = path.endsWith("._instance_norm2d");
    const isKnown = knowsFunction(path);
    const accepted = [...(keywordsOf(name) ?? []), ...entry.parameters];
    const isNative = !path.startsWith("torch.nn.");
    const inTorch = path.slice("torch.".length);
    return hostFunction(name, (written, context, span) => {
      const isOfText = isNative && span.from >= 0;
      const args = isOfText ? usualNames(inTorch, "function", written, accepted) : written;
      if (!isKnown && !isLayer) opaque.warn(path, context, span);
      const style = {
        ...{ op: name, reducesInside: false },
        ...(!isLayer && { path }),
        ...(!isKnown && { isReplicated: true }),
      };
      requireKeywords(name, entry, keywordsOf(name), args, context);
      const given = asEntryTakesThem(name, entry, args);
      this.parts.settings.say(name, given, context);
      noteWrites(tensors, name, args);
      const [first] = given;
      const isIdle = name === "dropout" && dropsNothing(given);
      if (isIdle && this.parts.recorder.isInBody && first !== undefined) return first.value;
      const mask = tensors.tensorOf(given.find((each) => each.name === "attn_mask")?.value);
      const said = mask !== undefined && isBoolean(mask) ? [{ ...booleanMask, span }] : [];
      const learnt = name === "batch_norm" ? withStatistics(given) : undefined;
      const known = learnt && library.get("batch_norm_with_statistics");
      const idle = isIdle
        ? [...given.filter((each) => each.name !== "p"), zeroDropped(span)]
        : given;
      const operands = [...(learnt ?? idle), ...said];
      const made = tensors.call(known ?? entry, style, operands, context, span);
      return named(path, typedAs(tensors, given, made));
    });
  }

  /** `torch.hstack` and `torch.vstack`: `torch.cat` along the second or the first dim. */
  joining(name: string): Value {
    const entry = library.get("concat");
    return hostFunction(name, ([list, ...rest], context, span) => {
      if (entry === undefined || list === undefined) return none;
      const dim = { name: "dim", value: integer(name === "hstack" ? 1 : 0), span };
      const style = { op: name, reducesInside: false };
      return this.parts.tensors.call(entry, style, [list, dim, ...rest], context, span);
    });
  }
}

/** The arguments of a norm outside of training, which takes the statistics that it is given. */
function withStatistics(args: readonly Argument[]): readonly Argument[] | undefined {
  const named = (wanted: string) => args.find(({ name }) => name === wanted);
  const training = named("_training")?.value;
  const isTraining = training !== undefined && !(training.kind === "bool" && !training.value);
  if (isTraining || named("_running_mean") === undefined) return undefined;
  return args.map((each) => {
    if (each.name === "_running_mean") return { ...each, name: "mean" };
    return each.name === "_running_var" ? { ...each, name: "variance" } : each;
  });
}

/** A dropout of 0, or outside of training, gives what it is given. */
function dropsNothing(args: readonly Argument[]): boolean {
  return args.some(({ name, value }) => {
    if (name === "_training") return value.kind === "bool" && !value.value;
    const isNumber = value.kind === "int" || value.kind === "float";
    return name === "p" && isNumber && Number(value.value) === 0;
  });
}

/** The argument `p=0` of a dropout outside training. */
function zeroDropped(span: Span): Argument {
  return { name: "p", value: integer(0), span };
}

const booleanMask = { name: "is_boolean", value: { kind: "bool", value: true } } as const;
