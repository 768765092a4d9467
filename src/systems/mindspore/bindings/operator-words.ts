import { library } from "#core/ir";
import { hostFunction, none } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { primitiveNamed } from "../emitted/primitive-name.ts";
import type { FunctionsOf } from "../functions/index.ts";
import { specOf } from "../primitives/index.ts";
import { foldedFunction } from "./folded.ts";
import { namedArguments, otherFunctions, rootArguments } from "./function-arguments.ts";
import { mindsporeLeaf } from "./leaf.ts";
import type { NetResults } from "./net-results.ts";
import type { MindsporeParts } from "./parts.ts";
import type { Primitives } from "./primitives.ts";
import { PythonFunctions } from "./python-functions.ts";
import { quietFunction } from "./quiet-function.ts";
import { signatureFault } from "./signatures.ts";

/**
 * The state of a running program that operator words depend on, and the events that they report.
 */
interface Running {
  /** Whether a net of the program is running. */
  readonly isRunning: () => boolean;
  /** Records that the text reads an attribute of a tensor. */
  readonly asked: (...asking: Parameters<NetResults["ask"]>) => void;
}

/** Primitives and functions: the names of `mindspore.ops`, `mindspore.mint` and `mindspore.numpy`. */
export class OperatorWords {
  private readonly parts: MindsporeParts;
  private readonly primitives: Primitives;
  private readonly asked: Running["asked"];
  /** Functions that are written in Python. */
  readonly functions: PythonFunctions;

  constructor(parts: MindsporeParts, primitives: Primitives, { isRunning, asked }: Running) {
    this.parts = parts;
    this.primitives = primitives;
    this.asked = asked;
    this.functions = new PythonFunctions(
      parts,
      primitives,
      (name) => this.operation(name),
      isRunning,
    );
  }

  /** Resolves a name of a module of operators; `undefined` if it is unknown. */
  word(module: string, name: string, context: Context): Value | undefined {
    const owner = functionsOf(module);
    return (
      this.primitives.class(name) ??
      checked(owner, name, this.function(owner, module, name, context))
    );
  }

  private function(
    owner: FunctionsOf | undefined,
    module: string,
    name: string,
    context: Context,
  ): Value | undefined {
    return (
      this.foldedFunction(name) ??
      (owner && this.written(owner, name, context)) ??
      (isGenerated(module) ? this.generated(name) : undefined) ??
      this.functions.unasked(owner, name, this.operation(name)) ??
      this.instance(name) ??
      (/_ext$/.test(name) ? this.generated(name) : undefined)
    );
  }

  /**
   * A function that is written in Python; `full_like` of `ops` also records that it reads its
   * operand's shape.
   */
  private written(owner: FunctionsOf, name: string, context: Context): Value | undefined {
    const found = this.functions.member(owner, name, context, () => this.operation(name));
    if (owner !== "ops" || name !== "full_like" || found === undefined) return found;
    // It reads only the shape and data type of its operand.
    return hostFunction(name, (args, inner, span) => {
      const tensor = args[0] && this.parts.tensors.tensorOf(args[0].value);
      if (tensor !== undefined) this.asked({ tensor, name: "shape", span });
      return inner.call(found, args, span);
    });
  }

  /** `add_ext`: a function that calls the primitive of the same name. */
  private generated(name: string): Value | undefined {
    if (!/^[a-z]\w*$/.test(name)) return undefined;
    const primitive = primitiveNamed(name);
    if (specOf(primitive) === undefined) return undefined;
    return hostFunction(name, (args, context, span) =>
      context.call(this.primitives.plain(primitive), args, span),
    );
  }

  /** `dropout_ext_op`: an instance of a primitive that MindSpore provides. */
  private instance(name: string): Value | undefined {
    const stem = /^([a-z][a-z0-9]*(?:_[a-z0-9]+)*)_op$/.exec(name)?.[1];
    return stem === undefined ? undefined : this.primitives.plain(primitiveNamed(stem));
  }

  /**
   * `ops.shape`: a function that leaves no operator in the graph; `ops.scalar_to_tensor` makes a
   * constant.
   */
  private foldedFunction(name: string): Value | undefined {
    const { recorder, tensors } = this.parts;
    if (name === "_get_cache_prim") return quietFunction(name);
    if (name === "scalar_to_tensor") return mindsporeLeaf(recorder, tensors, "input");
    const folded = foldedFunction(name);
    return folded && hostFunction(name, (...call) => folded(...call) ?? none);
  }

  /**
   * `ops.matmul`, `mint.add`: functions of the operator library, which take arguments as the
   * methods do.
   */
  private operation(name: string): Value | undefined {
    const entry = library.get(name);
    if (entry === undefined || otherFunctions.has(name)) return undefined;
    return hostFunction(name, (args, context, span) => {
      const rounding = args.find((argument) => argument.name === "rounding_mode");
      if (name === "div" && rounding !== undefined && rounding.value.kind !== "none") {
        return context.call(this.primitives.plain("DivMod"), args.map(asOperands), span);
      }
      const { tensors, opaque } = this.parts;
      const root = name === "rms_norm" ? rootArguments(args) : undefined;
      if (root !== undefined) {
        const primitive = this.primitives.make("RmsNorm", root.made, context, span, undefined);
        return context.call(primitive, root.called, span);
      }
      const named = namedArguments(name, args);
      const isOther =
        name === "einsum" ? hasDots(args) : name === "one_hot" && named.some(isOtherAxis);
      if (isOther) return context.call(opaque.assumed(`mindspore.ops.${name}`), args, span);
      const given = tensors.systems.argumentForms.asEntryTakesThem(name, entry, named);
      return tensors.call(entry, { op: name, reducesInside: true }, given, context, span);
    });
  }
}

/** A function of MindSpore that raises `TypeError` for arguments that its signature refuses. */
function checked(
  owner: FunctionsOf | undefined,
  name: string,
  found: Value | undefined,
): Value | undefined {
  if (owner === undefined || found?.kind !== "host-function") return found;
  const call = (...[args, context, span]: Parameters<typeof found.call>) => {
    const fault = signatureFault(owner, name, args);
    return fault === undefined
      ? found.call(args, context, span)
      : context.raise("TypeError", fault, span);
  };
  return { ...found, call };
}

/**
 * The family of functions that a module has; `undefined` for modules whose functions are not
 * written here.
 */
function functionsOf(module: string): FunctionsOf | undefined {
  const path = module.split(".");
  if (path[1] === "numpy") return "numpy";
  if (path[1] === "mint") return path.includes("functional") ? "functional" : "mint";
  return path[1] === "ops" && !isGenerated(module) ? "ops" : undefined;
}

/** An argument under the name that the primitive has for it. */
function asOperands(argument: Argument): Argument {
  const name = { input: "x", other: "y" }[argument.name ?? ""];
  return name === undefined ? argument : { ...argument, name };
}

/** Whether the equation of `einsum` has an ellipsis, which the library does not read. */
function hasDots([equation]: readonly Argument[]): boolean {
  return equation?.value.kind === "str" && equation.value.value.includes("...");
}

/** Whether `axis` of `one_hot` is not -1, the only axis of the library's function. */
function isOtherAxis({ name, value }: Argument): boolean {
  return name === "axis" && !(value.kind === "int" && value.value === -1n);
}

/** Whether a module's functions call the primitives of the same names. */
function isGenerated(module: string): boolean {
  return /\b(auto_generate|gen_ops_def)\b/.test(module);
}
