import {
  type Attributes,
  bindCall,
  type CallShapes,
  type GradientStep,
  type LibraryEntry,
  linearGroups,
  type Operator,
  type OperatorId,
  operatorId,
  type Phase,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import { cutsOfBody, withCutsOfBody } from "#core/ir/body";
import type { Layout } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { fieldOf, sameItems } from "#core/records";

/** A library call to be added to a graph. */
export interface NewCall {
  readonly entry: LibraryEntry;
  readonly inputs: readonly Tensor[];
  readonly attributes: Attributes;
  /** An annotation other than the entry's own; `?` marks an argument that is no tensor. */
  readonly annotation?: string;
  readonly phase: Phase;
  /** Whether results of one element, which annotations write as `1`, have no dims. */
  readonly givesScalars?: boolean;
  /** The forward operator to which the new one belongs. */
  readonly of?: Operator;
  /**
   * Gradient step that the call runs. One step makes the same call whenever its operands have the
   * same shapes.
   */
  readonly step?: GradientStep;
}

/** A call with its annotation bound: the whole operator except its results' names. */
export interface BoundNewCall {
  readonly shapes: readonly (readonly number[])[];
  readonly operator: (outputs: readonly TensorId[]) => Operator;
}

/** Bound calls by key: the layers of a program repeat the same calls. */
export type KnownCalls = Map<string, KnownCall>;

type Bound = Extract<ReturnType<typeof bindCall>, { readonly ok: true }>["value"];

/** The fields that equal operators share, as the very same objects. */
type Form = Pick<
  Operator,
  "op" | "annotation" | "axes" | "inputs" | "outputs" | "linear" | "inner" | "combine"
>;

interface KnownCall {
  readonly shapes: CallShapes["inputs"];
  readonly bound: ReturnType<typeof bindCall>;
  /** The shared fields of the call's operators, once computed. */
  plain?: Form;
  /** The shared fields when bodies decide the cuts. */
  opened?: Form;
}

/** Binds a call; `undefined` if its annotation does not fit the shapes of its operands. */
export function bindNewCall(call: NewCall, known: KnownCalls): BoundNewCall | undefined {
  const about = knownCall(call, known);
  if (!about.bound.ok) return undefined;
  const { entry, inputs, attributes } = call;
  const bound = about.bound.value;
  const results = bound.call.outputs.map(({ shape }) =>
    call.givesScalars === true && shape.join() === "1" ? [] : shape,
  );
  const arithmetic = fieldOf(call.of?.attributes, "arithmetic");
  const operator = (outputs: readonly TensorId[]): Operator => {
    const name = outputs[0] ?? "";
    const form = formOf(call, about, bound);
    return {
      id: operatorId(name),
      name,
      entry: entry.name,
      ...form,
      attributes: arithmetic === undefined ? attributes : { ...attributes, arithmetic },
      call: `${entry.name}(${inputs.map((input) => input.name).join(", ")})`,
      inputs: inputs.map(({ id }, at) => ({ tensor: id, dims: form.inputs[at]?.dims ?? [] })),
      outputs: outputs.map((tensor, at) => ({
        tensor,
        dims: results[at]?.length === 0 ? [] : (form.outputs[at]?.dims ?? []),
      })),
      reducesInside: call.of?.reducesInside ?? false,
      ...origin(call.of?.id, call.of?.span),
      phase: call.phase,
    };
  };
  return { shapes: results, operator };
}

/** Bound calls by gradient step, dropped with the step; they avoid building the text of a key. */
const bySteps = new WeakMap<GradientStep, KnownCall>();

/** A call with its annotation bound, remembered from before if possible. */
function knownCall(
  { entry, inputs, attributes, annotation, step }: NewCall,
  known: KnownCalls,
): KnownCall {
  const shapes = withPlainOperands(
    inputs.map(({ shape }) => shape),
    annotation,
  );
  const before = step && bySteps.get(step);
  if (before !== undefined && sameShapes(before.shapes, shapes)) return before;
  const key = JSON.stringify([entry.name, shapes, attributes, annotation]);
  const bound = () => bindCall(entry, { inputs: shapes, attributes }, annotation);
  const about = known.get(key) ?? { shapes, bound: bound() };
  known.set(key, about);
  if (step !== undefined) bySteps.set(step, about);
  return about;
}

function sameShapes(a: CallShapes["inputs"], b: CallShapes["inputs"]): boolean {
  return (
    a.length === b.length &&
    a.every((shape, at) => {
      const other = b[at];
      if (shape === undefined || other === undefined) return shape === other;
      return sameItems(shape, other);
    })
  );
}

/** Fields that are equal for all operators of one call. */
function formOf({ entry, inputs, of }: NewCall, about: KnownCall, bound: Bound): Form {
  const { plain, opened } = about;
  if (of?.inner === undefined && plain !== undefined) return plain;
  if (of?.inner !== undefined && opened !== undefined) return opened;
  const { call: body, bound: binding } = bound;
  const operands = body.inputs.filter((operand) => operand !== undefined);
  const form: Form = {
    op: entry.name,
    annotation: binding.annotation,
    axes: body.axes,
    inputs: inputs.map(({ shape }, at) => ({
      tensor: unnamed,
      dims: shape.length === 0 ? [] : (operands[at]?.dims ?? []),
    })),
    outputs: body.outputs.map(({ dims }) => ({ tensor: unnamed, dims })),
    linear: linearGroups(entry, about.shapes),
    ...(entry.combine !== undefined && { combine: entry.combine }),
  };
  if (of?.inner === undefined) {
    about.plain = form;
    return form;
  }
  const cut = withCutsOfBody(form, cutsOfBody(body, entry.body(body), form.combine));
  about.opened = cut;
  return cut;
}

const unnamed = tensorId("");

function origin(of: OperatorId | undefined, span: Operator["span"]) {
  return { ...(of !== undefined && { of }), ...(span !== undefined && { span }) };
}

/**
 * Binds a library call that must fit; a call that does not fit is a fault of the library and
 * throws.
 */
export function bindOrThrow(call: NewCall, known: KnownCalls): BoundNewCall {
  const bound = bindNewCall(call, known);
  if (bound === undefined) throw new Error(`${call.entry.name} does not bind`);
  return bound;
}

/**
 * Shapes at the positions of an annotation's inputs; `undefined` at `?`, an argument that is no
 * tensor.
 */
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
