import type { Span } from "#core/diagnostics";
import { type OpAnno, parseAnnotation } from "#core/dimops";
import type { IndexAxis, Operator } from "#core/ir";
import { blockCount } from "#core/mesh";
import { fieldOf } from "#core/records";
import { contains, type TextPlace } from "#language/tokens";
import { axesText, counted } from "#systems/system";
import { writtenAnnotations } from "./annotations.ts";
import { type Facts, writtenOperators } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { listed } from "./words.ts";

/** The hover on an identifier of a written annotation: its size, its reduction, and its cuts. */
export function annotationHover(facts: Facts, { offset }: TextPlace): Hover | undefined {
  const written = writtenAnnotations(facts).find(({ span }) => contains(span, offset));
  if (written === undefined) return undefined;
  const checked = parseAnnotation(written.text);
  const found = checked.ok ? identifierAt(checked.value, offset - written.span.from) : undefined;
  if (found === undefined) return undefined;
  const { from, to } = found.span;
  const span = { from: from + written.span.from, to: to + written.span.from };
  return identifierHover(facts, written.operators, found.name, span);
}

/** The hover on a key of `strategy(h, b="dp")`: an identifier of the operator that made `h`. */
export function strategyKeyHover(facts: Facts, { offset }: TextPlace): Hover | undefined {
  const operators = writtenOperators(facts).filter(({ id }) => cutAt(facts, id, offset));
  const cut = operators[0] && cutAt(facts, operators[0].id, offset);
  return cut && identifierHover(facts, operators, cut.key, cut.keySpan);
}

function cutAt({ document }: Facts, operator: Operator["id"], offset: number) {
  const call = document.strategyCalls.get(operator);
  return call?.cuts.find(({ keySpan }) => contains(keySpan, offset));
}

function identifierAt(
  anno: OpAnno,
  offset: number,
): { readonly name: string; readonly span: Span } | undefined {
  const dims = [...anno.inputs, ...anno.outputs].flatMap((shape) => shape.dims);
  return dims
    .flatMap(({ identifiers }) => identifiers)
    .find(({ span, kind }) => kind === "name" && contains(span, offset));
}

function identifierHover(
  facts: Facts,
  operators: readonly Operator[],
  name: string,
  span: Span,
): Hover | undefined {
  const axes = operators.flatMap(({ axes: all }) => all.filter((axis) => axis.name === name));
  const [axis] = axes;
  const [first] = operators;
  if (axis === undefined || first === undefined) return undefined;
  const sizes = [...new Set(axes.map(({ size }) => size))];
  const rest = operators.length - 3;
  return {
    span,
    title: `${name}${axis.reduction} = ${listed(sizes.map(String))}`,
    lines: [
      reductionText(axis),
      ...operators.slice(0, 3).map((operator) => cutText(facts, operator, name)),
      ...(rest > 0 ? [`And ${counted(rest, "more call")}.`] : []),
      standsText(facts, first, name),
    ],
  };
}

function reductionText({ name, reduction }: IndexAxis): string {
  switch (reduction) {
    case "+":
      return `${name}+ is summed: devices that each hold a piece have partial sums.`;
    case "^":
      return `${name}^ may not be cut.`;
    default:
      return `${name} has no reduction: its pieces are independent.`;
  }
}

/** Sharding of an identifier: `h = project(x, w1): cut by mp into 2 pieces of 2048, set.` */
export function cutText({ compiled }: Facts, operator: Operator, name: string): string {
  const plan = compiled.plan.operators.get(operator.id);
  const parts = fieldOf(plan?.strategy.cuts, name) ?? [];
  const size = operator.axes.find((axis) => axis.name === name)?.size ?? 1;
  const call = `${operator.name} = ${operator.call}`;
  const pieces = blockCount(parts);
  if (pieces === 1) return `${call}: not cut.`;
  const each = size % pieces === 0 ? `${size / pieces}` : `at most ${Math.ceil(size / pieces)}`;
  return `${call}: cut by ${axesText(parts)} into ${pieces} pieces of ${each}, ${plan?.status}.`;
}

/** The dims in which an identifier occurs. */
function standsText({ compiled }: Facts, operator: Operator, name: string): string {
  const dimsOf = (operands: Operator["inputs"]) =>
    operands.flatMap(({ tensor, dims }) => {
      const own = compiled.graph.tensors.find(({ id }) => id === tensor)?.name ?? tensor;
      return dims.flatMap(({ identifiers }, dim) =>
        identifiers.includes(name) ? [`dim ${dim} of ${own}`] : [],
      );
    });
  return `It is ${listed([...dimsOf(operator.inputs), ...dimsOf(operator.outputs)])}.`;
}
