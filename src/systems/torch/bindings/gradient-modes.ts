import { hostFunction, none } from "#language/document/bindings/values";
import type { Recorder } from "#language/document/trace";
import {
  type Argument,
  type ClassValue,
  hostClass,
  type InstanceValue,
  type Value,
} from "#language/python";
import { inInference } from "./inference-tensors.ts";
import { runInside } from "./run-inside.ts";

/** Contexts that say whether gradients are wanted, with what each says where nothing is given. */
const modes: ReadonlyMap<string, boolean> = new Map([
  ["no_grad", false],
  ["enable_grad", true],
  ["inference_mode", false],
  ["set_grad_enabled", true],
]);

/** `torch.no_grad` and its kin as contexts and as decorators: nothing that runs inside is trained. */
export class GradientModes {
  private readonly recorder: Recorder;
  private readonly wanted = new WeakMap<InstanceValue, boolean>();
  private readonly open: boolean[] = [];
  /** What ends the open contexts beside that, the innermost last. */
  private readonly ends: (() => void)[] = [];
  private readonly classes = new Map<string, ClassValue>();

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** A context by its name, or whether gradients are wanted now; `undefined` for any other name. */
  word(name: string): Value | undefined {
    if (name === "is_grad_enabled")
      return hostFunction(name, () => ({ kind: "bool", value: this.recorder.followsGradients }));
    const plain = modes.get(name);
    if (plain === undefined) return undefined;
    const known = this.classes.get(name) ?? this.context(name, plain);
    this.classes.set(name, known);
    return known;
  }

  private context(name: string, plain: boolean): ClassValue {
    const made: ClassValue = hostClass(name, {
      __new__: ([, target]) =>
        isCallable(target?.value)
          ? this.around(name, plain, target.value)
          : { kind: "instance", type: made, attributes: new Map() },
      __init__: ([self, given]) => {
        if (self?.value.kind !== "instance") return none;
        const isWanted = wantedBy(name, given, plain);
        this.wanted.set(self.value, isWanted);
        if (name !== "set_grad_enabled") return none;
        // A call of this one counts from where it stands, also without `with`.
        this.enter(name, isWanted);
        return none;
      },
      __enter__: ([self]) => {
        if (name !== "set_grad_enabled") this.enter(name, this.wantedOf(self?.value) ?? plain);
        return self?.value ?? none;
      },
      __exit__: () => {
        this.leave();
        return none;
      },
      __call__: ([self, target]) => {
        if (target === undefined) return none;
        if (name === "set_grad_enabled") this.leave();
        return this.around(name, this.wantedOf(self?.value) ?? plain, target.value);
      },
    });
    return made;
  }

  private wantedOf(self: Value | undefined): boolean | undefined {
    return self?.kind === "instance" ? this.wanted.get(self) : undefined;
  }

  private enter(name: string, isWanted: boolean): void {
    const isInference = name === "inference_mode" && !isWanted;
    this.ends.push(isInference ? inInference(this.recorder) : () => {});
    this.open.push(this.recorder.followsGradients);
    this.recorder.followsGradients = isWanted;
  }

  private leave(): void {
    this.ends.pop()?.();
    this.recorder.followsGradients = this.open.pop() ?? true;
  }

  private around(name: string, isWanted: boolean, target: Value): Value {
    if (!isCallable(target)) return target;
    return runInside(target, (run) => this.inside(name, isWanted, run));
  }

  private inside(name: string, isWanted: boolean, run: () => Value): Value {
    this.enter(name, isWanted);
    try {
      return run();
    } finally {
      this.leave();
    }
  }
}

/** A class that is decorated stays itself. */
function isCallable(value: Value | undefined): value is Value {
  return value?.kind === "function" || value?.kind === "host-function" || value?.kind === "method";
}

function wantedBy(name: string, given: Argument | undefined, plain: boolean): boolean {
  const { value } = given ?? {};
  if (value?.kind !== "bool") return plain;
  return name === "inference_mode" ? !value.value : value.value;
}
