import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import { flatSteps, type SpmdProgram, type ValueId } from "#core/program";
import { append, groupedBy } from "#core/records";
import type { EngineRun } from "#execute/engine";
import type { ReferenceRun } from "#execute/reference";
import {
  compareValue,
  type DeviceDifference,
  type Difference,
  noDifference,
  worstOf,
} from "./compare.ts";

/** One tensor compared with the reference: the largest differences of all its values. */
export interface TensorResult {
  readonly tensor: TensorId;
  readonly name: string;
  readonly equal: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  readonly devices: readonly DeviceDifference[];
}

/** The blocks of devices after a run, compared with the unsharded run. */
export interface Comparison {
  readonly equal: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  readonly tensors: readonly TensorResult[];
  /** The first wrong element, in program order. */
  readonly first?: {
    readonly tensor: string;
    readonly device: DeviceId;
    readonly index: readonly number[];
    readonly got: number;
    readonly want: number;
  };
  /** The value of the first wrong element. */
  readonly wrongValue?: ValueId;
}

/** Compares all values of a run with the reference. */
export function comparedRun(
  program: SpmdProgram,
  { held, same }: Pick<EngineRun, "held" | "same">,
  reference: ReferenceRun,
  isWrapped: boolean,
): Comparison {
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const found = new Map<TensorId, Difference[]>();
  let wrong: Pick<Comparison, "first" | "wrongValue"> = {};
  for (const value of inOrder(program)) {
    const { id, tensor } = value;
    const [blocks, whole] = [held.get(id), reference.tensors.get(tensor)];
    const isSame = same?.has(id) === true;
    if (whole === undefined || (blocks === undefined && !isSame)) continue;
    const difference =
      blocks === undefined ? noDifference(value) : compareValue(value, blocks, whole, isWrapped);
    append(found, tensor, difference);
    if (difference.first === undefined || wrong.first !== undefined) continue;
    wrong = {
      first: { tensor: names.get(tensor) ?? tensor, ...difference.first },
      wrongValue: id,
    };
  }
  const tensors = [...found].map(([tensor, differences]) =>
    tensorResult(tensor, names.get(tensor) ?? tensor, differences),
  );
  return {
    equal: wrong.first === undefined,
    maxAbsDiff: Math.max(0, ...tensors.map(({ maxAbsDiff }) => maxAbsDiff)),
    maxRelDiff: Math.max(0, ...tensors.map(({ maxRelDiff }) => maxRelDiff)),
    tensors,
    ...wrong,
  };
}

/** Values in program order; those that no step makes come first. */
function inOrder(program: SpmdProgram) {
  const made = flatSteps(program).flatMap((step) =>
    step.kind === "local" ? step.outputs : [step.output],
  );
  const rank = new Map(made.map((id, at) => [id, at]));
  return [...program.values].sort((a, b) => (rank.get(a.id) ?? -1) - (rank.get(b.id) ?? -1));
}

/**
 * Results grouped by the program's own devices; with microbatches several devices of the run map to
 * one.
 */
export function onDevices(
  tensors: readonly TensorResult[],
  deviceOf: (device: DeviceId) => DeviceId,
): readonly TensorResult[] {
  return tensors.map((tensor) => ({ ...tensor, devices: byDevice(tensor.devices, deviceOf) }));
}

function byDevice(
  all: readonly DeviceDifference[],
  deviceOf: (device: DeviceId) => DeviceId = (device) => device,
): readonly DeviceDifference[] {
  const groups = groupedBy(all, ({ device }) => deviceOf(device));
  return [...groups].map(([device, own]) => ({ device, ...worstOf(own) }));
}

function tensorResult(
  tensor: TensorId,
  name: string,
  differences: readonly Difference[],
): TensorResult {
  const devices = byDevice(differences.flatMap((each) => each.devices));
  const { maxAbsDiff, maxRelDiff } = worstOf(devices);
  const equal = differences.every(({ first }) => first === undefined);
  return { tensor, name, equal, maxAbsDiff, maxRelDiff, devices };
}
