import { fieldOf } from "#core/records";
import { none } from "#language/document/bindings/values";
import type { Context, Value } from "#language/python";
import {
  type OptimizerParts,
  optimizerWord,
  scalerWord,
  schedulerWord,
} from "../training/optimizers.ts";
import type { TrainingRecord } from "../training/record.ts";
import type { Autocast } from "./autocast.ts";
import { checkpointWords } from "./checkpoint-words.ts";
import { currentAccelerator } from "./device.ts";
import type { GradientModes } from "./gradient-modes.ts";
import type { NameParts } from "./layer-names.ts";
import type { MatmulPrecision } from "./matmul-precision.ts";
import { tensorWord } from "./tensor-word.ts";
import { modes, submodulesInside, tensorTypes } from "./torch-names.ts";
import { deviceFact, utilities } from "./torch-utilities.ts";
import { modeWord, wrapperWord } from "./wrapping-words.ts";

/** Submodules of which parts are written in Python. */
const writtenHomes = [
  ...["torch.nn.utils", "torch.hub", "torch.distributions", "torch.nn.attention", "torch.func"],
  ...["torch.optim.swa_utils", "torch.utils._pytree"],
];

interface UtilityParts extends NameParts {
  readonly training: TrainingRecord;
  readonly autocast: Autocast;
  readonly gradients: GradientModes;
  readonly precision: MatmulPrecision;
  /** An unknown value of torch, by its path. */
  readonly other: (path: string) => Value;
}

/** The names of torch's submodules that compute nothing: `torch.optim`, `torch.utils`, … */
export class UtilityNames {
  private readonly bound: UtilityParts;
  private readonly checkpoints: Readonly<Record<string, Value>>;

  constructor(bound: UtilityParts) {
    this.bound = bound;
    this.checkpoints = checkpointWords(bound.recorder);
  }

  /** A name of a torch submodule that computes nothing. */
  word(module: string, name: string, context: Context): Value {
    const { bound } = this;
    const { libraries, kept } = bound;
    const path = `${module}.${name}`;
    if (path === "torch.backends.cuda.matmul") return bound.precision.backend;
    const special = bound.parallel.word(module, name) ?? bound.gradients.word(name);
    if (special !== undefined) return special;
    if (name === "autocast") return bound.autocast.word(/\b(cuda|cpu|xpu)\b/.exec(module)?.[1]);
    const home = writtenHomes.find((each) => module.startsWith(each));
    const isParametrized = module === "torch.nn.utils.parametrizations";
    const member = isParametrized ? `parametrized_${name}` : name;
    const written = home && libraries.member(home, member, context);
    if (written) return written;
    const data = module.startsWith("torch.utils.data")
      ? libraries.member("torch.utils.data", name, context)
      : undefined;
    if (data !== undefined) return data;
    if (submodulesInside.has(path)) return bound.module(path) ?? none;
    const wrapper = wrapperWord(bound.opaque, path);
    if (wrapper !== undefined) return wrapper;
    const fact = deviceFact(module, name);
    if (fact !== undefined) return fact;
    if (path === "torch.accelerator.current_accelerator") return currentAccelerator;
    const known = fieldOf(utilities, name);
    if (known !== undefined && Object.hasOwn(utilities, name)) return known;
    const trained = fieldOf(this.checkpoints, name) ?? this.update(path);
    if (trained !== undefined) return trained;
    if (tensorTypes.has(name)) return kept(name, () => tensorWord(bound.words, name));
    if (modes.has(name)) return kept(name, () => modeWord(name));
    return bound.other(path);
  }

  /** An optimizer, a scaler of gradients or a scheduler. */
  private update(path: string): Value | undefined {
    const { recorder, tensors, opaque, training, other, kept } = this.bound;
    const updating: OptimizerParts = {
      ...{ recorder, tensors, record: training },
      assumed: (name, member) => opaque.assumed(name, { isUnsaid: true, member }),
    };
    const update =
      optimizerWord(updating, path) ?? scalerWord(updating, path) ?? schedulerWord(path, other);
    return update && kept(path, () => update);
  }
}
