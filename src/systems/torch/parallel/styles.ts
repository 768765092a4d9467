import type { Span } from "#core/diagnostics";
import {
  bindArguments,
  integerOf,
  itemsOf,
  none,
  textOf,
} from "#language/document/bindings/values";
import { type ClassValue, hostClass, type InstanceValue, type Value } from "#language/python";
import type { PlacementClasses } from "./placements.ts";
import type { ParallelRecord, PlacementWord, Style, StyleKind } from "./record.ts";
import { sayUnread } from "./said.ts";

/** The arguments of each style, in order. */
const parameters: Readonly<Record<string, readonly [StyleKind, ...(readonly string[])]>> = {
  ColwiseParallel: ["columns", "input_layouts", "output_layouts", "use_local_output"],
  RowwiseParallel: ["rows", "input_layouts", "output_layouts", "use_local_output"],
  SequenceParallel: ["sequence", "sequence_dim", "use_local_output"],
  PrepareModuleInput: [
    "inputs",
    "input_layouts",
    "desired_input_layouts",
    "input_kwarg_layouts",
    "desired_input_kwarg_layouts",
    "use_local_output",
  ],
  PrepareModuleOutput: ["outputs", "output_layouts", "desired_output_layouts", "use_local_output"],
  PrepareModuleInputOutput: [
    "inputs-and-outputs",
    "input_layouts",
    "desired_input_layouts",
    "input_kwarg_layouts",
    "desired_input_kwarg_layouts",
    "use_local_input",
    "output_layouts",
    "desired_output_layouts",
    "use_local_output",
  ],
  NoParallel: ["nothing", "use_local_output"],
};

/** The styles of `parallelize_module`; each instance keeps its arguments as attributes. */
export class StyleClasses {
  readonly base = hostClass("ParallelStyle", { __init__: () => none });
  private readonly record: ParallelRecord;
  private readonly classes: ReadonlyMap<string, ClassValue>;
  private readonly places = new WeakMap<InstanceValue, Span>();

  constructor(record: ParallelRecord) {
    this.record = record;
    this.classes = new Map(Object.keys(parameters).map((name) => [name, this.styleClass(name)]));
  }

  get names(): readonly string[] {
    return ["ParallelStyle", ...this.classes.keys()];
  }

  /** A style by its name. */
  class(name: string): ClassValue | undefined {
    return name === "ParallelStyle" ? this.base : this.classes.get(name);
  }

  /**
   * The kind of a style; `own` for a style class that the text defines itself; `undefined` for
   * other values.
   */
  kindOf(value: Value | undefined): StyleKind | undefined {
    if (value?.kind !== "instance" || !value.type.mro.includes(this.base)) return undefined;
    const known = value.type.mro.find((each) => this.classes.get(each.name) === each);
    const kind = known && parameters[known.name]?.[0];
    return value.type === known ? kind : "own";
  }

  /**
   * A style with its layouts; `undefined` for a value that is no style, or is of the text's own
   * class.
   */
  read(value: Value, placements: PlacementClasses): Style | undefined {
    const kind = this.kindOf(value);
    if (value.kind !== "instance" || kind === undefined || kind === "own") return undefined;
    const { attributes, type } = value;
    const list = (name: string, otherwise: readonly PlacementWord[] = []) =>
      layoutsIn(attributes.get(name), placements) ?? otherwise;
    const named = (name: string) => namedLayouts(attributes.get(name), placements);
    const usual = usualLayouts(kind);
    return {
      ...{ kind, name: type.name, inputs: list("input_layouts", usual.inputs) },
      desiredInputs: list("desired_input_layouts"),
      named: named("input_kwarg_layouts"),
      desiredNamed: named("desired_input_kwarg_layouts"),
      outputs: list("output_layouts", usual.outputs),
      desiredOutputs: list("desired_output_layouts"),
      isLocal: isSet(attributes.get("use_local_output")) ?? kind !== "sequence",
      sequenceDim: integerOf(attributes.get("sequence_dim")) ?? 1,
    };
  }

  /** Where a style is made. */
  spanOf(style: InstanceValue): Span | undefined {
    return this.places.get(style);
  }

  private styleClass(name: string): ClassValue {
    const [, ...names] = parameters[name] ?? ["own"];
    return hostClass(
      name,
      {
        __init__: ([self, ...args], context, span) => {
          const { bound, extra } = bindArguments(names, args);
          sayUnread(this.record, name, extra, context);
          if (self?.value.kind !== "instance") return none;
          this.places.set(self.value, span);
          for (const [key, { value }] of bound) self.value.attributes.set(key, value);
          return none;
        },
      },
      [this.base],
    );
  }
}

/** The layouts that a style has where it is given none. */
function usualLayouts(kind: StyleKind): Record<"inputs" | "outputs", readonly PlacementWord[]> {
  const last: PlacementWord = { kind: "shard", dim: -1 };
  const whole: PlacementWord = { kind: "replicate" };
  if (kind === "columns") return { inputs: [whole], outputs: [last] };
  return kind === "rows" ? { inputs: [last], outputs: [whole] } : { inputs: [], outputs: [] };
}

/** A list of layouts, one per operand; `None` leaves an operand alone. */
function layoutsIn(
  value: Value | undefined,
  placements: PlacementClasses,
): readonly (PlacementWord | undefined)[] | undefined {
  if (value === undefined || value.kind === "none") return undefined;
  return (itemsOf(value) ?? [value]).map((each) => placements.of(each));
}

function namedLayouts(
  value: Value | undefined,
  placements: PlacementClasses,
): ReadonlyMap<string, PlacementWord> {
  const entries = value?.kind === "dict" ? [...value.entries.values()] : [];
  return new Map(
    entries.flatMap((entry): [string, PlacementWord][] => {
      const [name, word] = [textOf(entry.key), placements.of(entry.value)];
      return name === undefined || word === undefined ? [] : [[name, word]];
    }),
  );
}

function isSet(value: Value | undefined): boolean | undefined {
  return value?.kind === "bool" ? value.value : undefined;
}
