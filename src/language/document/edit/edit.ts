import { type Checked, failed, passed, type Span, type TextEdit } from "#core/diagnostics";
import type { Operator, Tensor } from "#core/ir";
import { fieldOf, sameItems } from "#core/records";
import type { Document } from "../read-document.ts";
import { type AxisLists, axesText } from "../trace/axes-text.ts";
import type { PlaceCall, StrategyCall } from "../trace/trace.ts";
import type { TracedOperator } from "../trace/traced.ts";
import { callArguments } from "./call-arguments.ts";
import { cutsText } from "./plan-text.ts";

/**
 * Smallest edits after which an operator's strategy is `wanted`.
 *
 * Its own `strategy(…)` call is changed in place, argument by argument. Without one a line with the
 * whole strategy is added at the end, so that inferred cuts stay.
 */
export function strategyEdits(
  document: Document,
  operator: Operator,
  wanted: AxisLists,
): readonly TextEdit[] {
  const call = document.strategyCalls.get(operator.id);
  if (call === undefined || !isOwnCall(document, operator, call)) {
    return [
      appendLine(
        document,
        `strategy(${targetText(document, operator.name)}${strategyArguments(wanted)})`,
      ),
    ];
  }
  return callEdits(document, call, wanted);
}

/** Smallest edits after which a `strategy(…)` call gives `wanted`, argument by argument. */
export function callEdits(
  document: Document,
  call: StrategyCall,
  wanted: AxisLists,
): readonly TextEdit[] {
  const known = new Set(call.cuts.map((cut) => cut.key));
  const changed = call.cuts.flatMap((cut): TextEdit[] => {
    const axes = fieldOf(wanted, cut.key) ?? [];
    const before = cut.written.axes.map(({ name }) => name);
    if (sameItems(axes, before)) return [];
    if (axes.length === 0) return [removal(document.source, cut)];
    return [{ ...cut.written.span, text: axesText(axes) }];
  });
  const added = strategyArguments(
    Object.fromEntries(Object.entries(wanted).filter(([key]) => !known.has(key))),
  );
  return added === "" ? changed : [addition(document.source, call.span, added), ...changed];
}

/**
 * Adds arguments to a call: a dict after the first one, since keywords may follow, others after the
 * last.
 */
export function addition(source: string, call: Span, text: string): TextEdit {
  const args = callArguments(source, call);
  const before = text.startsWith(", {") ? args[0] : args.at(-1);
  const at = before?.span.to ?? call.to - 1;
  return { from: at, to: at, text };
}

/** Smallest edits that place a tensor at `wanted`, one list of axes per dim. */
export function placeEdits(
  document: Document,
  tensor: Tensor,
  wanted: readonly (readonly string[])[],
): readonly TextEdit[] {
  const call = ownPlace(document, tensor);
  if (call === undefined) {
    return [
      appendLine(
        document,
        `place(${targetText(document, tensor.name)}, ${layoutText(document, wanted)})`,
      ),
    ];
  }
  return layoutCallEdits(call, wanted);
}

/** Smallest edits after which the layout of a `place(…)` call is `wanted`. */
export function layoutCallEdits(
  { layout }: PlaceCall,
  wanted: readonly (readonly string[])[],
): readonly TextEdit[] {
  return layout.dims.flatMap((written, dim): TextEdit[] => {
    const axes = wanted[dim] ?? [];
    if (
      sameItems(
        written.axes.map(({ name }) => name),
        axes,
      )
    )
      return [];
    return [{ ...written.span, text: axes.length === 0 ? '"None"' : axesText(axes) }];
  });
}

/**
 * Edits that change the strategy tuple entries of an identifier in all operands, including its
 * contraction partner. Fails when an entry is no literal.
 */
export function tupleEdits(
  traced: TracedOperator,
  operator: Operator,
  identifier: string,
  change: (pieces: number) => number,
): Checked<readonly TextEdit[]> {
  const strategy = traced.strategy?.kind === "tuples" ? traced.strategy : undefined;
  const edits: TextEdit[] = [];
  for (const [index, operand] of operator.inputs.entries()) {
    for (const [dim, { splittable }] of operand.dims.entries()) {
      const value = strategy?.values[index]?.[dim];
      if (splittable !== identifier || value === undefined) continue;
      const entry = strategy?.tree?.items[index]?.items[dim];
      if (entry?.kind !== "literal") return failed(writtenElsewhere(operator));
      if (change(value) !== value) edits.push({ ...entry.span, text: String(change(value)) });
    }
  }
  return passed(edits);
}

function writtenElsewhere(operator: Operator) {
  return {
    code: "document/strategy-not-literal",
    severity: "error",
    message: `the strategy of "${operator.name}" is not written as numbers where it is given`,
  } as const;
}

/** Whether a call targets this operator alone, so that it may be changed in place. */
export function isOwnCall(document: Document, operator: Operator, call: StrategyCall): boolean {
  if (typeof call.target !== "string") return true;
  const isNamed = call.target === operator.name || call.target === operator.module;
  return isNamed && document.source[call.span.to - 1] === ")";
}

/** The last `place(…)` whose target is the tensor, by name or variable; `undefined` without one. */
export function ownPlace(document: Document, tensor: Tensor): PlaceCall | undefined {
  const traced = document.built.tracedBy.get(tensor.name);
  return document.trace.places.findLast(
    ({ target }) => target === traced || target === tensor.name,
  );
}

/**
 * Target of a plan line: the tensor's variable if it still has one at the end of the text, else its
 * quoted name.
 */
export function targetText(document: Document, name: string): string {
  const traced = document.built.tracedBy.get(name);
  const isVariable = traced !== undefined && document.variables.get(name) === traced;
  return isVariable ? name : `"${name}"`;
}

/** A `layout(…)` call on the document's mesh, from the axes of each dim. */
export function layoutText(document: Document, dims: readonly (readonly string[])[]): string {
  const texts = dims.map((axes) => (axes.length === 0 ? '"None"' : axesText(axes)));
  return `${layoutWord(document)}(${texts.join(", ")})`;
}

/** Bare `layout` refers to the document's mesh unless the text binds that name itself. */
function layoutWord(document: Document): string {
  return document.boundNames.has("layout") ? "mesh.layout" : "layout";
}

/** Arguments of `strategy(…)` after its target: `, m="dp"`; empty when nothing is split. */
export function strategyArguments(wanted: AxisLists): string {
  const cuts = Object.entries(wanted).filter(([, axes]) => axes.length > 0);
  if (cuts.length === 0) return "";
  return `, ${cutsText(cuts.map(([name, axes]) => ({ name, text: axesText(axes) })))}`;
}

/** Removes an argument with the comma before it; a dict entry is emptied instead. */
export function removal(source: string, cut: StrategyCall["cuts"][number]): TextEdit {
  const comma = source.slice(0, cut.span.from).search(/,\s*$/u);
  if (comma < 0 || source[cut.keySpan.from] === '"') return { ...cut.written.span, text: "()" };
  return { from: comma, to: cut.span.to, text: "" };
}

/** Edit that adds one or more lines at the end. */
export function appendLine(document: Document, line: string): TextEdit {
  const { source } = document;
  const lead = source === "" || source.endsWith("\n") ? "" : "\n";
  return { from: source.length, to: source.length, text: `${lead}${line}\n` };
}
