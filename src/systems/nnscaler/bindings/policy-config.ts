import type { Span } from "#core/diagnostics";
import { hostFunction, integer, integerOf } from "#language/document/bindings/values";
import type { ClassValue, Context, FunctionValue, InstanceValue, Value } from "#language/python";

/** Number of devices assumed for a policy if the text does not set one. */
const assumedDevices = 4;

/**
 * The configurations with which policies are called: the text's `ComputeConfig`, or an assumed one.
 */
export class PolicyConfigs {
  private readonly library: (name: string, context: Context) => Value | undefined;
  private isPrepared = false;
  private readonly saidAt = new Set<number>();
  /** Whether the running policy comes from the older `compile`, whose resource has `ngpus`. */
  isOld = false;

  constructor(library: (name: string, context: Context) => Value | undefined) {
    this.library = library;
  }

  /**
   * The class `ComputeConfig`, with older nnScaler's names for the devices; `undefined` if the
   * library lacks it.
   */
  class(context: Context): ClassValue | undefined {
    const type = this.library("ComputeConfig", context);
    if (type?.kind !== "class") return undefined;
    if (!this.isPrepared) this.prepare(type);
    return type;
  }

  private prepare(type: ClassValue): void {
    this.isPrepared = true;
    type.attributes.set("ngpus", {
      kind: "property",
      get: hostFunction("ngpus", ([self], context, span) => {
        if (!this.isOld && !this.saidAt.has(span.from)) reportOldName(context, span);
        this.saidAt.add(span.from);
        return integer(devicesOf(self?.value) ?? assumedDevices);
      }),
    });
    const listed: Value = {
      kind: "property",
      get: hostFunction("devices", ([self]) => ({
        kind: "list",
        items: Array.from({ length: devicesOf(self?.value) ?? assumedDevices }, (_, at) =>
          integer(at),
        ),
      })),
    };
    for (const name of ["devices", "gpus"]) type.attributes.set(name, listed);
  }

  /** The last configuration in a variable of the text; `undefined` without one. */
  heldBy(globals: ReadonlyMap<string, Value>, context: Context): InstanceValue | undefined {
    const type = this.class(context);
    const found = [...globals.values()].filter(
      (value) => value.kind === "instance" && value.type === type,
    );
    const [last] = found.toReversed();
    return last?.kind === "instance" ? last : undefined;
  }

  /**
   * An assumed configuration for this number of devices; end to end if the policy uses features of
   * that mode.
   */
  assumed(func: FunctionValue | undefined, devices: number, context: Context): Value | undefined {
    const make = this.library("_assumed_config", context);
    const { from, to } = func?.span ?? { from: 0, to: 0 };
    const body = context.source.slice(from, to);
    const isEndToEnd =
      func === undefined || /end2end|staging|IRDataOperation|data_?loader/.test(body);
    const span = { from: 0, to: 0 };
    const args: readonly Value[] = [integer(devices), { kind: "bool", value: isEndToEnd }];
    this.class(context);
    return (
      make &&
      context.call(
        make,
        args.map((value) => ({ value, span })),
        span,
      )
    );
  }
}

/** The number of devices that a configuration plans for; `undefined` if not known. */
export function devicesOf(config: Value | undefined): number | undefined {
  return config?.kind === "instance" ? integerOf(config.attributes.get("plan_ngpus")) : undefined;
}

export function isEndToEnd(config: Value | undefined): boolean {
  const flag = config?.kind === "instance" ? config.attributes.get("use_end2end") : undefined;
  return flag?.kind === "bool" && flag.value;
}

/**
 * The number of devices in the first `ComputeConfig(…)` of a text, run or not; `undefined` without
 * one.
 */
export function writtenDevices(source: string): number | undefined {
  const found = /\bComputeConfig\(\s*(?:plan_ngpus\s*=\s*)?(\d+)/.exec(source)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * Warns of `resource.ngpus`, which documents use; since release v0.8 it is `cfg.plan_ngpus`
 * (dimops.md §8).
 */
function reportOldName(context: Context, span: Span): void {
  const from = span.to - "ngpus".length;
  const isWritten = context.source.slice(from, span.to) === "ngpus";
  context.report({
    code: "nnscaler/old-name",
    severity: "warning",
    message: `"ngpus" is called "plan_ngpus" in today's nnScaler`,
    span,
    upstream: "AttributeError",
    ...(isWritten && {
      fixes: [{ title: "Write plan_ngpus", edits: [{ from, to: span.to, text: "plan_ngpus" }] }],
    }),
  });
}
