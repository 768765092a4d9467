import type { Compiled, Reader } from "#compile";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Gesture, LinkedTensor } from "#edit";
import { type BlockRun, blocksOf } from "./canvas-blocks.ts";

/**
 * Extends a gesture to all blocks equal to the one it changes, since a stack draws them once; a
 * gesture outside equal blocks is returned unchanged.
 *
 * @param single keys of runs in which a gesture changes that run alone
 */
export function extendToEqualBlocks(
  compiled: Compiled,
  gesture: Gesture,
  single: readonly string[] = [],
): Gesture {
  if ("tensor" in gesture) {
    const alike = alikeTensors(compiled, gesture, single);
    return alike.length === 0 ? gesture : { ...gesture, alike };
  }
  if (gesture.kind === "choose-steps") {
    const alike = alikeRedistributions(compiled, gesture.redistribution, single);
    return alike.length === 0 ? gesture : { ...gesture, alike };
  }
  if (gesture.kind !== "pin") return gesture;
  const { tensors } = compiled.graph;
  const tensor = tensors.find(({ name }) => name === gesture.name);
  const members = tensor === undefined ? [] : alikeTensors(compiled, { tensor: tensor.id }, single);
  const names = new Map(tensors.map(({ id, name }) => [id, name]));
  const alike = members.flatMap((member) => names.get(member.tensor) ?? []);
  return alike.length === 0 ? gesture : { ...gesture, alike };
}

/** The run of equal blocks that contains the target of a gesture, and the block's other runs. */
interface RunAmong {
  readonly run: BlockRun;
  readonly others: readonly BlockRun[];
}

function runWith(
  compiled: Compiled,
  single: readonly string[],
  holds: (run: BlockRun) => boolean,
): RunAmong | undefined {
  for (const { alike } of blocksOf(compiled)) {
    const run = alike.find(holds);
    if (run === undefined) continue;
    const isAlone = single.includes(run.key);
    return isAlone ? undefined : { run, others: alike.filter((each) => each !== run) };
  }
  return undefined;
}

function alikeRedistributions(
  compiled: Compiled,
  redistribution: number,
  single: readonly string[],
): readonly number[] {
  const found = runWith(compiled, single, (run) => run.redistributions.includes(redistribution));
  const at = found?.run.redistributions.indexOf(redistribution) ?? -1;
  return found?.others.flatMap(({ redistributions }) => redistributions[at] ?? []) ?? [];
}

/** The tensors at the same position in the other runs, with the readers at the same position. */
function alikeTensors(
  compiled: Compiled,
  { tensor, reader }: LinkedTensor,
  single: readonly string[],
): readonly LinkedTensor[] {
  const found = runWith(
    compiled,
    single,
    ({ made, parameters }) => made.includes(tensor) || parameters.includes(tensor),
  );
  if (found === undefined) return [];
  const known = new Map(compiled.graph.operators.map((operator) => [operator.id, operator]));
  const slot = slotOf(found.run, tensor, known);
  return found.others.flatMap((other): readonly LinkedTensor[] => {
    const operator = slot && known.get(operatorAt(other, slot.place));
    const operand = slot && operator?.[slot.side][slot.operand];
    if (operand === undefined) return [];
    const by = reader && readerIn(reader, found.run, other);
    return [{ tensor: operand.tensor, ...(by !== undefined && { reader: by }) }];
  });
}

/** Position at which a run makes a tensor, or first reads it. */
interface Slot {
  /** Index of the operator in the run. */
  readonly place: number;
  readonly side: "inputs" | "outputs";
  readonly operand: number;
}

function slotOf(
  { operators }: BlockRun,
  tensor: TensorId,
  known: ReadonlyMap<OperatorId, Operator>,
): Slot | undefined {
  for (const side of ["outputs", "inputs"] as const) {
    for (const [place, id] of operators.entries()) {
      const operand = known.get(id)?.[side].findIndex((each) => each.tensor === tensor) ?? -1;
      if (operand >= 0) return { place, side, operand };
    }
  }
  return undefined;
}

function operatorAt({ operators }: BlockRun, place: number): OperatorId {
  const id = operators[place];
  if (id === undefined) throw new Error("equal runs of unequal length");
  return id;
}

function readerIn({ operator, operand }: Reader, run: BlockRun, other: BlockRun): Reader {
  const place = run.operators.indexOf(operator);
  return { operator: place < 0 ? operator : operatorAt(other, place), operand };
}
