import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import {
  type Context,
  type HostFunction,
  hostClass,
  type ModuleValue,
  type Value,
} from "#language/python";
import type { MindsporeWords } from "./mindspore.ts";
import type { RegisteredWords } from "./registered.ts";
import type { TensorWords } from "./tensors.ts";
import { none, text } from "./values.ts";

/** Names by which programs commonly know a module, read when nothing imported them. */
const usualNames: Readonly<Record<string, string>> = {
  torch: "torch",
  nnscaler: "nnscaler",
  mindspore: "mindspore",
  F: "torch.nn.functional",
};

/** Operators that Python calls functions of its own by: `torch.sum(x)`, but `sum([1, 2])`. */
const pythonFunctions: ReadonlySet<string> = new Set(["abs", "float", "pow", "slice", "sum"]);

/** The modules that a program may import, and lenient readings of what it forgot to import. */
export class Modules {
  private readonly tensors: TensorWords;
  private readonly registered: RegisteredWords;
  private readonly mindspore: MindsporeWords;
  private readonly torchModule = hostClass("Module", { __init__: () => none });

  constructor(tensors: TensorWords, registered: RegisteredWords, mindspore: MindsporeWords) {
    this.tensors = tensors;
    this.registered = registered;
    this.mindspore = mindspore;
  }

  /** The library by plain names: `matmul(x, w)`; Python's own functions keep theirs. */
  functions(): ReadonlyMap<string, Value> {
    const names = [...library.keys()].filter((name) => !pythonFunctions.has(name));
    return new Map(names.map((name) => [name, this.operation(name) ?? none]));
  }

  import(name: string, span: Span, context: Context): Value {
    const known = this.known(name);
    if (known !== undefined) return known;
    context.report({
      code: "document/unknown-module",
      severity: "warning",
      message: `the module "${name}" is not known here: what it offers is left out`,
      span,
      upstream: "ModuleNotFoundError",
    });
    return opaque(name);
  }

  /** A name that the program uses without having bound it. */
  undefinedName(name: string, span: Span, context: Context): Value | undefined {
    const module = usualNames[name];
    const value = module === undefined ? undefined : this.known(module);
    if (value === undefined || module === undefined) return undefined;
    const statement = name === "F" ? "import torch.nn.functional as F" : `import ${name}`;
    context.report({
      code: "document/missing-import",
      severity: "warning",
      message: `"${name}" is used without an import: read as ${module}`,
      span,
      upstream: "NameError",
      fixes: [{ title: `Write ${statement}`, edits: [{ from: 0, to: 0, text: `${statement}\n` }] }],
    });
    return value;
  }

  private known(name: string): ModuleValue | undefined {
    if (name === "nnscaler") return this.nnscaler();
    if (name === "math") return undefined;
    return this.torch(name) ?? this.mindspore.module(name);
  }

  private torch(name: string): ModuleValue | undefined {
    switch (name) {
      case "torch":
        return namespace(
          name,
          (attribute) => this.torch(`torch.${attribute}`) ?? this.torchName(attribute),
        );
      case "torch.nn":
        return namespace(name, (attribute) =>
          attribute === "Module" ? this.torchModule : this.torch(`torch.nn.${attribute}`),
        );
      case "torch.nn.functional":
        return namespace(name, (attribute) => this.operation(attribute));
      default:
        return undefined;
    }
  }

  private torchName(name: string): Value | undefined {
    if (name === "Tensor") return text("torch.Tensor");
    return this.operation(name === "mm" || name === "bmm" ? "matmul" : name);
  }

  private nnscaler(): ModuleValue {
    const registerOp: HostFunction = {
      kind: "host-function",
      name: "register_op",
      call: (args, context, span) => this.registered.registerOp(args, context, span),
    };
    return namespace("nnscaler", (name) => (name === "register_op" ? registerOp : undefined));
  }

  private operation(name: string): HostFunction | undefined {
    const entry = library.get(name);
    if (entry === undefined) return undefined;
    return {
      kind: "host-function",
      name,
      call: (args, context, span) =>
        this.tensors.call(entry, { op: name, reducesInside: false }, args, context, span),
    };
  }
}

function namespace(name: string, attribute: (name: string) => Value | undefined): ModuleValue {
  return { kind: "module", name, attribute };
}

/** A module of which nothing is known; whatever depends on it stays silent. */
function opaque(name: string): ModuleValue {
  return namespace(name, () => ({ kind: "unknown" }));
}
