import { type Checked, failed, type Span } from "#core/diagnostics";
import type { Attributes } from "../attributes.ts";
import { type BoundEntry, bindCall, linearGroups } from "../bind-call.ts";
import { cutsOfBody, withCutsOfBody } from "../body/body-cuts.ts";
import type { DType } from "../dtype.ts";
import type { LibraryEntry } from "../entry.ts";
import {
  type Graph,
  type Operand,
  type Operator,
  operatorId,
  type Tensor,
  type TensorId,
  tensorId,
} from "../graph.ts";
import { resultType } from "../types/result-types.ts";

/** A tensor that no call of the graph makes. */
export interface GivenTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly role: "input" | "parameter";
  readonly span?: Span;
}

/** A call of the library. */
export interface LibraryCall {
  /** Name of the first result, and so of the operator; further results append their number. */
  readonly name: string;
  readonly entry: LibraryEntry;
  /** Tensors of this graph. */
  readonly inputs: readonly Tensor[];
  readonly attributes?: Attributes;
  readonly span?: Span;
}

/**
 * A graph while a reader adds its tensors and calls of the library in program order. A name that is
 * taken gets `#2`, `#3`, …
 *
 * @internal
 */
export class GraphBuilder {
  private readonly tensors = new Map<TensorId, Tensor>();
  private readonly operators: Operator[] = [];
  private readonly read = new Set<TensorId>();

  /** Adds a tensor that is given. */
  give({ name, shape, dtype, role, span }: GivenTensor): Tensor {
    return this.add({
      ...this.named(name),
      ...{ shape, dtype, dtypeText: dtype, role, shapeStatus: "set" },
      dimNames: shape.map((_, dim) => `d${dim}`),
      ...(span !== undefined && { span }),
    });
  }

  /**
   * Adds a call and its results. If the call does not bind to its operands (dimops.md §2), nothing
   * is added and the faults are reported at its place.
   */
  call({ name, entry, inputs, attributes = {}, span }: LibraryCall): Checked<readonly Tensor[]> {
    const shapes = inputs.map(({ shape }) => shape);
    const bound = bindCall(entry, { inputs: shapes, attributes });
    if (!bound.ok)
      return failed(...bound.diagnostics.map((each) => (span ? { ...each, span } : each)));
    const { call } = bound.value;
    for (const { id } of inputs) this.read.add(id);
    const made = call.outputs.map(({ shape, dims }, at) =>
      this.add({
        ...this.named(at === 0 ? name : `${name}.${at}`),
        ...{ shape, role: "activation", shapeStatus: "inferred", ...typeOf(entry, inputs, at) },
        dimNames: dims.map(({ identifiers }, dim) => identifiers.join("·") || `d${dim}`),
        ...(span !== undefined && { span }),
      }),
    );
    const id = operatorId(made[0]?.name ?? name);
    const operator = operatorFrom(bound.value, { name: id, entry, inputs, attributes }, made);
    this.operators.push({ ...operator, id, ...(span !== undefined && { span }) });
    const produced = made.map((tensor) => this.add({ ...tensor, producer: id }));
    return { ok: true, value: produced, diagnostics: bound.diagnostics };
  }

  /** The graph so far; results that no call reads are its outputs. */
  graph(): Graph {
    const tensors = [...this.tensors.values()];
    const results = tensors.filter(
      ({ id, producer }) => producer !== undefined && !this.read.has(id),
    );
    return { tensors, operators: this.operators, outputs: results.map(({ id }) => id) };
  }

  private named(base: string): Pick<Tensor, "id" | "name"> {
    let name = base;
    for (let count = 2; this.tensors.has(tensorId(name)); count += 1) name = `${base}#${count}`;
    return { id: tensorId(name), name };
  }

  private add(tensor: Tensor): Tensor {
    this.tensors.set(tensor.id, tensor);
    return tensor;
  }
}

/** Dtype of a result by its entry's rule; without an answer, the dtype of the first operand. */
function typeOf(entry: LibraryEntry, inputs: readonly Tensor[], at: number) {
  const rule = entry.types[at] ?? entry.types.at(-1);
  const operands = inputs.map(({ dtype, shape }) => ({
    dtype,
    weight: shape.length === 0 ? ("scalar" as const) : ("tensor" as const),
  }));
  const dtype = (rule && resultType(rule, operands)) ?? inputs[0]?.dtype ?? "f32";
  return { dtype, dtypeText: dtype };
}

function operatorFrom(
  { bound, call }: BoundEntry,
  { name, entry, inputs, attributes = {} }: LibraryCall,
  made: readonly Tensor[],
): Omit<Operator, "id"> {
  const given = call.inputs.filter((operand) => operand !== undefined);
  const operand = ({ id }: Tensor, dims: Operand["dims"] = []): Operand => ({ tensor: id, dims });
  const shapes = inputs.map(({ shape }) => shape);
  const form = {
    annotation: bound.annotation,
    axes: call.axes,
    inputs: inputs.map((input, at) => operand(input, given[at]?.dims)),
    outputs: made.map((output, at) => operand(output, call.outputs[at]?.dims)),
    ...(entry.combine !== undefined && { combine: entry.combine }),
  };
  return {
    ...withCutsOfBody(form, cutsOfBody(call, entry.body(call), entry.combine)),
    ...{ name, op: entry.name, entry: entry.name, attributes, reducesInside: false },
    call: `${entry.name}(${inputs.map((input) => input.name).join(", ")})`,
    linear: linearGroups(entry, shapes),
  };
}
