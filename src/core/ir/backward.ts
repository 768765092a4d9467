import { type OpAnno, parseAnnotation, type ShapeAnno } from "#core/dimops";
import { bindCall } from "./bind-call.ts";
import { type Body, folded, read } from "./body/body.ts";
import { mul } from "./body/expressions.ts";
import { axesBeside, type BoundCall, type CallShapes, numberOf, operandAt } from "./call.ts";
import { differentiate, withOperands } from "./differentiate.ts";
import type { Backward, LibraryEntry, SizeOf } from "./entry.ts";
import { gradientAnnotation } from "./gradient-annotation.ts";

/**
 * The `_backward` operator of an entry. Its inputs are the gradient of the output and all operands;
 * its result is the gradient of the operand named by the attribute `operand`.
 */
export function backwardEntry(entry: LibraryEntry, backward: Backward): LibraryEntry {
  const extra = backward.readsOutput === true ? 2 : 1;
  return {
    name: `${entry.name}_backward`,
    aliases: [],
    parameters: ["gradient", ...entry.parameters],
    tensors: entry.tensors + extra,
    required: entry.required + extra,
    variadic: false,
    annotate: (call) => annotate(entry, backward, call),
    body: (call) => backward.body(forwardCall(backward, call), numberOf(call, "operand", 0)),
    gradient: (call) => call.inputs.map(() => []),
    linear: [[0]],
    domains: [undefined, ...entry.domains],
    types: [{ kind: "like", operand: 0 }],
    sample: (size) => sampleOf(entry, backward, size),
  };
}

/**
 * The backward operator of a map and a sum: the chain rule, summed over the axes that the operand
 * lacks.
 */
export function derivedBackward(body: LibraryEntry["body"]): Backward {
  return {
    targets: [],
    body: (call, target): Body => {
      const forward = body(call).outputs[0];
      if (forward === undefined) throw new Error("an operator without an output");
      const derivative = differentiate(forward.value, target);
      const value = mul(
        read(0),
        withOperands(derivative, (operand) => operand + 1),
      );
      const over = axesBeside(call, operandAt(call, target));
      return { tables: [], outputs: [folded("sum", over, value)] };
    },
  };
}

/** The forward operator's call, taken out of its gradient's call. */
function forwardCall({ readsOutput }: Backward, call: BoundCall): BoundCall {
  const [gradient, ...rest] = call.inputs;
  if (gradient === undefined) throw new Error("no gradient to pass back");
  const inputs = readsOutput === true ? rest.slice(0, -1) : rest;
  return { ...call, inputs, outputs: [gradient] };
}

function annotate(entry: LibraryEntry, backward: Backward, call: CallShapes): string {
  const { readsOutput, looksAtAll = false } = backward;
  const shapes = call.inputs.slice(1, readsOutput === true ? -1 : undefined);
  const parsed = parseAnnotation(entry.annotate({ inputs: shapes, attributes: call.attributes }));
  if (!parsed.ok) throw new Error(`the annotation of ${entry.name} cannot be read`);
  const { inputs, outputs } = parsed.value;
  const reductions = reductionsIn(parsed.value);
  const output = outputs.slice(0, 1);
  const target = inputs[numberOf(call, "operand", 0)];
  const operands = [...output, ...inputs, ...(readsOutput === true ? output : [])];
  return gradientAnnotation(operands.map(dimsOf), target && dimsOf(target), (name) =>
    looksAtAll && reductions.get(name) === "+" ? "^" : (reductions.get(name) ?? ""),
  );
}

function reductionsIn({ inputs }: OpAnno) {
  const all = inputs.flatMap(({ dims }) => dims.flatMap(({ identifiers }) => identifiers));
  return new Map(all.map(({ name, reduction }) => [name, reduction]));
}

function dimsOf({ dims, ignored }: ShapeAnno) {
  if (ignored) return undefined;
  return { dims: dims.map(({ identifiers }) => ({ identifiers: identifiers.map((i) => i.name) })) };
}

function sampleOf(entry: LibraryEntry, { readsOutput }: Backward, size: SizeOf): CallShapes {
  const forward = entry.sample(size);
  const bound = bindCall(entry, forward);
  const shape = bound.ok ? bound.value.bound.outputs[0] : undefined;
  if (!bound.ok || shape === undefined)
    throw new Error(`the sample of ${entry.name} does not bind`);
  const targets = entry.gradient(bound.value.call).map((steps) => steps.at(-1)?.op);
  const operand = targets.indexOf(`${entry.name}_backward`);
  return {
    inputs: [shape, ...forward.inputs, ...(readsOutput === true ? [shape] : [])],
    attributes: { ...forward.attributes, operand: Math.max(0, operand) },
  };
}
