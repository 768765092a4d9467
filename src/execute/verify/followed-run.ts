import type { Blocks } from "#core/collective";
import type { TensorId } from "#core/ir";
import { partSize } from "#core/mesh";
import { flatSteps, type SpmdProgram, type Value, valuesById } from "#core/program";
import { groupedBy } from "#core/records";
import type { EngineRun, Leaves } from "#execute/engine";
import {
  type Arithmetic,
  type ReferenceRun,
  runReference,
  type WholeTensor,
  type Widen,
} from "#execute/reference";
import { completeBlocks, visitElements } from "./compare.ts";
import type { ResolvedBodies } from "./resolve-bodies.ts";
import { numbersOf } from "./unsharded.ts";

/**
 * The unsharded run on floats, continued from the devices' real values: every operator is computed
 * from the operands that the devices had, so that its bound covers its own rounding alone. Errors
 * that grow from operator to operator would have no useful bound after a few layers.
 *
 * A wrong tensor is not continued from: its readers are compared with the results of the right one.
 *
 * @param widened bounds with further rounding of results on devices
 */
export function followedRun(
  program: SpmdProgram,
  { held }: Pick<EngineRun, "held">,
  leaves: Leaves,
  arithmetic: Arithmetic,
  { whole: bodies }: ResolvedBodies,
  widened?: Widen,
): ReferenceRun {
  const { graph, values } = program;
  const valuesOf = groupedBy(values, ({ tensor }) => tensor);
  const inParts = readInParts(program);
  const readAs = (tensor: TensorId, made: WholeTensor): WholeTensor =>
    inParts.has(tensor) ? made : (heldWhole(valuesOf.get(tensor) ?? [], held, made) ?? made);
  const rounding = widened && { widened };
  return runReference(graph, numbersOf(leaves), arithmetic, { bodies, readAs, ...rounding });
}

/**
 * Tensors whose contributions operators read before they are summed. The rounding of such readers
 * is relative to the contributions, which may be far larger than their sum, so its bound has to be
 * handed on.
 */
function readInParts(program: SpmdProgram): ReadonlySet<TensorId> {
  const values = valuesById(program);
  const read = flatSteps(program).flatMap((step) => (step.kind === "local" ? step.inputs : []));
  return new Set(
    read.flatMap((id) => {
      const value = values.get(id);
      return value !== undefined && isContribution(value) ? [value.tensor] : [];
    }),
  );
}

function isContribution({ layout }: Pick<Value, "layout">): boolean {
  return layout.partials.some(({ part }) => partSize(part) > 1);
}

/**
 * A tensor as devices hold it: the numbers of one device, and the largest deviation of the others.
 * Contributions, which no operator reads, are only checked. `undefined` where a value is missing or
 * wrong.
 */
function heldWhole(
  values: readonly Value[],
  held: EngineRun["held"],
  made: WholeTensor,
): WholeTensor | undefined {
  const numbers = new Float64Array(made.values.length);
  const errors = new Float64Array(made.values.length);
  const isHeld = new Uint8Array(made.values.length);
  for (const value of values) {
    const blocks = held.get(value.id);
    if (blocks === undefined) continue;
    const complete = completeBlocks(value, blocks, made.shape);
    const taken = isContribution(value) ? undefined : { numbers, errors, isHeld };
    if (!takesIn(taken, complete, made)) return undefined;
  }
  return isHeld.every((each) => each === 1)
    ? { shape: made.shape, values: numbers, errors }
    : undefined;
}

interface Taken {
  readonly numbers: Float64Array;
  readonly errors: Float64Array;
  readonly isHeld: Uint8Array;
}

/** Adds the deviations of blocks; returns whether all their elements are right. */
function takesIn(taken: Taken | undefined, blocks: Blocks, made: WholeTensor): boolean {
  let isRight = true;
  for (const block of [...blocks.values()].flat()) {
    visitElements(block.box, made.shape, (offset, flat) => {
      const got = block.values[offset] as number;
      const want = made.values[flat] as number;
      const isSame = got === want || (Number.isNaN(got) && Number.isNaN(want));
      if (!isSame && !(Math.abs(got - want) <= 2 * (made.errors[flat] ?? 0))) isRight = false;
      if (taken === undefined) return;
      const { numbers, errors, isHeld } = taken;
      if (isHeld[flat] === 0) numbers[flat] = got;
      else if (got !== numbers[flat] && !Number.isNaN(got))
        errors[flat] = Math.max(errors[flat] as number, Math.abs(got - (numbers[flat] as number)));
      isHeld[flat] = 1;
    });
  }
  return isRight;
}
