import type { DType } from "#core/ir";
import { fieldOf } from "#core/records";
import type { TensorBindings } from "#language/document/bindings";
import { type CastingRules, dtypeOf, typeSaid } from "#language/document/bindings/types";
import { bindArguments, hostFunction, none, textOf } from "#language/document/bindings/values";
import {
  type Argument,
  type ClassValue,
  hostClass,
  type InstanceValue,
  type Value,
} from "#language/python";
import { castingOf } from "./autocast-lists.ts";
import { runInside } from "./run-inside.ts";

/** The casting rules before an open context, which return when it closes. */
type Before = CastingRules | undefined;

/** `torch.autocast` as context and as decorator: what runs inside is cast by PyTorch's own lists. */
export class Autocast {
  private readonly tensors: TensorBindings;
  private readonly settings = new WeakMap<InstanceValue, Setting>();
  private readonly open: Before[] = [];
  private readonly classes = new Map<string, ClassValue>();

  constructor(tensors: TensorBindings) {
    this.tensors = tensors;
  }

  /**
   * The `autocast` class; with `device`, the class of `torch.cuda.amp` or `torch.cpu.amp`, whose
   * constructor takes no device.
   */
  word(device?: string): ClassValue {
    const name = device ?? "";
    const known = this.classes.get(name);
    if (known !== undefined) return known;
    const parameters = [...(device === undefined ? ["device_type"] : []), ...settingNames(device)];
    const made = hostClass("autocast", {
      __init__: ([self, ...args], context, span) => {
        const fault = span.from < 0 ? undefined : formOf(device === undefined, parameters, args);
        if (fault !== undefined) return context.raise("TypeError", fault, span);
        if (self?.value.kind === "instance")
          this.settings.set(self.value, settingOf(bindArguments(parameters, args).bound, device));
        return none;
      },
      __enter__: ([self]) => {
        this.enter(self?.value);
        return self?.value ?? none;
      },
      __exit__: () => {
        this.leave();
        return none;
      },
      __call__: ([self, target]) =>
        target === undefined
          ? none
          : runInside(target.value, (run) => this.inside(self?.value, run)),
    });
    this.classes.set(name, made);
    return made;
  }

  /** Whether anything is cast now, and to what: `torch.is_autocast_enabled()` and its like. */
  fact(name: string): Value | undefined {
    const { types } = this.tensors;
    if (name === "is_autocast_enabled")
      return hostFunction(name, () => ({ kind: "bool", value: types.casting !== undefined }));
    if (!/^get_autocast_(gpu_|cpu_)?dtype$/.test(name)) return undefined;
    return hostFunction(name, ([device]) => {
      const isCpu = name.includes("cpu") || textOf(device?.value) === "cpu";
      const low = types.casting?.low ?? (isCpu ? "bf16" : "f16");
      return types.valueOf?.(low) ?? none;
    });
  }

  private enter(self: Value | undefined): void {
    const { types } = this.tensors;
    const setting = self?.kind === "instance" ? this.settings.get(self) : undefined;
    this.open.push(types.casting);
    const { isOn = true, low = "f16", device = "cuda" } = setting ?? {};
    const kept = types.casting?.kept ?? new Map<never, never>();
    types.casting = isOn ? { low, kept, of: castingOf(device) } : undefined;
  }

  private leave(): void {
    this.tensors.types.casting = this.open.pop();
  }

  private inside(self: Value | undefined, run: () => Value): Value {
    this.enter(self);
    try {
      return run();
    } finally {
      this.leave();
    }
  }
}

interface Setting {
  readonly device: string;
  readonly low: DType;
  readonly isOn: boolean;
}

/** The names of its arguments; those of old have them in another order. */
function settingNames(device: string | undefined): readonly string[] {
  return device === undefined
    ? ["dtype", "enabled", "cache_enabled"]
    : ["enabled", "dtype", "cache_enabled"];
}

function settingOf(bound: ReadonlyMap<string, Argument>, ofClass: string | undefined): Setting {
  const device = ofClass ?? (textOf(bound.get("device_type")?.value) ?? "cuda").split(":")[0];
  const usual = fieldOf(usualTypes, device ?? "cuda") ?? "f16";
  const enabled = bound.get("enabled")?.value;
  return {
    device: device ?? "cuda",
    low: typeSaid(bound.get("dtype")?.value)?.dtype ?? usual,
    isOn: !(enabled?.kind === "bool" && !enabled.value) && isLow(bound.get("dtype")?.value),
  };
}

/** With float32 as its data type nothing is cast. */
function isLow(value: Value | undefined): boolean {
  const dtype = dtypeOf(value);
  return dtype === undefined || dtype === "bf16" || dtype === "f16";
}

const usualTypes: Readonly<Record<string, DType>> = { cuda: "f16", cpu: "bf16", xpu: "f16" };

/** Why `autocast` does not take its arguments: a name that it lacks, or no device. */
function formOf(
  needsDevice: boolean,
  names: readonly string[],
  args: readonly Argument[],
): string | undefined {
  const other = args.find((each) => each.name !== undefined && !names.includes(each.name));
  if (other !== undefined)
    return `autocast.__init__() got an unexpected keyword argument '${other.name}'`;
  const isGiven = args.some(({ name }) => name === undefined || name === "device_type");
  return needsDevice && !isGiven
    ? "autocast.__init__() missing 1 required positional argument: 'device_type'"
    : undefined;
}
