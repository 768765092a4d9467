import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { extremeWord, readAs, sayComplex } from "#language/document/bindings";
import { longDType } from "#language/document/bindings/types";
import { passedOn, text } from "#language/document/bindings/values";
import type { Context, ModuleValue, Value } from "#language/python";
import { ParallelWords } from "../parallel/parallel-words.ts";
import { TrainingRecord } from "../training/record.ts";
import { isAbsent, isNoModule } from "./absent-names.ts";
import { inTraces, ofSchema, operatorsOfTorch } from "./aten-operators.ts";
import { Autocast } from "./autocast.ts";
import { creators } from "./creators.ts";
import { deviceWord } from "./device.ts";
import { finfoWord, iinfoWord } from "./finfo.ts";
import { FunctionWrappers } from "./function-wrappers.ts";
import { GradientModes } from "./gradient-modes.ts";
import { initModule } from "./init-words.ts";
import { LayerNames, type NameParts } from "./layer-names.ts";
import { MatmulPrecision } from "./matmul-precision.ts";
import { PythonLibraries } from "./python-libraries.ts";
import { tensorWord } from "./tensor-word.ts";
import { TorchFunctions, type TorchParts } from "./torch-functions.ts";
import { TorchLayers } from "./torch-layers.ts";
import {
  codedReductions,
  complexMakers,
  complexTypes,
  modes,
  packageHome,
  packageModules,
  submodules,
  tensorTypes,
  torchVersion,
} from "./torch-names.ts";
import { TorchSettings } from "./torch-settings.ts";
import { TorchTypes } from "./torch-types.ts";
import { constants, sizeWord, utilities } from "./torch-utilities.ts";
import { UtilityNames } from "./utility-names.ts";
import { modeWord, wrapperWord } from "./wrapping-words.ts";

/** `torch` and its submodules as Python modules. */
export class TorchBindings {
  private readonly classes = new Map<string, Value>();
  private readonly parts: TorchParts;
  /** Unknown names, by path; they may be registered later. */
  private readonly others = new Map<string, Value>();
  private readonly creators: ReadonlyMap<string, Value>;
  readonly libraries: PythonLibraries;
  readonly wrappers: FunctionWrappers;
  readonly parallel: ParallelWords;
  readonly training = new TrainingRecord();
  private readonly functions: TorchFunctions;
  private readonly types: TorchTypes;
  private readonly autocast: Autocast;
  private readonly layerNames: LayerNames;
  private readonly utilities: UtilityNames;
  private readonly gradients: GradientModes;
  private readonly precision: MatmulPrecision;

  constructor(parts: TorchParts) {
    this.parts = parts;
    this.types = new TorchTypes(parts.tensors);
    this.autocast = new Autocast(parts.tensors);
    this.gradients = new GradientModes(parts.recorder);
    this.precision = new MatmulPrecision(parts.recorder);
    const settings = new TorchSettings();
    const layers = new TorchLayers({
      ...{ ...parts, settings },
      member: (name, context) => this.libraries.member("torch.nn", name, context),
    });
    this.libraries = new PythonLibraries({
      ...{ ...parts, settings },
      leaveOut: (tensor) => this.parallel.record.undrawn.push(tensor),
    });
    this.functions = new TorchFunctions({
      ...{ ...parts, settings, libraries: this.libraries },
      other: (path) => this.other(path),
    });
    this.wrappers = new FunctionWrappers(parts);
    this.parallel = new ParallelWords(parts, {
      titan: (name, context) => this.libraries.member("torchtitan", name, context),
      creator: (name) => this.creator(name),
    });
    this.creators = creators(parts.recorder, parts.tensors);
    const named: NameParts = {
      ...{ ...parts, libraries: this.libraries, parallel: this.parallel, words: this.words },
      kept: (name, make) => this.kept(name, make),
      module: (name) => this.module(name),
    };
    this.layerNames = new LayerNames(named, layers);
    this.utilities = new UtilityNames({
      ...{ ...named, training: this.training, autocast: this.autocast },
      ...{ gradients: this.gradients, precision: this.precision },
      other: (path) => this.other(path),
    });
  }

  /** A module of torch by its dotted name. */
  module(name: string): ModuleValue | undefined {
    if (/^torch(\.|$)/.test(name)) this.types.begin();
    if (isNoModule(name)) return undefined;
    switch (name) {
      case "torch":
        return this.asModule(name, (...asked) => this.torchName(...asked));
      case "torch._operators":
        return this.libraries.operators;
      case "torch.nn":
        return this.asModule(name, (attribute, context) => this.nnName(attribute, context));
      case "torch.nn.functional":
      case "torch.special":
      case "torch.linalg":
      case "torch.fft":
      case "torch.sparse":
        return this.asModule(name, (attribute, context) =>
          this.functions.in(name, attribute, context),
        );
      case "torch.autograd":
      case "torch.autograd.function":
        return this.asModule(name, (attribute, context) => {
          if (attribute === "Function") return this.wrappers.autogradFunction;
          if (attribute === "Variable") return this.variable;
          const written = this.libraries.member("torch.autograd", attribute, context);
          return written ?? this.other(`${name}.${attribute}`);
        });
      case "torch.nn.init":
        return initModule(this.parts);
      default:
        return this.otherModule(name);
    }
  }

  /** `Variable(x)`, of older texts: the tensor itself. */
  private readonly variable: Value = {
    ...passedOn("Variable"),
    isInstance: (value) => this.parts.tensors.tensorOf(value) !== undefined,
  };

  private asModule(name: string, attribute: ModuleValue["attribute"]): ModuleValue {
    const lacks = (wanted: string) => isAbsent(name, wanted);
    return {
      ...{ kind: "module", name, lacks },
      attribute: (wanted, context, span) =>
        span.from >= 0 && lacks(wanted)
          ? this.almost(name, wanted, context, span)
          : attribute(wanted, context, span),
    };
  }

  /** What is read for a name that a module lacks, which is said. */
  private almost(home: string, name: string, context: Context, span: Span): Value | undefined {
    if (home.startsWith("torch.nn")) return this.layerNames.otherCase(name, context, span);
    if (home !== "torch") return undefined;
    // A trace writes methods in place, and an operator of another package, as functions too.
    if (name === "grouped_mm_fallback") return this.functions.in(home, name, context);
    const isMethod = name.endsWith("_") && !isAbsent("Tensor", name);
    return isMethod || inTraces.has(name) ? this.readAsOperator(name, context, span) : undefined;
  }

  private nnName(name: string, context: Context): Value {
    return this.layerNames.read(name, context) ?? this.other(`torch.nn.${name}`);
  }

  /** Submodules of torch, and packages whose parts are written here. */
  private otherModule(name: string): ModuleValue | undefined {
    if (name.startsWith("torch.nn.modules") || name === "torch.nn.parameter")
      return this.asModule(name, (attribute, context) => this.nnName(attribute, context));
    if (name.startsWith("torch.")) {
      const module = this.asModule(name, (attribute, context) =>
        this.utilities.word(name, attribute, context),
      );
      const names = this.parallel.names(name);
      return names === undefined ? module : { ...module, names };
    }
    const home = packageHome(name);
    if (home === undefined) return undefined;
    const inside = (attribute: string) =>
      packageModules.has(`${name}.${attribute}`) ? this.module(`${name}.${attribute}`) : undefined;
    return this.libraries.module(
      home,
      name,
      (attribute) => inside(attribute) ?? this.other(`${name}.${attribute}`),
    );
  }

  /** A function of torch that a method of tensors stands for. */
  method(name: string, context: Context): Value | undefined {
    const plain = name.replace(/_$/, "");
    for (const home of ["torch", "torch.nn.functional"]) {
      if (this.libraries.has(home, plain)) return this.libraries.member(home, plain, context);
    }
    return undefined;
  }

  private get words() {
    const { recorder, tensors } = this.parts;
    return { recorder, tensors, creator: (name: string) => this.creator(name) };
  }

  /** Whether a function of torch implements the method of that name. */
  hasMethod(name: string): boolean {
    const plain = name.replace(/_$/, "");
    return ["torch", "torch.nn.functional"].some((home) => this.libraries.has(home, plain));
  }

  /** The data type of a tensor as a value. */
  typeOf(value: Value | undefined): Value | undefined {
    const tensor = this.parts.tensors.tensorOf(value);
    return tensor && text(longDType(tensor.dtype));
  }

  /** A function that makes a tensor out of a shape, by its name. */
  creator(name: string): Value | undefined {
    return this.creators.get(name);
  }

  /** A word that stands for a class, the same one each time. */
  private kept(name: string, make: () => Value): Value {
    const known = this.classes.get(name) ?? make();
    this.classes.set(name, known);
    return known;
  }

  private torchName(name: string, context: Context, span: Span): Value | undefined {
    if (complexTypes.has(name) || complexMakers.has(name))
      sayComplex(`what is torch.${name}`, context, span);
    if (tensorTypes.has(name)) return this.kept(name, () => tensorWord(this.words, name));
    if (name === "autocast") return this.autocast.word();
    const typed =
      this.gradients.word(name) ??
      this.types.word(name) ??
      this.autocast.fact(name) ??
      this.precision.word(name);
    const constant =
      typed ?? constants.get(name) ?? wrapperWord(this.parts.opaque, `torch.${name}`);
    if (constant !== undefined) return constant;
    const known = Object.hasOwn(utilities, name) ? fieldOf(utilities, name) : undefined;
    if (known !== undefined) return known;
    if (name === "device") return deviceWord(context);
    if (name === "Size") return sizeWord;
    if (name === "range") return this.libraries.member("torch", "range_", context);
    if (codedReductions.has(name)) return this.other(`torch.${name}`);
    if (name === "embedding") return this.libraries.member("torch", "_embedding", context);
    if (name === "_einsum") return this.functions.operator("torch.einsum", "einsum");
    if (name === "compile") return this.wrappers.compileWord();
    if (name === "__version__") return text(torchVersion);
    const created = this.creators.get(name);
    if (created !== undefined) return this.functions.checked("torch", name, created);
    if (name === "ops") return this.operators;
    if (ofSchema.has(name)) return this.libraries.member("torch.ops.aten", name, context);
    if (submodules.has(name)) return this.module(`torch.${name}`);
    if (modes.has(name)) return this.kept(name, () => modeWord(name));
    if (name === "is_tensor") return this.libraries.operators.attribute(name, context, nowhere);
    if (name === "max" || name === "min") return extremeWord(this.parts.tensors, name, []);
    if (name === "finfo") return finfoWord;
    if (name === "iinfo") return iinfoWord;
    if (name === "stft" || name === "istft") return this.functions.in("torch.fft", name, context);
    if (name === "hstack" || name === "vstack") return this.functions.joining(name);
    if (inTraces.has(name)) return this.readAsOperator(name, context, span);
    return this.functions.in("torch", name, context);
  }

  /** An operator that a trace writes as a function of `torch`. */
  private readAsOperator(name: string, context: Context, span: Span): Value | undefined {
    const operators = this.operators.attribute("aten", context, span);
    if (operators?.kind !== "module") return undefined;
    const word = operators.attribute(name, context, span);
    return readAs("torch", name, `ops.aten.${name}`, word, context, span);
  }

  /** `torch.ops`. */
  private readonly operators = operatorsOfTorch({
    written: (name, context) => this.libraries.member("torch.ops.aten", name, context),
    torch: (...asked) => this.torchName(...asked),
    functional: (name, context) => this.functions.in("torch.nn.functional", name, context),
    other: (path) => this.other(path),
  });

  private other(path: string): Value {
    const known = this.others.get(path) ?? this.parts.opaque.assumed(path, { isUnsaid: true });
    this.others.set(path, known);
    return known;
  }
}

const nowhere: Span = { from: 0, to: 0 };
