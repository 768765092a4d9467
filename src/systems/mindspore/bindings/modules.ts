import type { Diagnostic, Span } from "#core/diagnostics";
import { library, parseDType } from "#core/ir";
import { fieldOf } from "#core/records";
import { misspeltMember } from "#language/document/bindings";
import { hostFunction, integer, none, text } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type {
  Argument,
  ClassValue,
  Context,
  HostFunction,
  ModuleValue,
  Value,
} from "#language/python";
import { primitiveNamed } from "../emitted/primitive-name.ts";
import type { FunctionsOf } from "../functions/index.ts";
import { specOf } from "../primitives/index.ts";
import { optimizerWord } from "../training/optimizers.ts";
import { endTraining } from "../training/run-end.ts";
import { TrainingWords, trainingModule } from "../training/training-words.ts";
import { assignedParameter } from "./assigned-parameters.ts";
import { autoParallelWord } from "./auto-parallel.ts";
import { cellClass } from "./cell.ts";
import { executorWord } from "./executor.ts";
import { feed } from "./fed-batch.ts";
import { fileReader } from "./file-readers.ts";
import { foldedFunction } from "./folded.ts";
import { namedArguments, otherFunctions, rootArguments } from "./function-arguments.ts";
import { reshardWord, ShardedCells, type ShardParts, shardWord } from "./functional-shard.ts";
import { MindsporeLayers } from "./layers.ts";
import { dropData, initializerWord, mindsporeLeaf } from "./leaf.ts";
import { moduleKind } from "./module-names.ts";
import { NetResults } from "./net-results.ts";
import { ParallelContext } from "./parallel-context.ts";
import type { MindsporeParts } from "./parts.ts";
import { Primitives } from "./primitives.ts";
import { isMissing, publicNames, starredNames } from "./public-names.ts";
import { functionPrimitives, PythonFunctions } from "./python-functions.ts";
import { symbolWord } from "./symbol.ts";
import { dropUnread } from "./written-tensors.ts";

/** `mindspore`, `mindspore.nn`, `mindspore.ops`, `mindspore.mint` and `mindspore.parallel`. */
export class MindsporeBindings {
  private readonly parts: MindsporeParts;
  private readonly primitives: Primitives;
  private readonly layers: MindsporeLayers;
  /** Functions that are written in Python. */
  readonly functions: PythonFunctions;
  private readonly context: ParallelContext;
  private readonly cell: ClassValue;
  private readonly training: TrainingWords;
  private readonly shardParts: ShardParts;
  private readonly isRunning: () => boolean;
  /** Hears of an attribute of a tensor that the text asks for. */
  readonly asked: (...asking: Parameters<NetResults["ask"]>) => void;

  constructor(parts: MindsporeParts) {
    this.parts = parts;
    this.primitives = new Primitives({ ...parts, feeding: () => this.context.feeding() });
    this.functions = new PythonFunctions(
      parts,
      this.primitives,
      (name) => this.operation(name),
      () => this.isRunning(),
    );
    this.context = new ParallelContext(parts.recorder);
    this.training = new TrainingWords(parts);
    const { recorder, tensors } = parts;
    const say = (diagnostic: Diagnostic) => this.training.record.say(diagnostic);
    this.shardParts = { recorder, tensors, say };
    const sharded = new ShardedCells(this.shardParts);
    const results = new NetResults(recorder.trace, tensors);
    let running = 0;
    this.isRunning = () => running > 0;
    this.asked = (...asking) => {
      if (this.isRunning()) results.ask(...asking);
    };
    this.cell = cellClass(parts.modules, {
      fed: (args, context, span) => {
        const fault = this.context.compilingFault();
        if (fault !== undefined) context.raise("RuntimeError", fault, span);
        const feeding = this.context.feeding();
        if (feeding !== undefined) feed(feeding, args, parts.tensors, context, span);
      },
      called: (...call) => this.training.calls.note(...call),
      gave: (...call) => results.note(...call),
      isParameter: (value) => tensors.tensorOf(value)?.role === "parameter",
      recomputed: (cell) => this.training.record.recomputed.add(cell),
      sharded: (...call) => sharded.shard(...call),
      run: (cell, args, span, run) => {
        running++;
        if (cell.kind === "instance") results.ran.add(cell);
        try {
          return sharded.run(cell, args, span, run);
        } finally {
          running--;
        }
      },
    });
    parts.modules.hooks.keeper = (replacement, context) => {
      const primitive = () => this.primitives.plain("Assign");
      const tensorOf = (value: Value | undefined) => tensors.tensorOf(value);
      return assignedParameter(
        { tensorOf, isRunning: this.isRunning, primitive },
        replacement,
        context,
      );
    };
    this.layers = new MindsporeLayers(parts, this.primitives, this.cell, (name, context) =>
      this.training.word("mindspore.nn", name, context),
    );
  }

  /** A module by its dotted name. */
  module(name: string): ModuleValue | undefined {
    if (name === trainingModule) return this.training.module();
    if (name === functionPrimitives) return this.functions.primitives;
    const resolve = this.resolver(name);
    if (resolve === undefined) return undefined;
    const { primitives } = this;
    return {
      kind: "module",
      name,
      isWhole: publicNames(name).size > 0,
      // Hundreds, which few texts ask for.
      get names() {
        return starredNames(name, primitives);
      },
      attribute: (attribute, context, span) =>
        // The module of initializers, not the function of its name in it.
        (name === "mindspore.common" && attribute === "initializer"
          ? this.module(`${name}.${attribute}`)
          : undefined) ??
        this.training.word(name, attribute, context) ??
        (isMissing(name, attribute)
          ? this.missing(name, attribute, context, span)
          : resolve(attribute, context)) ??
        this.module(`${name}.${attribute}`),
    };
  }

  /** `a, b = x` in `construct` is `x[0], x[1]`, however many rows there are. */
  unpacked(
    tensor: TracedTensor,
    self: Value,
    count: number,
    context: Context,
    span: Span,
  ): readonly Value[] | undefined {
    if (!this.isRunning()) return undefined;
    const places = Array.from({ length: count }, (_, at) => integer(at));
    const parts = places.map((place) => this.functions.item(tensor, self, place, context, span));
    const known = parts.filter((part) => part !== undefined);
    return known.length === count ? known : undefined;
  }

  /** Takes out of a program that has ended what is no part of it, and draws the step that it trains. */
  release(source: string): void {
    const { trace } = this.parts.recorder;
    this.context.sayMode(source);
    dropData(trace);
    dropUnread(trace);
    endTraining(this.training.record, trace);
  }

  /**
   * A name that 2.10 does not have: a slip of one that it has, or its AttributeError, after which
   * nothing is known of it. Where the text catches that, it is raised.
   */
  private missing(owner: string, name: string, context: Context, span: Span): Value | undefined {
    if (context.isGuarded) return undefined;
    const resolve = this.resolver(owner);
    // A primitive that other modules have is no slip of another.
    const meant =
      resolve &&
      !this.primitives.names().includes(name) &&
      misspeltMember(
        owner,
        name,
        publicNames(owner),
        (each) => resolve(each, context),
        context,
        span,
      );
    if (meant !== undefined && meant !== false) return meant;
    if (asking.test(context.source.slice(span.from, span.to))) return undefined;
    const isImport = importing.test(context.source.slice(0, span.from));
    const raised = isImport
      ? `cannot import name '${name}' from '${owner}'`
      : `module '${owner}' has no attribute '${name}'`;
    const message = `${raised} in MindSpore 2.10: nothing is known of it`;
    const upstream = isImport ? "ImportError" : "AttributeError";
    context.report({ ...missingName, message, span, upstream });
    return this.parts.opaque.assumed(`${owner}.${name}`, { isUndefined: true });
  }

  private resolver(name: string): Resolve | undefined {
    if (name === "mindspore") return (attribute) => this.topName(attribute);
    const kind = moduleKind(name);
    if (kind === "layers") {
      return (attribute) =>
        attribute === "Cell"
          ? this.cell
          : (this.layers.class(attribute, name) ??
            optimizerWord(this.parts, this.primitives, this.training.record, attribute, () =>
              this.context.optimizerFault(),
            ) ??
            this.unknown(name, attribute));
    }
    if (kind === "operators") {
      const owner = functionsOf(name);
      return (attribute, context) =>
        this.primitives.class(attribute) ??
        this.foldedFunction(attribute) ??
        (owner && this.written(owner, attribute, context)) ??
        (isGenerated(name) ? this.generated(attribute) : undefined) ??
        this.functions.unasked(owner, attribute, this.operation(attribute)) ??
        this.instance(attribute) ??
        (/_ext$/.test(attribute) ? this.generated(attribute) : undefined) ??
        this.unknown(name, attribute);
    }
    if (kind === undefined) return undefined;
    if (name === "mindspore._checkparam")
      return (attribute) =>
        attribute === "Validator" ? this.module(name) : quietFunction(attribute);
    const isParallel = name.startsWith("mindspore.parallel");
    return (attribute) =>
      (isParallel ? this.parallelName(attribute) : undefined) ??
      executorWord(attribute, (asked) => this.parts.opaque.assumed(`${name}.${asked}`)) ??
      this.sharedName(attribute) ??
      this.unknown(name, attribute, { isUnsaid: true });
  }

  /** A function that is written in Python; of what nobody knows the shape the library's own. */
  private written(owner: FunctionsOf, name: string, context: Context): Value | undefined {
    const found = this.functions.member(owner, name, context, () => this.operation(name));
    if (owner !== "ops" || name !== "full_like" || found === undefined) return found;
    // It takes a shape and a data type of its operand, and reads nothing of it.
    return hostFunction(name, (args, inner, span) => {
      const tensor = args[0] && this.parts.tensors.tensorOf(args[0].value);
      if (tensor !== undefined) this.asked({ tensor, name: "shape", span });
      return inner.call(found, args, span);
    });
  }

  /** What MindSpore may have and this reading does not: an operator that is drawn whole. */
  private unknown(
    owner: string,
    name: string,
    ways: { readonly isUnsaid?: boolean } = {},
  ): Value | undefined {
    const isModule = this.resolver(`${owner}.${name}`) !== undefined;
    return isModule ? undefined : this.parts.opaque.assumed(`${owner}.${name}`, ways);
  }

  private topName(name: string): Value | undefined {
    const known = this.sharedName(name) ?? this.module(`mindspore.${name}`);
    if (known !== undefined || !publicNames("mindspore").has(name)) return known;
    return this.parts.opaque.assumed(`mindspore.${name}`);
  }

  /** What several modules of MindSpore offer. */
  private sharedName(name: string): Value | undefined {
    const { recorder, tensors, layout } = this.parts;
    switch (name) {
      case "Layout":
        return layout;
      case "shard":
        return shardWord(this.shardParts);
      case "Tensor":
        return mindsporeLeaf(recorder, tensors, "input");
      case "Parameter":
        return mindsporeLeaf(recorder, tensors, "parameter");
      case "initializer":
        return initializerWord(recorder, tensors);
      case "Symbol":
        return symbolWord();
      case "jit":
      case "lazy_inline":
      case "sync_pipeline_shared_parameters":
      case "ms_function":
      case "set_seed":
        return quietFunction(name);
      default:
        return (
          constant(name) ??
          this.context.word(name) ??
          fileReader(name, (asked) => this.parts.opaque.assumed(asked))
        );
    }
  }

  private parallelName(name: string): Value | undefined {
    const { recorder, tensors } = this.parts;
    if (name === "reshard") return reshardWord(tensors);
    return name === "AutoParallel" ? autoParallelWord(recorder, tensors) : undefined;
  }

  /** `add_ext`: a function that calls the primitive of its name. */
  private generated(name: string): Value | undefined {
    if (!/^[a-z]\w*$/.test(name)) return undefined;
    const primitive = primitiveNamed(name);
    if (specOf(primitive) === undefined) return undefined;
    return hostFunction(name, (args, context, span) =>
      context.call(this.primitives.plain(primitive), args, span),
    );
  }

  /** `dropout_ext_op`: a primitive that is made already. */
  private instance(name: string): Value | undefined {
    const stem = /^([a-z][a-z0-9]*(?:_[a-z0-9]+)*)_op$/.exec(name)?.[1];
    return stem === undefined ? undefined : this.primitives.plain(primitiveNamed(stem));
  }

  /** `ops.shape`: a function of which no operator is left; `ops.scalar_to_tensor` makes a constant. */
  private foldedFunction(name: string): Value | undefined {
    const { recorder, tensors } = this.parts;
    if (name === "_get_cache_prim") return quietFunction(name);
    if (name === "scalar_to_tensor") return mindsporeLeaf(recorder, tensors, "input");
    const folded = foldedFunction(name);
    return folded && hostFunction(name, (...call) => folded(...call) ?? none);
  }

  /** `ops.matmul`, `mint.add`: functions of the library, which take arguments as methods do. */
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

type Resolve = (attribute: string, context: Context) => Value | undefined;

/** The text in front of a name that an import names: the names may stand in brackets over several lines. */
const importing = /\bfrom[ \t]+[\w.]+[ \t]+import(?:[ \t]*\([^()]*|[^()\n]*)$/u;

/** A call that asks whether there is such a name. */
const asking = /^(?:hasattr\b|getattr\s*\([^,]*,[^,]*,)/u;

const missingName = {
  code: "mindspore/missing-name",
  severity: "warning",
} as const;

/** Whose functions a module has; `undefined` where they are none that are written here. */
function functionsOf(module: string): FunctionsOf | undefined {
  const path = module.split(".");
  if (path[1] === "numpy") return "numpy";
  if (path[1] === "mint") return path.includes("functional") ? "functional" : "mint";
  return path[1] === "ops" && !isGenerated(module) ? "ops" : undefined;
}

/** The operands of a function by the names that its primitive has for them. */
function asOperands(argument: Argument): Argument {
  const name = { input: "x", other: "y" }[argument.name ?? ""];
  return name === undefined ? argument : { ...argument, name };
}

/** Dots of `einsum`, which the library does not read. */
function hasDots([equation]: readonly Argument[]): boolean {
  return equation?.value.kind === "str" && equation.value.value.includes("...");
}

/** An axis of `one_hot` that is not said to be the last, where the library's classes stand. */
function isOtherAxis({ name, value }: Argument): boolean {
  return name === "axis" && !(value.kind === "int" && value.value === -1n);
}

/** Whether a module's functions call the primitives of their names. */
function isGenerated(module: string): boolean {
  return /\b(auto_generate|gen_ops_def)\b/.test(module);
}

/** A function that gives its first argument; called with words alone it is a decorator that changes nothing. */
function quietFunction(name: string): HostFunction {
  return hostFunction(name, ([first]) =>
    first?.name === undefined ? (first?.value ?? none) : hostFunction(name, itself),
  );
}

function itself([first]: readonly Argument[]): Value {
  return first?.value ?? none;
}

/** Values of `mindspore` that are neither operators nor modules: data types by their names. */
function constant(name: string): Value | undefined {
  if (parseDType(name) !== undefined || otherTypes.has(name)) return text(name);
  const number = fieldOf(numbers, name);
  return number === undefined ? undefined : integer(number);
}

/** Modes and levels of the context. */
const numbers: Readonly<Record<string, number>> = {
  ...{ GRAPH_MODE: 0, PYNATIVE_MODE: 1, RELEASE: 0, DEBUG: 1 },
  ...{ STRICT: 0, COMPATIBLE: 1, LAX: 2 },
};

/** Data types of MindSpore for which a graph has none of its own. */
const otherTypes: ReadonlySet<string> = new Set([
  ...["bool_", "uint16", "uint32", "uint64", "int4", "complex64", "complex128", "qint4x2"],
  ...["float8_e4m3fn", "float8_e5m2", "hifloat8", "number", "int_", "uint", "float_", "string"],
]);
