import { groupsOf, type Move } from "#core/collective";
import type { Box } from "#core/indexspace";
import type { Graph, Operand, Operator, OperatorId, TensorId } from "#core/ir";
import type { DeviceId, DeviceMesh, Layout, Part } from "#core/mesh";
import type { Microbatches } from "#core/plan";
import {
  type CollectiveStep,
  type FlatStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valueId,
} from "#core/program";
import { fieldOf } from "#core/records";

/** A program with its micro-batches side by side, and the way back to the original. */
export interface AtOnce {
  readonly program: SpmdProgram;
  /** The index here of a step of the program, written out. */
  readonly placeOf: (step: number) => number;
  /**
   * Device of the original program for a device of this one, which adds one copy per microbatch.
   */
  readonly deviceOf: (device: DeviceId) => DeviceId;
}

/**
 * The program with every microbatch on its own devices, along an additional outermost mesh axis
 * that cuts all rows first. Only `accumulate` connects microbatches, and it becomes a sum over that
 * axis. So the runs can execute in parallel, and their values together are those of the whole
 * batch, comparable with the unsharded program.
 */
export function runsAtOnce(program: SpmdProgram, microbatches: Microbatches): AtOnce {
  const spread = new Spread(program, microbatches);
  const steps: FlatStep[] = [];
  const places: number[] = [];
  for (const step of flatSteps(program)) {
    places.push(steps.length);
    steps.push(...spread.step(step));
  }
  const devices = spread.onAll(program.devices);
  const { microbatches: _, ...rest } = program;
  return {
    program: {
      ...rest,
      devices,
      graph: spread.graph(program.graph),
      values: [...program.values.map((value) => spread.value(value)), ...spread.shares],
      stages: [{ devices, steps }],
    },
    placeOf: (step) => places[step] ?? step,
    deviceOf: (device) => spread.deviceOf(device),
  };
}

class Spread {
  /** Addends of a sum over the microbatches, one per run. */
  readonly shares: Value[] = [];
  private readonly microbatches: Microbatches;
  private readonly tensors: ReadonlyMap<TensorId, Graph["tensors"][number]>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly meshes = new Map<DeviceMesh, DeviceMesh>();
  private readonly part: Part & { kind: "axis" };
  /** Distance between the devices of one micro-batch and those of the next one. */
  private readonly stride: number;

  constructor({ graph, values, devices }: SpmdProgram, microbatches: Microbatches) {
    this.microbatches = microbatches;
    this.tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
    this.operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
    this.values = new Map(values.map((value) => [value.id, value]));
    // No axis of a text can have this name, since names contain no spaces.
    this.part = { kind: "axis", axis: "micro batch", before: 1, size: microbatches.count };
    this.stride = Math.max(...devices) + 1;
  }

  deviceOf(device: DeviceId): DeviceId {
    return device % this.stride;
  }

  onAll(devices: readonly DeviceId[]): readonly DeviceId[] {
    return this.runs().flatMap((run) => devices.map((device) => this.deviceIn(run, device)));
  }

  graph(graph: Graph): Graph {
    return { ...graph, operators: graph.operators.map((operator) => this.operator(operator)) };
  }

  value(value: Value): Value {
    const { held } = value;
    const layout = this.layout(value.layout, value.tensor);
    if (held === undefined) return { ...value, layout };
    return { ...value, layout, held: this.runs().flatMap(() => held) };
  }

  step(step: FlatStep): readonly FlatStep[] {
    return step.kind === "local" ? this.local(step) : [this.collective(step)];
  }

  private runs(): readonly number[] {
    return Array.from({ length: this.microbatches.count }, (_, run) => run);
  }

  private deviceIn(run: number, device: DeviceId): DeviceId {
    return device + run * this.stride;
  }

  private mesh(mesh: DeviceMesh): DeviceMesh {
    const known = this.meshes.get(mesh);
    if (known !== undefined) return known;
    const { axis: name, size } = this.part;
    const spread: DeviceMesh = {
      axes: [{ name, size }, ...mesh.axes],
      devices: this.onAll(mesh.devices),
    };
    this.meshes.set(mesh, spread);
    return spread;
  }

  private layout(layout: Layout, tensor: TensorId): Layout {
    const cut = this.microbatches.dims.get(tensor);
    const isShare = this.microbatches.shares.has(tensor);
    return {
      mesh: this.mesh(layout.mesh),
      dims: layout.dims.map((dim, at) =>
        at === cut ? { ...dim, parts: [this.part, ...dim.parts] } : dim,
      ),
      partials: [
        ...(isShare ? [{ part: this.part, reduce: "sum" } as const] : []),
        ...layout.partials,
      ],
    };
  }

  /** Rows may be cut here even if their identifier is frozen for devices. */
  private operator(operator: Operator): Operator {
    const rows = this.microbatches.axes.get(operator.id);
    if (rows === undefined) return operator;
    const opened = (operand: Operand): Operand => ({
      ...operand,
      dims: operand.dims.map((dim) =>
        dim.identifiers.includes(rows) ? { ...dim, splittable: rows } : dim,
      ),
    });
    return {
      ...operator,
      inputs: operator.inputs.map(opened),
      outputs: operator.outputs.map(opened),
    };
  }

  private local(step: LocalStep): readonly FlatStep[] {
    const rows = this.microbatches.axes.get(step.operator);
    const { cuts, carry } = step.strategy;
    const own =
      rows === undefined ? cuts : { ...cuts, [rows]: [this.part, ...(fieldOf(cuts, rows) ?? [])] };
    const isCarried = rows === undefined && step.inputs.some((id) => this.isShare(id));
    const strategy = {
      ...step.strategy,
      cuts: own,
      carry: isCarried ? [this.part, ...carry] : carry,
    };
    const spread = { ...step, strategy };
    const isSum = this.operators.get(step.operator)?.op === "accumulate";
    return isSum ? this.added(spread) : [spread];
  }

  private isShare(id: ValueId): boolean {
    return this.microbatches.shares.has(this.values.get(id)?.tensor ?? ("" as TensorId));
  }

  /** Replaces additions run by run by one sum over all runs. */
  private added(step: LocalStep): readonly FlatStep[] {
    const [output] = step.outputs;
    const value = output && this.values.get(output);
    if (output === undefined || value === undefined) throw new Error("a sum without its value");
    const sum = this.value(value);
    const id = valueId(`${output} share`);
    const partials = [{ part: this.part, reduce: "sum" } as const, ...sum.layout.partials];
    this.shares.push({ ...sum, id, layout: { ...sum.layout, partials } });
    const all: CollectiveStep = {
      kind: "collective",
      collective: "all-reduce",
      phase: step.phase,
      input: id,
      output,
      moves: [{ part: this.part }],
      axes: [this.part.axis],
      groups: groupsOf(sum.layout.mesh, [this.part]),
      reasons: [],
      elements: 0,
      bytes: 0,
      seconds: 0,
      reshard: -1,
    };
    return [{ ...step, outputs: [id] }, all];
  }

  private collective(step: CollectiveStep): CollectiveStep {
    const tensor = this.values.get(step.input)?.tensor ?? ("" as TensorId);
    const cut = this.microbatches.dims.get(tensor);
    const groups = this.runs().flatMap((run) =>
      step.groups.map((group) => group.map((device) => this.deviceIn(run, device))),
    );
    const moves = step.moves.map((move) => behind(move, cut));
    const { pairs } = step;
    if (pairs === undefined) return { ...step, groups, moves };
    const all = this.runs().flatMap((run) =>
      pairs.map(({ from, to, range }) => ({
        from: this.deviceIn(run, from),
        to: this.deviceIn(run, to),
        range: this.rangeIn(run, range, tensor),
      })),
    );
    return { ...step, groups, moves, pairs: all };
  }

  /** Box of one micro-batch in the indices of the whole batch. */
  private rangeIn(run: number, range: Box, tensor: TensorId): Box {
    const cut = this.microbatches.dims.get(tensor);
    const rows = (this.tensors.get(tensor)?.shape[cut ?? 0] ?? 0) / this.microbatches.count;
    return range.map(({ start, stop }, dim) =>
      dim === cut ? { start: start + run * rows, stop: stop + run * rows } : { start, stop },
    );
  }
}

/** A move shifted inwards by one position on the dim that is first cut into micro-batches. */
function behind({ part, from, to }: Move, cut: number | undefined): Move {
  const shifted = (slot: NonNullable<Move["from"]>) =>
    slot.dim === cut ? { ...slot, position: slot.position + 1 } : slot;
  return {
    part,
    ...(from !== undefined && { from: shifted(from) }),
    ...(to !== undefined && { to: shifted(to) }),
  };
}
