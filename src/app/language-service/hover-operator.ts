import { formatBytes, formatSeconds } from "#app/scene/text";
import { printAnnotation } from "#core/dimops";
import type { Operator } from "#core/ir";
import { flatSteps } from "#core/program";
import { openBracketsAt, type TextPlace } from "#language/tokens";
import { counted } from "#systems/system";
import { boundNames, type Facts, operatorsFrom, writtenOperators } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { headOf, signatureOf } from "./signatures.ts";
import { labelledTensor, listed, strategyText } from "./words.ts";

/**
 * The hover on a called name: an operator with its annotation, strategy and layouts, or a known
 * word.
 */
export function callHover(facts: Facts, { token }: TextPlace): Hover | undefined {
  if (token === undefined) return undefined;
  const called = calledAt(facts, token.to);
  if (called === undefined) return undefined;
  const operators = operatorsFrom(facts, called.from);
  const [first] = operators;
  if (first !== undefined) return { span: token, ...operatorWords(facts, first, operators.length) };
  const own = writtenOperators(facts).filter(({ op, entry }) => op === called.path && !entry);
  if (own[0] !== undefined) return { span: token, ...operatorWords(facts, own[0], own.length) };
  const signature = signatureOf(called.path, boundNames(facts));
  return signature && { span: token, title: headOf(signature), lines: [signature.meaning] };
}

/** The hover on a primitive stored in an attribute rather than called: `self.matmul = …`. */
export function attributeHover(facts: Facts, { token, text }: TextPlace): Hover | undefined {
  if (token?.kind !== "property") return undefined;
  const path = `${/[\w.]*\.$/.exec(facts.source.slice(0, token.from))?.[0] ?? ""}${text}`;
  const operators = writtenOperators(facts).filter(({ call }) => call.startsWith(`${path}(`));
  const [first] = operators;
  return first && { span: token, ...operatorWords(facts, first, operators.length) };
}

/** The dotted name called by the bracket after an offset, or defined there by a `def`. */
function calledAt(
  { source, tokens }: Facts,
  offset: number,
): { readonly path: string; readonly from: number } | undefined {
  const next = tokens.find(({ from }) => from >= offset);
  if (next === undefined || source[next.from] !== "(") return undefined;
  const open = openBracketsAt(source, tokens, next.to).at(-1);
  if (open?.callee === undefined || open.calleeFrom === undefined) return undefined;
  return { path: open.callee, from: open.calleeFrom };
}

function operatorWords(
  { compiled }: Facts,
  operator: Operator,
  calls: number,
): Pick<Hover, "title" | "lines"> {
  const { inputs, outputs, annotation, op, name, id } = operator;
  const reads = inputs.map(({ tensor }, operand) =>
    labelledTensor(compiled, tensor, { operator: id, operand }),
  );
  const makes = outputs.map(({ tensor }) => labelledTensor(compiled, tensor));
  const moved = flatSteps(compiled.program).flatMap((step) => {
    const isFor = step.kind === "collective" && step.reasons.some((reason) => concerns(reason, id));
    return isFor ? [step] : [];
  });
  return {
    title: `${op}: ${printAnnotation(annotation)}`,
    lines: [
      `${name} = ${operator.call}`,
      strategyText(compiled, operator),
      `${listed(reads)} → ${listed(makes)}`,
      ...takenText(compiled, operator),
      ...moved
        .slice(0, 3)
        .map(
          ({ collective, axes, bytes, seconds }) =>
            `Needs ${collective} over ${axes.join(", ")}: ${formatBytes(bytes)} in ${formatSeconds(seconds)}.`,
        ),
      ...(calls > 1 ? [`And ${counted(calls - 1, "more call")}.`] : []),
    ],
  };
}

/**
 * The time of an operator: `Takes 157 µs, its backward pass 315 µs (model, scaled).` Empty for an
 * operator that launches no kernel.
 */
function takenText({ cost, program }: Facts["compiled"], { id }: Operator): readonly string[] {
  const phases = new Map(
    program.graph.operators.flatMap(({ id: own, of, phase = "forward" }) =>
      own === id || of === id ? [[own, phase] as const] : [],
    ),
  );
  const secondsOf = (wanted: Operator["phase"]) =>
    cost.operators
      .filter(({ operator }) => phases.get(operator) === wanted)
      .reduce((sum, { seconds }) => sum + seconds, 0);
  const [forward, again, backward] = [
    secondsOf("forward"),
    secondsOf("recompute"),
    secondsOf("backward"),
  ];
  if (forward + again + backward === 0 || Number.isNaN(forward)) return [];
  const parts = [
    formatSeconds(forward),
    ...(again > 0 ? [`again ${formatSeconds(again)}`] : []),
    ...(backward > 0 ? [`its backward pass ${formatSeconds(backward)}`] : []),
  ];
  return [`Takes ${parts.join(", ")} (model, ${cost.basis}).`];
}

type Steps = ReturnType<typeof flatSteps>[number];
type Reason = Extract<Steps, { kind: "collective" }>["reasons"][number];

function concerns(reason: Reason, operator: Operator["id"]): boolean {
  return "operator" in reason && reason.operator === operator;
}
