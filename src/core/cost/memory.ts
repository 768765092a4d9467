import {
  type Operator,
  type OperatorId,
  operatorsById,
  tensorsById,
  unknownTensor,
} from "#core/ir";
import { sameBlocks } from "#core/mesh";
import {
  type FlatStep,
  placesOfValues,
  type SpmdProgram,
  type Value,
  type ValueId,
  valuesById,
} from "#core/program";
import type { HeldBytes, Memory } from "./cost.ts";
import { type Holding, type Holdings, holdingsOf } from "./holdings.ts";
import { valueBytes } from "./operator-seconds.ts";
import { type Workspace, workspaceOf } from "./workspace.ts";

/**
 * Memory of the fullest device. Inputs, parameters and states live throughout; every other value
 * lives from the step that computes it to the last step that needs it (`holdingsOf`). A kernel's
 * workspace exists while it runs. An updated parameter or state takes over the memory of the old
 * one.
 *
 * @param sizes bytes of every value (`valueBytes`), if the caller has them
 */
export function memoryOf(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): Memory {
  const moments = new Moments(program, sizes);
  const { curve } = moments;
  const peak = curve.reduce((most, bytes, at) => (bytes > (curve[most] ?? 0) ? at : most), 0);
  const alive = largestFirst(moments.aliveAt(peak));
  const values = valuesById(program);
  const ofRole = (role: Value["role"]) =>
    alive.reduce((sum, { value, bytes, isWorkspace }) => {
      return values.get(value)?.role === role && isWorkspace !== true ? sum + bytes : sum;
    }, 0);
  return {
    peakBytes: curve[peak] ?? 0,
    afterForwardBytes: moments.betweenPasses(),
    curve,
    parameterBytes: ofRole("parameter"),
    inputBytes: ofRole("input"),
    activationBytes: ofRole("activation"),
    gradientBytes: ofRole("gradient"),
    optimizerBytes: ofRole("state"),
    workspaceBytes: alive.reduce((sum, each) => sum + (each.isWorkspace ? each.bytes : 0), 0),
    reservedBytes: reserved(alive),
    alive,
  };
}

/** Order of held pieces: largest first, equal ones by value and name. */
function largestFirst(alive: readonly HeldBytes[]): readonly HeldBytes[] {
  return alive.toSorted(
    (a, b) => b.bytes - a.bytes || inOrder(a.value, b.value) || inOrder(a.what ?? "", b.what ?? ""),
  );
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The pieces of memory that the fullest device holds while a step runs, each once: values that the
 * step reads and makes, values that a later step still needs, and the kernel's workspace. Their
 * bytes add up to `memoryOf`'s curve.
 *
 * @param step index into `flatSteps(program)`
 */
export function aliveAt(program: SpmdProgram, step: number): readonly HeldBytes[] {
  return aliveAtSteps(program)(step);
}

/** `aliveAt` for many steps of one program: the work that they share is done once. */
export function aliveAtSteps(program: SpmdProgram): (step: number) => readonly HeldBytes[] {
  const moments = new Moments(program, valueBytes(program));
  return (step) => moments.aliveAt(step);
}

/** Sizes in bytes to which an allocator rounds: of every piece, and of large pieces. */
const granule = 512;
const segment = 2 ** 21;
/**
 * Largest remainder in bytes after a large block that the allocator does not hand out separately.
 */
const unsplit = 2 ** 20;

/**
 * Bytes that a block allocator takes beyond the requested ones. Every piece is rounded up to 512
 * bytes, and a large piece (at least 10 MB) to a multiple of 2 MB if that adds at most 1 MB.
 */
function reserved(alive: readonly HeldBytes[]): number {
  return alive.reduce((sum, { bytes }) => {
    const rounded = Math.ceil(bytes / granule) * granule;
    const left = Math.ceil(rounded / segment) * segment - rounded;
    return sum + rounded - bytes + (rounded >= 5 * segment && left <= unsplit ? left : 0);
  }, 0);
}

/** The memory of a program moment by moment. */
class Moments {
  readonly curve: readonly number[];
  private readonly holdings: Holdings;
  private readonly order: ReadonlyMap<ValueId, number>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly bytes: ReadonlyMap<ValueId, number>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly isUnknown: boolean;

  constructor(program: SpmdProgram, sizes: ReadonlyMap<ValueId, number>) {
    const { graph } = program;
    this.bytes = ownBytes(program, sizes);
    this.holdings = holdingsOf(program, this.bytes);
    this.order = placesOfValues(program);
    this.values = valuesById(program);
    this.operators = operatorsById(graph);
    this.isUnknown = unknownTensor(graph) !== undefined;
    this.curve = this.swept();
  }

  /** Bytes while each step runs, from one sweep over the starts and ends of holdings. */
  private swept(): readonly number[] {
    const { all, steps } = this.holdings;
    const changes = new Array<number>(Math.max(1, steps.length) + 1).fill(0);
    for (const { first, last, bytes } of all) {
      if (last < first) continue;
      changes[first] = (changes[first] ?? 0) + bytes;
      changes[last + 1] = (changes[last + 1] ?? 0) - bytes;
    }
    let total = 0;
    return changes.slice(0, -1).map((by, at) => {
      total += by;
      return total + (this.workspaceAt(steps[at])?.bytes ?? 0);
    });
  }

  private workspaceAt(step: FlatStep | undefined): Workspace | undefined {
    if (step?.kind !== "local") return undefined;
    const operator = this.operators.get(step.operator);
    return operator && workspaceOf(operator, step, this.values, this.bytes);
  }

  /** Bytes held between the last step of the forward pass and the next step. */
  betweenPasses(): number {
    const { all, steps } = this.holdings;
    const next = steps.findIndex(({ phase }) => phase !== "forward");
    if (next < 0 || this.isUnknown) return Number.NaN;
    return all.reduce((sum, { first, last, bytes }) => {
      const isUnmade = first === 0 && last >= next;
      return isUnmade || (first < next && last >= next) ? sum + bytes : sum;
    }, 0);
  }

  /**
   * Pieces of memory held while a step runs, in the program's order of values. Each is named by the
   * value that the step uses of it, if that covers the whole piece.
   */
  aliveAt(moment: number): HeldBytes[] {
    const step = this.holdings.steps[moment];
    const shown = this.shownBy(step);
    const alive: HeldBytes[] = [];
    for (const holding of this.holdings.all) {
      const { value, what, bytes, first, last } = holding;
      if (first > moment || moment > last) continue;
      if (what !== undefined) alive.push({ value, what, bytes });
      else alive.push({ value: shown.get(holding) ?? value, bytes });
    }
    const workspace = this.workspaceAt(step);
    const output = step?.kind === "local" ? step.outputs[0] : undefined;
    const taken: readonly HeldBytes[] =
      workspace === undefined || output === undefined
        ? []
        : [{ value: output, ...workspace, isWorkspace: true }];
    const placed = [...alive, ...taken].map((held) => {
      return { held, place: this.order.get(held.value) ?? 0 };
    });
    return placed.sort((a, b) => a.place - b.place).map(({ held }) => held);
  }

  private shownBy(step: FlatStep | undefined): ReadonlyMap<Holding, ValueId> {
    const shown = new Map<Holding, ValueId>();
    const used = step?.kind === "local" ? [...step.inputs, ...step.outputs] : [];
    for (const id of used) {
      const holding = this.holdings.of.get(id);
      if (holding !== undefined && this.bytes.get(id) === holding.bytes) shown.set(holding, id);
    }
    return shown;
  }
}

/**
 * Bytes of every value; 0 for a value that takes over the memory of the tensor it replaces. An
 * input counts with the rows of all micro-batches.
 */
function ownBytes(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number>,
): ReadonlyMap<ValueId, number> {
  const { microbatches } = program;
  if (microbatches === undefined) return placedBytes(program, sizes);
  const bytes = new Map(placedBytes(program, sizes));
  for (const { id, role, tensor } of program.values) {
    const isWhole = role === "input" && program.made.get(tensor) === id;
    if (!isWhole || !microbatches.dims.has(tensor)) continue;
    bytes.set(id, (bytes.get(id) ?? 0) * microbatches.count);
  }
  return bytes;
}

function placedBytes(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number>,
): ReadonlyMap<ValueId, number> {
  if (program.graph.tensors.every(({ replaces }) => replaces === undefined)) return sizes;
  const tensors = tensorsById(program.graph);
  const values = valuesById(program);
  const bytes = new Map(sizes);
  for (const { id, tensor, layout } of program.values) {
    const { replaces, shape = [] } = tensors.get(tensor) ?? {};
    const at = replaces === undefined ? undefined : program.made.get(replaces);
    const old = at === undefined ? undefined : values.get(at);
    if (old !== undefined && sameBlocks(layout, old.layout, shape)) bytes.set(id, 0);
  }
  return bytes;
}
