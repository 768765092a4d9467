import type { Compiled } from "#compile";
import { type Operator, type OperatorId, type Tensor, type TensorId, wildcardPath } from "#core/ir";
import { type Layout, layoutKey, sameBlocks } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { append } from "#core/records";
import { tensorsOf, viewsOf } from "../graph/tensor-caption.ts";
import { partText } from "../hue.ts";
import { rememberedFor, rememberedForPairs } from "../remembered.ts";
import { labelText } from "../text/label.ts";
import { formatBytesDelta } from "../text/numbers.ts";
import type {
  DifferenceLine,
  DifferenceMark,
  PlanDifference,
  RemovedRedistribution,
} from "./difference.ts";
import { type SentPair, sentPairs } from "./sent-differences.ts";

/**
 * The differences of a plan from a baseline. Operators and tensors are matched by name, so the
 * programs may differ; layouts or strategies are equal if devices hold the same blocks, in any
 * spelling.
 */
export const planDifference: (baseline: Compiled, now: Compiled) => PlanDifference =
  rememberedForPairs(difference);

type Line = Omit<DifferenceLine, "count">;

function difference(before: Compiled, now: Compiled): PlanDifference {
  const lines: Line[] = [];
  const operators = operatorMarks(before, now, lines);
  const tensors = tensorMarks(before, now, lines);
  return { operators, tensors, ...sentMarks(before, now, lines), lines: folded(lines) };
}

/** Merges the equal lines of equal layers. */
function folded(lines: readonly Line[]): readonly DifferenceLine[] {
  const all = new Map<string, DifferenceLine>();
  for (const line of lines) {
    const name = wildcardPath(line.name);
    const key = [line.sign, line.kind, name, wildcardPath(line.text)].join("\n");
    const known = all.get(key);
    all.set(key, {
      ...line,
      // A line that is not merged keeps its own name.
      name: known === undefined ? line.name : name,
      count: (known?.count ?? 0) + 1,
      bytes: (known?.bytes ?? 0) + line.bytes,
    });
  }
  return [...all.values()];
}

function operatorMarks(
  before: Compiled,
  now: Compiled,
  lines: Line[],
): ReadonlyMap<OperatorId, DifferenceMark> {
  const were = new Map(before.program.graph.operators.map((each) => [each.name, each]));
  const marks = new Map<OperatorId, DifferenceMark>();
  for (const operator of now.program.graph.operators) {
    const was = were.get(operator.name);
    were.delete(operator.name);
    const mark = operatorMark(was, before, operator, now);
    if (mark === undefined) continue;
    marks.set(operator.id, mark);
    lines.push({ ...mark, kind: "operator", name: operator.name, bytes: 0 });
  }
  for (const { name } of were.values()) lines.push(onlyBefore("operator", name));
  return marks;
}

function onlyBefore(kind: Line["kind"], name: string): Line {
  return { sign: "−", kind, name, text: "only in the baseline", bytes: 0 };
}

const onlyHere: DifferenceMark = { sign: "+", text: "only here" };

function operatorMark(
  was: Operator | undefined,
  before: Compiled,
  operator: Operator,
  now: Compiled,
): DifferenceMark | undefined {
  if (was === undefined) return onlyHere;
  const plan = before.plan.operators.get(was.id);
  const other = now.plan.operators.get(operator.id);
  const isSame =
    plan === undefined || other === undefined
      ? plan === other
      : isSplitAlike(was, plan, operator, other);
  if (isSame) return undefined;
  return { sign: "~", text: `was ${plan === undefined ? "without a strategy" : splitText(plan)}` };
}

/** Whether each device computes the same part of an index space in both plans. */
function isSplitAlike(
  was: Operator,
  before: OperatorPlan,
  operator: Operator,
  now: OperatorPlan,
): boolean {
  if (carriedText(before) !== carriedText(now)) return false;
  return isAlike(
    { layout: spaceLayout(was, before), shape: was.axes.map(({ size }) => size) },
    { layout: spaceLayout(operator, now), shape: operator.axes.map(({ size }) => size) },
  );
}

/** The layout of an index space, treated as a tensor. */
function spaceLayout({ axes }: Operator, { mesh, strategy }: OperatorPlan): Layout {
  const dims = axes.map(({ name }) => {
    const sizes = strategy.sizes?.[name];
    return {
      parts: strategy.cuts[name] ?? [],
      chunks: "flat" as const,
      ...(sizes !== undefined && { sizes }),
    };
  });
  return { mesh, dims, partials: [] };
}

function carriedText({ mesh, strategy }: OperatorPlan): string {
  return strategy.carry.map((part) => partText(mesh, part)).join(" ");
}

/** A strategy in words: `split b over dp, k over mp`. */
function splitText({ mesh, strategy }: OperatorPlan): string {
  const cuts = Object.entries(strategy.cuts).flatMap(([name, parts]) =>
    parts.length === 0
      ? []
      : [`${name} over ${parts.map((part) => partText(mesh, part)).join(", ")}`],
  );
  return cuts.length === 0 ? "not split" : `split ${cuts.join(", ")}`;
}

function tensorMarks(
  before: Compiled,
  now: Compiled,
  lines: Line[],
): ReadonlyMap<TensorId, DifferenceMark> {
  const were = new Map(before.program.graph.tensors.map((each) => [each.name, each]));
  const marks = new Map<TensorId, DifferenceMark>();
  for (const tensor of now.program.graph.tensors) {
    const was = were.get(tensor.name);
    were.delete(tensor.name);
    const mark = was === undefined ? onlyHere : tensorMark(was, before, tensor, now);
    if (mark === undefined) continue;
    marks.set(tensor.id, mark);
    const { sign, text } = mark;
    // A result appears and disappears with its operator, which has a line of its own.
    if (sign === "~" || tensor.producer === undefined)
      lines.push({ sign, text, kind: "tensor", name: tensor.name, bytes: 0 });
  }
  for (const { name, producer } of were.values()) {
    if (producer === undefined) lines.push(onlyBefore("tensor", name));
  }
  return marks;
}

function tensorMark(
  was: Tensor,
  before: Compiled,
  tensor: Tensor,
  now: Compiled,
): DifferenceMark | undefined {
  const [from, to] = [layoutIn(before, was), layoutIn(now, tensor)];
  if (from === undefined || to === undefined) return undefined;
  if (isAlike({ layout: from, shape: was.shape }, { layout: to, shape: tensor.shape })) {
    return undefined;
  }
  const size = was.shape.join() === tensor.shape.join() ? "" : ` of ${was.shape.join(" × ")}`;
  const text = `was ${labelText(from, was.dimNames)}${size}`;
  return { sign: "~", text, before: { tensor: was, layout: from } };
}

/** The compared layout: at rest for a weight, as produced for a result. */
function layoutIn({ tensors }: Compiled, { id }: Tensor): Layout | undefined {
  const view = viewsOf(tensors).get(id);
  return view?.atRest ?? view?.layout;
}

interface Lie {
  readonly layout: Layout;
  readonly shape: readonly number[];
}

const keyOf = rememberedFor((layout: Layout) => ({ text: layoutKey(layout) }));

function isAlike(a: Lie, b: Lie): boolean {
  if (a.shape.join() !== b.shape.join()) return false;
  return keyOf(a.layout).text === keyOf(b.layout).text || sameBlocks(a.layout, b.layout, a.shape);
}

function sentMarks(
  before: Compiled,
  now: Compiled,
  lines: Line[],
): Pick<PlanDifference, "redistributions" | "gone"> {
  const redistributions = new Map<number, DifferenceMark>();
  const gone = new Map<TensorId, RemovedRedistribution[]>();
  const tensors = new Map([...tensorsOf(now.program.graph).values()].map((t) => [t.name, t.id]));
  for (const pair of sentPairs(before, now)) {
    const sent = pair.now ?? pair.before;
    if (sent === undefined) continue;
    const line = sentLine(pair, sent.name);
    if (line === undefined) continue;
    lines.push(line);
    const { text, bytes, sign } = line;
    if (sign !== "−") redistributions.set(sent.index, { sign, text, bytes });
    else {
      const tensor = tensors.get(sent.name);
      const { name, steps } = sent;
      if (tensor !== undefined) append(gone, tensor, { name, steps, bytes, text });
    }
  }
  return { redistributions, gone };
}

function sentLine({ before, now }: SentPair, name: string): Line | undefined {
  const bytes = (now?.bytes ?? 0) - (before?.bytes ?? 0);
  const shared = { kind: "send", name, bytes } as const;
  const change = formatBytesDelta(bytes);
  if (before === undefined) return { ...shared, sign: "+", text: `only here, ${change}` };
  if (now === undefined) return { ...shared, sign: "−", text: `${before.way} gone, ${change}` };
  if (before.way !== now.way) {
    return { ...shared, sign: "~", text: `was ${before.way}, ${change}` };
  }
  return bytes === 0 ? undefined : { ...shared, sign: "~", text: change };
}
