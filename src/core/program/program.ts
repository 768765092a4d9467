import type { Collective, Move } from "#core/collective";
import type { Box } from "#core/indexspace";
import {
  type DType,
  type Graph,
  type OperatorId,
  type Phase,
  type TensorId,
  type TensorRole,
  tensorsById,
} from "#core/ir";
import type { DeviceId, DimLayout, Layout } from "#core/mesh";
import type { Microbatches, Strategy } from "#core/plan";
import { createById, remembered } from "#core/records";

declare const valueBrand: unique symbol;

/** Identity of a value: one tensor in one layout. */
export type ValueId = string & { readonly [valueBrand]: true };

/** One tensor in one layout, as devices hold it at some point of the program. */
export interface Value {
  readonly id: ValueId;
  readonly tensor: TensorId;
  readonly dtype: DType;
  readonly role: TensorRole;
  readonly layout: Layout;
  /**
   * What each device holds, in the order of the layout's mesh, where that is not the layout's own
   * block: windows and halos. Boxes of one device share no cell.
   */
  readonly held?: readonly (readonly Box[])[];
}

/**
 * Why a collective is there: an operand of an operator, an inner reduction, the end, a `place`, or
 * that a parameter's gradient is summed over the devices that share the parameter (`mirror`).
 */
export type Reason =
  | { readonly kind: "operand"; readonly operator: OperatorId; readonly operand: number }
  | { readonly kind: "reduction"; readonly operator: OperatorId }
  | { readonly kind: "output" }
  | { readonly kind: "place" }
  | { readonly kind: "mirror" };

/** An operator that every device runs on its own blocks. */
export interface LocalStep {
  readonly kind: "local";
  readonly operator: OperatorId;
  readonly phase: Phase;
  readonly strategy: Strategy;
  readonly inputs: readonly ValueId[];
  readonly outputs: readonly ValueId[];
  readonly unverified?: UnverifiedStep;
}

/** That a step runs as the text says and is never repaired, and by which attribute of it. */
export interface UnverifiedStep {
  readonly rule: string;
  /** Index axes that are cut beside the strategy. */
  readonly axes?: Readonly<Record<string, DimLayout>>;
  /** Each device runs the operator on its own blocks as if they were whole tensors. */
  readonly isAlone?: true;
}

/** A collective that turns one value of a tensor into another. */
export interface CollectiveStep {
  readonly kind: "collective";
  readonly collective: Collective;
  readonly phase: Phase;
  readonly input: ValueId;
  readonly output: ValueId;
  readonly moves: readonly Move[];
  /** Names of the mesh axes that take part, in mesh order. */
  readonly axes: readonly string[];
  readonly groups: readonly (readonly DeviceId[])[];
  readonly pairs?: readonly {
    readonly from: DeviceId;
    readonly to: DeviceId;
    readonly range: Box;
  }[];
  readonly reasons: readonly Reason[];
  /** Elements and bytes that the busiest device receives, and the modelled seconds. */
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Which redistribution the step belongs to, counted from 0 in program order. */
  readonly reshard: number;
}

/** A step that is written out. */
export type FlatStep = LocalStep | CollectiveStep;

/**
 * Equal steps that run `count` times, as the blocks of a model do. The body is written with names
 * of its own for everything that differs from run to run.
 */
export interface RepeatStep {
  readonly kind: "repeat";
  /** At least 2. */
  readonly count: number;
  /** The i-th run takes the i-th entries from the back: backward steps visit the blocks that way. */
  readonly reverse?: true;
  readonly body: readonly FlatStep[];
  /** What a run hands to the next: `inside` is `initial` in the first, then the last run's `next`. */
  readonly carried: readonly {
    readonly initial: ValueId;
    readonly inside: ValueId;
    /** What the body makes, or another `inside`: that is handed on for one more run. */
    readonly next: ValueId;
    /** The last run's `next`, by the name that the steps behind the runs have for it. */
    readonly result: ValueId;
  }[];
  /**
   * What is each run's own: the i-th reads or writes the i-th value of `outside` (weights, saved
   * activations, per-layer gradients, results). Whatever the body makes stands here, so that every
   * value of the flat program keeps its name.
   */
  readonly each: readonly { readonly inside: ValueId; readonly outside: readonly ValueId[] }[];
  /**
   * Per step of the body, what the runs call their operators and redistributions: the body bears
   * the first run's, and without these the flat program could not be given back exactly. Entries go
   * with the runs as those of `each` do.
   */
  readonly names: readonly StepNames[];
}

/** What differs from run to run in a step of a body, beside its values. */
export type StepNames =
  | { readonly kind: "local"; readonly operators: readonly OperatorId[] }
  | {
      readonly kind: "collective";
      readonly reasons: readonly (readonly Reason[])[];
      readonly reshards: readonly number[];
    };

/** A step of a program; in a flat one none is a `repeat`. */
export type Step = FlatStep | RepeatStep;

/**
 * Devices and what they do, in order; until pipelines come one stage after the other on the same
 * devices: one alone, or with micro-batches first what runs for each of them, then what runs once.
 */
export interface Stage {
  readonly devices: readonly DeviceId[];
  /**
   * How often the steps run, once per micro-batch; once when absent. Every run makes the same
   * values anew, except that results of `accumulate` add up.
   */
  readonly runs?: number;
  readonly steps: readonly Step[];
}

/** One redistribution: a tensor from one layout to another, its steps, and what was proven. */
export interface Redistribution {
  readonly index: number;
  readonly tensor: TensorId;
  readonly input: ValueId;
  readonly output: ValueId;
  readonly reasons: readonly Reason[];
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Elements that no sequence of collectives can go below. */
  readonly lowerBound: number;
  /** What the text chooses for its steps. */
  readonly chosen?: ChosenSteps;
}

/** A choice of steps, and whether it could be followed. */
export interface ChosenSteps {
  /** Which of the plan's `reshards` it is. */
  readonly request: number;
  readonly steps: number | string;
  /** Why there are no such steps; then the default stands. */
  readonly declined?: string;
}

/**
 * The per-device program: the hub that cost, player, execution and exporters read. `lower` makes it
 * flat; `fold` writes equal blocks once.
 */
export interface SpmdProgram {
  readonly devices: readonly DeviceId[];
  readonly graph: Graph;
  readonly values: readonly Value[];
  readonly stages: readonly Stage[];
  readonly redistributions: readonly Redistribution[];
  readonly outputs: readonly ValueId[];
  /** The value in which each tensor is made or first held. */
  readonly made: ReadonlyMap<TensorId, ValueId>;
  /** How tensors are cut into micro-batches, where they are. */
  readonly microbatches?: Microbatches;
}

/** Brands a text as the id of a value. */
export function valueId(text: string): ValueId {
  return text as ValueId;
}

/** The values of a program by their ids, in its order. */
export function valuesById({ values }: Pick<SpmdProgram, "values">): ReadonlyMap<ValueId, Value> {
  return byValueId(values);
}

const byValueId = createById<ValueId, Value>();

/** By value its place among those of a program. */
export function placesOfValues({
  values,
}: Pick<SpmdProgram, "values">): ReadonlyMap<ValueId, number> {
  return placesOf(values);
}

const placesOf = remembered((values: readonly Value[]) => {
  const places = new Map<ValueId, number>();
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value !== undefined) places.set(value.id, at);
  }
  return places;
});

/** Every redistribution with its tensor and layouts. */
export function redistributionEdges(program: SpmdProgram) {
  const { graph, redistributions } = program;
  const [tensors, values] = [tensorsById(graph), valuesById(program)];
  return redistributions.flatMap((edge: Redistribution) => {
    const [from, to] = [edge.input, edge.output].map((id) => values.get(id)?.layout);
    const tensor = tensors.get(edge.tensor);
    const isWhole = tensor !== undefined && from !== undefined && to !== undefined;
    return isWhole ? [{ edge, tensor, from, to }] : [];
  });
}
