import type { Span } from "#core/diagnostics";
import { library, parseDType } from "#core/ir";
import {
  type Argument,
  type ClassValue,
  type Context,
  type HostObject,
  type HostType,
  hostClass,
  type ModuleValue,
  type Value,
} from "#language/python";
import type { Recorder } from "../recorder.ts";
import { isBoolean } from "./boolean-tensors.ts";
import type { Boxes } from "./boxes.ts";
import { callFunction } from "./call-function.ts";
import { creators } from "./creators.ts";
import { extremeWord } from "./extremes.ts";
import { finfoWord } from "./finfo.ts";
import { isOtherCase, readAs } from "./misspelt.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { hostFunction, namespace } from "./namespace.ts";
import type { RegisteredWords } from "./registered.ts";
import { autogradTarget } from "./registered.ts";
import type { TensorWords } from "./tensors.ts";
import { TorchLayers, torchLayerParameters } from "./torch-layers.ts";
import { asEntryTakesThem } from "./torch-signatures.ts";
import { integer, none, text } from "./values.ts";

/** What the modules of torch are made of. */
export interface TorchParts {
  readonly recorder: Recorder;
  readonly tensors: TensorWords;
  readonly boxes: Boxes;
  readonly registered: RegisteredWords;
  readonly modules: ModuleClasses;
  /** Whether planners know a function by its path. */
  readonly knowsFunction: (path: string) => boolean;
}

/** `torch` and its submodules as Python modules. */
export class TorchWords {
  readonly autogradFunction: ClassValue;
  private readonly mode = modeClass();
  private readonly parts: TorchParts;
  private readonly layers: TorchLayers;
  private readonly compiledType: HostType;
  private readonly creators: ReadonlyMap<string, Value>;

  constructor(parts: TorchParts) {
    this.parts = parts;
    this.layers = new TorchLayers(parts.recorder, parts.tensors, parts.modules);
    this.creators = creators(parts.recorder, parts.tensors);
    this.compiledType = {
      name: "function",
      call: (self, args, context, span) => this.callCompiled(self, args, context, span),
      attribute: (self, name, context, span) => context.getAttribute(inside(self), name, span),
      text: () => "function",
    };
    this.autogradFunction = hostClass("Function", {
      apply: {
        kind: "classmethod",
        callee: hostFunction("apply", (args, context, span) =>
          this.applyFunction(args, context, span),
        ),
      },
    });
  }

  /** A module of torch by its dotted name. */
  module(name: string): ModuleValue | undefined {
    switch (name) {
      case "torch":
        return namespace(name, (attribute) => this.torchName(attribute));
      case "torch.nn":
        return { kind: "module", name, attribute: (...asked) => this.nnName(...asked) };
      case "torch.nn.functional":
      case "torch.special":
      case "torch.linalg":
        return namespace(name, (attribute) => this.function(`${name}.${attribute}`, attribute));
      case "torch.autograd":
      case "torch.autograd.function":
        return namespace(name, (attribute) =>
          attribute === "Function" ? this.autogradFunction : this.other(`${name}.${attribute}`),
        );
      case "torch.nn.init":
        return namespace(name, (attribute) =>
          hostFunction(attribute, ([first]) => first?.value ?? none),
        );
      default:
        return name.startsWith("torch.")
          ? namespace(name, (attribute) => this.other(`${name}.${attribute}`))
          : undefined;
    }
  }

  /** A function that makes a tensor out of a shape, by its name. */
  creator(name: string): Value | undefined {
    return this.creators.get(name);
  }

  /** The function inside `torch.compile(…)`. */
  compiled(value: Value): Value | undefined {
    return value.kind === "host" && value.type === this.compiledType ? inside(value) : undefined;
  }

  private torchName(name: string): Value | undefined {
    if (name === "Tensor") return hostFunction("torch.Tensor", ([first]) => first?.value ?? none);
    if (name === "compile") return this.compileWord();
    if (parseDType(name) !== undefined) return text(name);
    const created = this.creators.get(name);
    if (created !== undefined) return created;
    if (submodules.has(name)) return this.module(`torch.${name}`);
    if (modes.has(name)) return this.mode;
    if (name === "max" || name === "min") return extremeWord(this.parts.tensors, name, []);
    if (name === "finfo") return finfoWord;
    if (name === "hstack" || name === "vstack") return this.joining(name);
    return this.function(`torch.${name}`, name);
  }

  private nnName(name: string, context: Context, span: Span): Value | undefined {
    const { modules, recorder, tensors } = this.parts;
    if (name === "Module") return modules.module;
    if (name === "ModuleList") return modules.list;
    if (name === "Sequential") return modules.sequence;
    if (name === "Parameter") {
      return hostFunction(name, ([given], context, span) =>
        asParameter(recorder, tensors, given, context, span),
      );
    }
    if (name === "functional" || name === "init") return this.module(`torch.nn.${name}`);
    const layer = this.layers.class(name) ?? this.otherCase(name, context, span);
    return layer ?? this.other(`torch.nn.${name}`);
  }

  /** A layer whose name was written with other capital letters. */
  private otherCase(name: string, context: Context, span: Span): Value | undefined {
    const meant = [...torchLayerParameters.keys()].find((known) => isOtherCase(known, name));
    if (meant === undefined) return undefined;
    return readAs("torch.nn", name, meant, this.layers.class(meant), context, span);
  }

  /** A function of torch: an operator of the library, or a box of which nothing is known. */
  private function(path: string, name: string): Value {
    const entry = library.get(name);
    if (entry === undefined) return this.other(path);
    const { tensors, boxes, knowsFunction } = this.parts;
    const isKnown = knowsFunction(path);
    return hostFunction(name, (args, context, span) => {
      if (!isKnown) boxes.warn(path, context, span);
      const style = { op: name, reducesInside: false, ...(!isKnown && { isReplicated: true }) };
      const given = asEntryTakesThem(name, entry, args);
      const [first] = given;
      const isIdle = name === "dropout" && this.parts.recorder.isInBody && dropsNothing(given);
      if (isIdle && first !== undefined) return first.value;
      const mask = tensors.tensorOf(given.find((each) => each.name === "attn_mask")?.value);
      const said = mask !== undefined && isBoolean(mask) ? [{ ...booleanMask, span }] : [];
      return tensors.call(entry, style, [...given, ...said], context, span);
    });
  }

  /** `torch.hstack` and `torch.vstack`: `torch.cat` along the second or the first dim. */
  private joining(name: string): Value {
    const entry = library.get("concat");
    return hostFunction(name, ([list, ...rest], context, span) => {
      if (entry === undefined || list === undefined) return none;
      const dim = { name: "dim", value: integer(name === "hstack" ? 1 : 0), span };
      const style = { op: name, reducesInside: false };
      return this.parts.tensors.call(entry, style, [list, dim, ...rest], context, span);
    });
  }

  private other(path: string): Value {
    return this.parts.boxes.assumed(path);
  }

  /** `@torch.compile`, `@torch.compile(…)` and `torch.compile(function)`. */
  private compileWord(): Value {
    return hostFunction("compile", ([first]) => {
      const wrap = (value: Value): Value => ({
        kind: "host",
        type: this.compiledType,
        data: value,
      });
      if (first !== undefined && first.name === undefined) return wrap(first.value);
      return hostFunction("compile", ([target]) =>
        target === undefined ? none : wrap(target.value),
      );
    });
  }

  private callCompiled(
    self: HostObject,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const registered = this.parts.registered.of(self);
    if (registered !== undefined)
      return this.parts.registered.call(registered, args, context, span);
    const value = inside(self);
    if (value.kind === "function") {
      const at = value.span.to;
      const line = `\nnnscaler.register_op('* -> *')(${value.name})`;
      const isPlain = value.parameters.length === 1;
      context.report({
        code: "nnscaler/compiled-not-registered",
        severity: "warning",
        message: `"${value.name}" is compiled but not registered: nnScaler would trace into the compiler and fail; register it with register_op`,
        span: value.nameSpan,
        upstream: "RuntimeError",
        ...(isPlain && {
          fixes: [{ title: "Register it", edits: [{ from: at, to: at, text: line }] }],
        }),
      });
    }
    return context.call(value, args, span);
  }

  /** `MyFunction.apply(…)`: as it is registered, else replicated. */
  private applyFunction(args: readonly Argument[], context: Context, span: Span): Value {
    const [self, ...inputs] = args;
    const type = self?.value;
    if (type?.kind !== "class") return none;
    const registered = this.parts.registered.of(type);
    if (registered !== undefined)
      return this.parts.registered.call(registered, inputs, context, span);
    const { label, body } = autogradTarget(type, span);
    if (this.parts.recorder.isInBody && body.kind === "callable")
      return callFunction(body, inputs, context, span);
    return this.parts.boxes.call(label, inputs, context, span) ?? none;
  }
}

/** A dropout of 0, or outside of training, gives what it is given. */
function dropsNothing(args: readonly Argument[]): boolean {
  return args.some(({ name, value }) => {
    if (name === "_training") return value.kind === "bool" && !value.value;
    const isNumber = value.kind === "int" || value.kind === "float";
    return name === "p" && isNumber && Number(value.value) === 0;
  });
}

const booleanMask = { name: "is_boolean", value: { kind: "bool", value: true } } as const;

const submodules: ReadonlySet<string> = new Set([
  "nn",
  "autograd",
  "special",
  "linalg",
  "distributed",
  "cuda",
  "utils",
  "optim",
  "jit",
  "backends",
  "amp",
]);

/** Decorators and contexts that a graph ignores. */
const modes: ReadonlySet<string> = new Set([
  "no_grad",
  "enable_grad",
  "inference_mode",
  "autocast",
  "set_grad_enabled",
]);

/** `with torch.no_grad():` and `@torch.no_grad()`: what is inside stays as it is. */
function modeClass(): ClassValue {
  return hostClass("no_grad", {
    __init__: () => none,
    __enter__: () => none,
    __exit__: () => none,
    __call__: ([, target]) => target?.value ?? none,
  });
}

/** `nn.Parameter(data)`: the tensor that it is made of, as a parameter. */
function asParameter(
  recorder: Recorder,
  tensors: TensorWords,
  given: Argument | undefined,
  context: Context,
  span: Span,
): Value {
  const tensor = tensors.tensorOf(given?.value);
  if (tensor !== undefined && tensor.producer === undefined) {
    tensor.role = "parameter";
    return tensors.object(tensor);
  }
  const shape = tensor?.shape;
  const spec = { role: "parameter", shape, shapeStatus: "assumed" } as const;
  const made = recorder.leaf({ ...spec, dtype: "f32", dtypeText: "f32", span }, context);
  return tensors.object(made);
}

/** Only values of the compiled type come here. */
function inside(self: HostObject): Value {
  return self.data as Value;
}
