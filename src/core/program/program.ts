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
import { createById, memoized } from "#core/records";

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
   * The boxes of each device, in the order of the layout's mesh, for values whose boxes are not the
   * layout's blocks: windows and halos. Boxes of one device share no cell.
   */
  readonly held?: readonly (readonly Box[])[];
}

/**
 * The cause of a collective: an operand of an operator, an inner reduction, the end, a `place`, or
 * the sum of a parameter's gradient over the devices that share the parameter (`mirror`).
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

/** Marks a step that the text forces to run wrongly, and that is never repaired. */
export interface UnverifiedStep {
  readonly rule: string;
  /** Index axes that are cut in addition to the strategy. */
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
  /** The index of the step's redistribution, in program order. */
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
  /**
   * Values that a run hands to the next one: `inside` is `initial` in the first run, later the
   * previous run's `next`.
   */
  readonly carried: readonly {
    readonly initial: ValueId;
    readonly inside: ValueId;
    /**
     * A value that the body makes, or another `inside`, which is then handed on for one more run.
     */
    readonly next: ValueId;
    /** The last run's `next` under the name that later steps use. */
    readonly result: ValueId;
  }[];
  /**
   * Values that each run has for itself: the i-th run reads or writes the i-th value of `outside`
   * (weights, saved activations, per-layer gradients, results). All values that the body makes are
   * listed, so that every value of the flat program keeps its name.
   */
  readonly each: readonly { readonly inside: ValueId; readonly outside: readonly ValueId[] }[];
  /**
   * For each step of the body, the names of its operators and redistributions in all runs. The body
   * has the first run's names; the flat program needs the others. Entries follow the order of runs,
   * as those of `each` do.
   */
  readonly names: readonly StepNames[];
}

/** Names in a body's step that differ from run to run, apart from its values' names. */
export type StepNames =
  | { readonly kind: "local"; readonly operators: readonly OperatorId[] }
  | {
      readonly kind: "collective";
      readonly reasons: readonly (readonly Reason[])[];
      readonly reshards: readonly number[];
    };

/** Step of a program; a flat program contains no `repeat`. */
export type Step = FlatStep | RepeatStep;

/**
 * Devices and their steps, in order. A program without micro-batches is one stage; with
 * micro-batches the first stage runs once for each of them, the second once.
 */
export interface Stage {
  readonly devices: readonly DeviceId[];
  /**
   * How often the steps run, once per micro-batch; absent for once. Every run makes the same values
   * anew, except that results of `accumulate` add up.
   */
  readonly runs?: number;
  readonly steps: readonly Step[];
}

/** One redistribution: a tensor from one layout to another, its steps, and the proof about them. */
export interface Redistribution {
  readonly index: number;
  readonly tensor: TensorId;
  readonly input: ValueId;
  readonly output: ValueId;
  readonly reasons: readonly Reason[];
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Lower bound of the received elements for any sequence of collectives. */
  readonly lowerBound: number;
  /** The text's choice of steps for the redistribution. */
  readonly chosen?: ChosenSteps;
}

/** A choice of steps, and whether it could be followed. */
export interface ChosenSteps {
  /** Index among the plan's `reshards`. */
  readonly request: number;
  readonly steps: number | string;
  /** Reason why the steps could not be created; the default steps are then used. */
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
  /** First value of each tensor: as computed, or as given. */
  readonly made: ReadonlyMap<TensorId, ValueId>;
  /** The cut into micro-batches, if there is one. */
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

/** The index of every value in the program's list. */
export function placesOfValues({
  values,
}: Pick<SpmdProgram, "values">): ReadonlyMap<ValueId, number> {
  return placesOf(values);
}

const placesOf = memoized((values: readonly Value[]) => {
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
