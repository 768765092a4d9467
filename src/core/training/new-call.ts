import {
  type Attributes,
  bindCall,
  type CallShapes,
  type CutsOfBody,
  cutsOfBody,
  type LibraryEntry,
  linearGroups,
  type Operator,
  type OperatorId,
  operatorId,
  type Phase,
  type Tensor,
  type TensorId,
  withCutsOfBody,
} from "#core/ir";
import type { Layout } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";

/** A call of a library operator that is to be added to a graph. */
export interface NewCall {
  readonly entry: LibraryEntry;
  readonly inputs: readonly Tensor[];
  readonly attributes: Attributes;
  /** Where it is not the entry's own; `?` stands for what is no tensor. */
  readonly annotation?: string;
  readonly phase: Phase;
  /** Results of one element, which annotations write as `1`, have no dims. */
  readonly givesScalars?: boolean;
  /** The forward operator that it belongs to. */
  readonly of?: Operator;
}

/** A call with its annotation bound: everything of the operator except its results' names. */
export interface BoundNewCall {
  readonly shapes: readonly (readonly number[])[];
  readonly operator: (outputs: readonly TensorId[]) => Operator;
}

/** Calls that were bound: the layers of a program ask for the same again and again. */
export type KnownCalls = Map<string, KnownCall>;

interface KnownCall {
  readonly bound: ReturnType<typeof bindCall>;
  /** How its body may be cut, once that was asked. */
  cuts?: CutsOfBody;
}

/** Binds a call; undefined where its annotation does not bind to the shapes of its operands. */
export function bindNewCall(call: NewCall, known: KnownCalls): BoundNewCall | undefined {
  const { entry, inputs, attributes } = call;
  const shapes = withPlainOperands(
    inputs.map(({ shape }) => shape),
    call.annotation,
  );
  const key = JSON.stringify([entry.name, shapes, attributes, call.annotation]);
  const about: KnownCall = known.get(key) ?? {
    bound: bindCall(entry, { inputs: shapes, attributes }, call.annotation),
  };
  known.set(key, about);
  if (!about.bound.ok) return undefined;
  const { call: body, bound: binding } = about.bound.value;
  const operands = body.inputs.filter((operand) => operand !== undefined);
  const results = body.outputs.map(({ shape }) =>
    call.givesScalars === true && shape.join() === "1" ? [] : shape,
  );
  const operator = (outputs: readonly TensorId[]): Operator => {
    const name = outputs[0] ?? "";
    const made: Operator = {
      id: operatorId(name),
      name,
      op: entry.name,
      entry: entry.name,
      attributes: { ...attributes, ...arithmeticOf(call.of) },
      call: `${entry.name}(${inputs.map((input) => input.name).join(", ")})`,
      annotation: binding.annotation,
      axes: body.axes,
      inputs: inputs.map(({ id, shape }, at) => ({
        tensor: id,
        dims: shape.length === 0 ? [] : (operands[at]?.dims ?? []),
      })),
      outputs: outputs.map((tensor, at) => ({
        tensor,
        dims: results[at]?.length === 0 ? [] : (body.outputs[at]?.dims ?? []),
      })),
      linear: linearGroups(entry, shapes),
      ...(entry.combine !== undefined && { combine: entry.combine }),
      reducesInside: call.of?.reducesInside ?? false,
      ...origin(call.of?.id, call.of?.span),
      phase: call.phase,
    };
    if (call.of?.inner === undefined) return made;
    about.cuts ??= cutsOfBody(body, entry.body(body), made.combine);
    return withCutsOfBody(made, about.cuts);
  };
  return { shapes: results, operator };
}

/** Gradients of a product are made in its own arithmetic, where that is another than its data type's. */
function arithmeticOf(forward: Operator | undefined): Attributes {
  const arithmetic = fieldOf(forward?.attributes, "arithmetic");
  return arithmetic === undefined ? {} : { arithmetic };
}

function origin(of: OperatorId | undefined, span: Operator["span"]) {
  return { ...(of !== undefined && { of }), ...(span !== undefined && { span }) };
}

/** Binds a call of the library that must fit; throws if it does not, which is a fault of the library. */
export function bindSure(call: NewCall, known: KnownCalls): BoundNewCall {
  const bound = bindNewCall(call, known);
  if (bound === undefined) throw new Error(`${call.entry.name} does not bind`);
  return bound;
}

/** Shapes at the positions of an annotation's inputs, where `?` stands for what is no tensor. */
function withPlainOperands(
  shapes: readonly (readonly number[])[],
  annotation: string | undefined,
): CallShapes["inputs"] {
  if (annotation?.includes("?") !== true) return shapes;
  const given = [...shapes];
  const [left = ""] = annotation.split("->");
  return left.split(",").map((text) => (text.trim() === "?" ? undefined : given.shift()));
}

/** The strategy of an element-wise operator that works on the blocks of a layout. */
export function layoutPlan(operator: Operator, layout: Layout): OperatorPlan {
  const [first] = operator.outputs;
  const cuts = (first?.dims ?? []).map(
    ({ splittable }, dim) => [splittable ?? "", layout.dims[dim]?.parts ?? []] as const,
  );
  const kept = Object.fromEntries(cuts.filter(([name, parts]) => name !== "" && parts.length > 0));
  const carry = layout.partials.map(({ part }) => part);
  return { strategy: { cuts: kept, carry }, mesh: layout.mesh, status: "inferred" };
}
