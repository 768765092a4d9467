import { sum } from "#core/arithmetic";
import { volumeOf } from "#core/indexspace";
import { bytesOf, tensorsById } from "#core/ir";
import { localElements } from "#core/mesh";
import { runShape } from "#core/plan";
import type { LocalStep, SpmdProgram, Value, ValueId } from "#core/program";
import type { Hardware } from "./cost.ts";
import { alone, type Running, stepFactors } from "./in-step.ts";
import { operationsOf, type TrafficKind } from "./kernel.ts";
import { kernelSeconds } from "./kernel-seconds.ts";
import { kernelsOf } from "./kernels-of.ts";
import { launchSeconds, viewSeconds } from "./launch-seconds.ts";
import { localOperator, type Measure } from "./local-operator.ts";

/** Bytes of every value on the device that holds most of it; with micro-batches, of one run. */
export function valueBytes(program: SpmdProgram): ReadonlyMap<ValueId, number> {
  const tensors = tensorsById(program.graph);
  const bytes = new Map<ValueId, number>();
  for (const value of program.values) {
    const tensor = tensors.get(value.tensor);
    const elements = heldElements(value, tensor ? runShape(program.microbatches, tensor) : []);
    bytes.set(value.id, elements * bytesOf(value.dtype));
  }
  return bytes;
}

function heldElements({ layout, held }: Value, shape: readonly number[]): number {
  if (held === undefined) return localElements(layout, shape);
  return held.reduce((most, boxes) => Math.max(most, sum(boxes.map(volumeOf))), 0);
}

/** The time and operations of an operator's step on the busiest device. */
export interface OperatorWork {
  readonly seconds: number;
  readonly operations: number;
  /** Seconds of the host to launch the operator's kernels eagerly, one after the other. */
  readonly launchSeconds: number;
}

const noWork: OperatorWork = { seconds: 0, operations: 0, launchSeconds: 0 };

/** Modelled work of an operator's step on the busiest device. */
export function operatorWork(
  step: LocalStep,
  measure: Measure,
  hardware: Hardware,
  running: Running = alone,
): OperatorWork {
  const local = localOperator(step, measure);
  if (local === undefined) return noWork;
  const kernels = kernelsOf(local);
  if (kernels.length === 0) return { ...noWork, launchSeconds: viewSeconds(hardware) };
  let [seconds, operations, launched] = [0, 0, 0];
  for (const kernel of kernels) {
    const factors = stepFactors(kernel, local, running);
    seconds += factors.reduce((all, { value }) => all * value, kernelSeconds(kernel, hardware));
    operations += operationsOf(kernel);
    launched += launchSeconds(kernel, hardware);
  }
  return { seconds, operations, launchSeconds: launched };
}

/** Modelled seconds of a kernel that reads and writes `bytes` in one of the ways of `TrafficKind`. */
export function streamSeconds(kind: TrafficKind, bytes: number, hardware: Hardware): number {
  return kernelSeconds({ class: "traffic", kind, bytes }, hardware);
}
