import type { Span } from "#core/diagnostics";
import { contains, insideOf, openBracketsAt } from "#language/tokens";
import { axisSpan } from "./definition.ts";
import type { Facts } from "./facts.ts";

/**
 * The spans of a text that name a mesh axis, in order: the keyword of `Mesh(…)`, the alias of a
 * `Layout`, and every string that the running program took as an axis or that is in a call that
 * takes axes.
 */
export function axisSpans(facts: Facts, name: string): readonly Span[] {
  const defined = axisSpan(facts, name);
  const spans = [...(defined === undefined ? [] : [defined]), ...meshSpans(facts, name)];
  const taken = takenAsAxis(facts);
  for (const token of facts.tokens) {
    if (token.kind !== "string") continue;
    const { span, text } = insideOf(facts.source, token);
    if (text === name && isAxisText(facts, token, taken)) spans.push(span);
  }
  const byPlace = new Map(spans.map((span) => [span.from, span]));
  return [...byPlace.values()].sort((a, b) => a.from - b.from);
}

/**
 * The axis as a keyword of every `Mesh(…)`: the first mesh is the effective one, later ones are
 * renamed too.
 */
function meshSpans({ document }: Facts, name: string): readonly Span[] {
  return document.trace.meshes
    .filter(({ isAssumed }) => isAssumed !== true)
    .flatMap(({ axes }) => axes.filter((axis) => axis.name === name))
    .map(({ span: { from } }) => ({ from, to: from + name.length }));
}

function isAxisText(facts: Facts, token: Span, taken: readonly Span[]): boolean {
  if (taken.some((span) => contains(span, token.from + 1))) return true;
  const open = openBracketsAt(facts.source, facts.tokens, token.from);
  return open.some(({ callee }) =>
    /(^|\.)(strategy|layout|place|Layout|\w*layout\w*)$/i.test(callee ?? ""),
  );
}

/** The spans of everything that the running program took as axes. */
function takenAsAxis({ document }: Facts): readonly Span[] {
  const { strategies, places, layouts, operators } = document.trace;
  const written = [
    ...strategies.flatMap(({ cuts, carry }) => [
      ...cuts.map((cut) => cut.written),
      ...(carry ? [carry] : []),
    ]),
    ...places.flatMap(({ layout }) => layout.dims),
    ...operators.flatMap(({ strategy }) =>
      strategy?.kind === "layouts"
        ? [...strategy.inputs, ...(strategy.outputs ?? [])].flatMap(({ dims }) => dims)
        : [],
    ),
  ];
  const linked = document.trace.meshes.flatMap(({ figures, hardware }) => [
    ...(figures?.axisSpans ?? []),
    ...(hardware?.axisSpans ?? []),
  ]);
  const axes = written.flatMap((each) => each.axes.map(({ span }) => span));
  return [...axes, ...linked.map(({ span }) => span), ...layouts.map(({ span }) => span)];
}

/** The reason why the renamed text has another meaning; `undefined` if it has the same. */
export function renamedAxisFault(
  before: Facts,
  after: Facts,
  from: string,
  to: string,
): string | undefined {
  const axes = (facts: Facts) =>
    facts.compiled.mesh.mesh.axes.map(({ name, size }) => `${name === from ? to : name}=${size}`);
  if (axes(before).join() !== axes(after).join())
    return `the text does not name the axis "${from}"`;
  const codes = (facts: Facts) => facts.compiled.diagnostics.map(({ code }) => code).join();
  const isSame =
    codes(before) === codes(after) &&
    before.compiled.cost.bytes === after.compiled.cost.bytes &&
    before.compiled.memory.peakBytes === after.compiled.memory.peakBytes;
  return isSame ? undefined : `"${from}" is also named in a way that cannot be followed`;
}
