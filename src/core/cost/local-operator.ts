import { product } from "#core/arithmetic";
import {
  bytesOf,
  type DType,
  type Operand,
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { type Storages, storagesOf } from "#core/ir/storages";
import { blockCount, localShape, type Part } from "#core/mesh";
import { type Microbatches, runShape } from "#core/plan";
import {
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valuesById,
} from "#core/program";
import { fieldOf } from "#core/records";

/** Inputs of measuring the work of a step. */
export interface Measure {
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly values: ReadonlyMap<ValueId, Value>;
  /** Bytes of every value on the device that holds most of it. */
  readonly sizes: ReadonlyMap<ValueId, number>;
  readonly tensors: ReadonlyMap<TensorId, Tensor>;
  readonly microbatches: Microbatches | undefined;
  readonly storages: Storages;
  /** Shapes of whole tensors; with micro-batches, of one run. */
  readonly shapeOf: LocalOperator["shapeOf"];
  /** Cache of facts about values, filled on demand. */
  readonly held: Map<ValueId, HeldValue>;
}

function heldValue(id: ValueId, measure: Measure): HeldValue {
  const known = measure.held.get(id);
  if (known !== undefined) return known;
  const held = new HeldValue(id, measure);
  measure.held.set(id, held);
  return held;
}

/** The part of an operand or result that one device has. */
export interface LocalTensor {
  /** Bytes in memory; elements repeated along a dim are stored once. */
  readonly bytes: number;
  readonly elements: number;
  readonly dtype: DType;
  /** Lengths of its dims. */
  readonly shape: readonly number[];
  /** Index axes and numbers that each dim is made of. */
  readonly dims: Operand["dims"];
  /** Whether neighbours along the last dim lie apart, as in a transposed view. */
  readonly isAcross: boolean;
}

/** An operator as the busiest device runs it. */
export interface LocalOperator {
  readonly operator: Operator;
  /** Name of the library entry that it runs by; empty for a function that the user registered. */
  readonly entry: string;
  readonly inputs: readonly LocalTensor[];
  readonly outputs: readonly LocalTensor[];
  /** Points along an index axis on this device; a numeric name gives its own value. */
  readonly sizeOf: (axis: string) => number;
  /** Points along an index axis of the whole operator. */
  readonly wholeOf: (axis: string) => number;
  /** Shapes of whole tensors; with micro-batches, of one run. */
  readonly shapeOf: (tensor: TensorId) => readonly number[];
  /** Whether the operator is a view of an operand's memory, so that no kernel runs. */
  readonly isView: boolean;
  /** Number of operators that one kernel computes together, this one included. */
  readonly siblings: number;
}

export function measureOf(program: SpmdProgram, sizes: ReadonlyMap<ValueId, number>): Measure {
  const { microbatches } = program;
  const tensors = tensorsById(program.graph);
  return {
    operators: operatorsById(program.graph),
    sizes,
    values: valuesById(program),
    tensors,
    microbatches,
    shapeOf: (id) => {
      const tensor = tensors.get(id);
      return tensor === undefined ? [] : runShape(microbatches, tensor);
    },
    storages: storagesOf(program.graph),
    held: new Map(),
  };
}

/**
 * A step's operator with the busiest device's share of everything; `undefined` for an unknown one.
 */
export function localOperator(step: LocalStep, measure: Measure): LocalOperator | undefined {
  const operator = measure.operators.get(step.operator);
  if (operator === undefined) return undefined;
  const { inputs, outputs } = operator;
  const wholeOf = wholeSizes(operator, measure);
  return {
    operator,
    entry: operator.entry ?? "",
    inputs: step.inputs.map(
      (id, at) => new HeldTensor(heldValue(id, measure), inputs[at]?.dims ?? []),
    ),
    outputs: step.outputs.map(
      (id, at) => new HeldTensor(heldValue(id, measure), outputs[at]?.dims ?? []),
    ),
    sizeOf: (axis) => sizeOn(step, axis, wholeOf(axis)),
    wholeOf,
    shapeOf: measure.shapeOf,
    isView: measure.storages.views.has(operator.id),
    siblings: operator.sharedBy ?? 1,
  };
}

function wholeSizes(operator: Operator, { microbatches }: Measure) {
  const rows = microbatches?.axes.get(operator.id);
  return (axis: string): number => {
    const size = operator.axes.find(({ name }) => name === axis)?.size ?? Number(axis);
    return axis === rows ? size / (microbatches?.count ?? 1) : size;
  };
}

function sizeOn({ strategy: { cuts, sizes } }: LocalStep, axis: string, size: number): number {
  const lengths = fieldOf(sizes, axis);
  if (lengths !== undefined) return Math.max(...lengths);
  const parts = fieldOf(cuts, axis);
  return parts === undefined ? size : pointsOf(size, parts);
}

/** Points of an index axis that one device computes, summed over its pieces. */
function pointsOf(size: number, parts: readonly Part[]): number {
  const inside = parts.filter(({ kind }) => kind === "pieces");
  return Math.ceil(size / blockCount(parts)) * blockCount(inside);
}

/** Facts about a value that determine its kernels, each computed on first use. */
class HeldValue {
  readonly dtype: DType;
  readonly elements: number;
  /** Elements between neighbours along each dim; empty if unknown. */
  private readonly strides: readonly number[];
  private readonly held: number;
  private readonly value: Value | undefined;
  private readonly measure: Measure;
  private ownShape: readonly number[] | undefined;
  private ownBytes: number | undefined;

  constructor(id: ValueId, measure: Measure) {
    this.measure = measure;
    this.value = measure.values.get(id);
    this.held = measure.sizes.get(id) ?? 0;
    this.dtype = this.value?.dtype ?? "f32";
    this.elements = this.held / bytesOf(this.dtype);
    this.strides = (this.value && measure.storages.strides.get(this.value.tensor)) ?? [];
  }

  get shape(): readonly number[] {
    this.ownShape ??= this.shapeOnDevice();
    return this.ownShape;
  }

  private shapeOnDevice(): readonly number[] {
    const tensor = this.value && this.measure.tensors.get(this.value.tensor);
    if (this.value === undefined || tensor === undefined) return [];
    return localShape(this.value.layout, runShape(this.measure.microbatches, tensor));
  }

  get bytes(): number {
    this.ownBytes ??= this.bytesInMemory();
    return this.ownBytes;
  }

  private bytesInMemory(): number {
    const { strides } = this;
    if (!strides.includes(0)) return this.held;
    return this.shape.reduce(
      (rest, size, dim) => (strides[dim] === 0 ? rest / size : rest),
      this.held,
    );
  }

  get isAcross(): boolean {
    const last = this.shape.findLastIndex((size) => size > 1);
    return (this.strides[last] ?? 1) > 1;
  }
}

/** A value as an operand or a result of an operator. */
class HeldTensor implements LocalTensor {
  readonly dims: Operand["dims"];
  readonly dtype: DType;
  readonly elements: number;
  private readonly held: HeldValue;

  constructor(held: HeldValue, dims: Operand["dims"]) {
    this.held = held;
    this.dims = dims;
    this.dtype = held.dtype;
    this.elements = held.elements;
  }

  get shape(): readonly number[] {
    return this.held.shape;
  }

  get bytes(): number {
    return this.held.bytes;
  }

  get isAcross(): boolean {
    return this.held.isAcross;
  }
}

/** Operator as if a single device ran all of it. */
export function wholeOperator(
  operator: Operator,
  tensors: ReadonlyMap<TensorId, Tensor>,
): LocalOperator {
  const { axes } = operator;
  const sizeOf = (axis: string) => axes.find(({ name }) => name === axis)?.size ?? Number(axis);
  const shapeOf = (id: TensorId) => tensors.get(id)?.shape ?? [];
  const whole = ({ tensor, dims }: Operand): LocalTensor => {
    const { shape = [], dtype = "f32" } = tensors.get(tensor) ?? {};
    const elements = product(shape);
    const bytes = elements * bytesOf(dtype);
    return { bytes, elements, dtype, shape, dims, isAcross: false };
  };
  return {
    operator,
    entry: operator.entry ?? "",
    inputs: operator.inputs.map(whole),
    outputs: operator.outputs.map(whole),
    sizeOf,
    wholeOf: sizeOf,
    shapeOf,
    isView: false,
    siblings: 1,
  };
}
