import type { Diagnostic, Span } from "#core/diagnostics";
import { misspeltMember } from "#language/document/bindings";
import { integer } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { ClassValue, Context, ModuleValue, Value } from "#language/python";
import { optimizerWord } from "../training/optimizers.ts";
import { endTraining } from "../training/run-end.ts";
import { TrainingWords, trainingModule } from "../training/training-words.ts";
import { assignedParameter } from "./assigned-parameters.ts";
import { autoParallelWord } from "./auto-parallel.ts";
import { cellClass } from "./cell.ts";
import { executorWord } from "./executor.ts";
import { feed } from "./fed-batch.ts";
import { fileReader } from "./file-readers.ts";
import { FloatCells } from "./float-cells.ts";
import { reshardWord, ShardedCells, type ShardParts, shardWord } from "./functional-shard.ts";
import { MindsporeLayers } from "./layers.ts";
import { dropData, initializerWord, mindsporeLeaf } from "./leaf.ts";
import { moduleKind } from "./module-names.ts";
import { namedConstant } from "./named-constants.ts";
import { NetResults } from "./net-results.ts";
import { OperatorWords } from "./operator-words.ts";
import { ParallelContext } from "./parallel-context.ts";
import type { MindsporeParts } from "./parts.ts";
import { Primitives } from "./primitives.ts";
import { isMissing, publicNames, starredNames } from "./public-names.ts";
import { functionPrimitives, type PythonFunctions } from "./python-functions.ts";
import { quietFunction } from "./quiet-function.ts";
import { symbolWord } from "./symbol.ts";
import { dropUnread } from "./written-tensors.ts";

/** `mindspore`, `mindspore.nn`, `mindspore.ops`, `mindspore.mint` and `mindspore.parallel`. */
export class MindsporeBindings {
  private readonly parts: MindsporeParts;
  private readonly primitives: Primitives;
  private readonly layers: MindsporeLayers;
  private readonly operators: OperatorWords;
  /** Functions that are written in Python. */
  readonly functions: PythonFunctions;
  private readonly context: ParallelContext;
  private readonly cell: ClassValue;
  private readonly training: TrainingWords;
  private readonly shardParts: ShardParts;
  private readonly isRunning: () => boolean;
  /** Records that the text reads an attribute of a tensor, if a net is running. */
  readonly asked: (...asking: Parameters<NetResults["ask"]>) => void;

  constructor(parts: MindsporeParts) {
    this.parts = parts;
    this.primitives = new Primitives({ ...parts, feeding: () => this.context.feeding() });
    this.operators = new OperatorWords(parts, this.primitives, {
      isRunning: () => this.isRunning(),
      asked: (...asking) => this.asked(...asking),
    });
    this.functions = this.operators.functions;
    this.context = new ParallelContext(parts.recorder, (name) => parts.opaque.assumed(name));
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
    const floats = new FloatCells({ tensors, cast: () => this.primitives.plain("Cast") });
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
      floats,
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
    this.layers = new MindsporeLayers(
      parts,
      this.primitives,
      [this.cell, floats],
      (name, context) => this.training.word("mindspore.nn", name, context),
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
      // A getter, since there are hundreds of names and few texts need them.
      get names() {
        return starredNames(name, primitives);
      },
      attribute: (attribute, context, span) =>
        // `initializer` of this module is the inner module, not the function of the same name.
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

  /**
   * `a, b = x` in `construct` is `x[0], x[1]`, whatever the length of dim 0; `undefined` outside of
   * a net.
   */
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

  /**
   * Ends a run: drops data computations and unread loads from the trace, and adds the training
   * step.
   */
  release(source: string): void {
    const { recorder, tensors } = this.parts;
    const { trace } = recorder;
    this.context.sayMode(source);
    dropData(trace);
    dropUnread(trace);
    for (const each of trace.tensors)
      if (each.role === "parameter" && tensors.isOff(tensors.object(each))) each.isFrozen = true;
    endTraining(this.training.record, trace, source);
  }

  /**
   * Resolves a name that 2.10 lacks: as the similar name that it has, with a warning, or as an
   * assumed value with 2.10's error reported. Inside a `try` that catches the error, `undefined`,
   * so that it is raised.
   */
  private missing(owner: string, name: string, context: Context, span: Span): Value | undefined {
    if (context.isGuarded) return undefined;
    const resolve = this.resolver(owner);
    // A primitive's name that this module lacks is no misspelling.
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
    if (kind === "operators")
      return (attribute, context) =>
        this.operators.word(name, attribute, context) ?? this.unknown(name, attribute);
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

  /**
   * An assumed value for a name that MindSpore may have and that is not read here; `undefined` for
   * modules.
   */
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

  /** Names that several modules of MindSpore offer. */
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
          namedConstant(name) ??
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
}

type Resolve = (attribute: string, context: Context) => Value | undefined;

/**
 * Matches text that ends right before a name in an import; the names may stand in brackets over
 * several lines.
 */
const importing = /\bfrom[ \t]+[\w.]+[ \t]+import(?:[ \t]*\([^()]*|[^()\n]*)$/u;

/** Matches a call that tests whether a name exists. */
const asking = /^(?:hasattr\b|getattr\s*\([^,]*,[^,]*,)/u;

const missingName = {
  code: "mindspore/missing-name",
  severity: "warning",
} as const;
