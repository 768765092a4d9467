import type { TextEdit } from "#core/diagnostics";
import { type OperatorId, operatorTargets, type TensorId, wildcardMatcher } from "#core/ir";
import type { Layout } from "#core/mesh";
import { isCutAs, type Strategy } from "#core/plan";
import { append } from "#core/records";
import type { Document } from "#language/document";
import {
  callEdits,
  layoutCallEdits,
  statementRemoval,
  type WrittenCall,
  writtenPlaces,
  writtenStrategies,
} from "#language/document/edit";
import type { PlanLine } from "./plan-lines.ts";
import {
  cutLists,
  dimLists,
  isPlainStrategy,
  layoutsAgree,
  type PlannedProgram,
} from "./planned-words.ts";

type StrategyLine = PlanLine<Strategy>;
type PlaceLine = PlanLine<Layout>;

/** A call that contradicts the plan: it is removed, or rewritten as another line. */
export interface Outdated<Line> {
  readonly removal: TextEdit;
  /** Edits that rewrite it as a line; `undefined` for a line with another target. */
  readonly rewrite: (line: Line) => readonly TextEdit[] | undefined;
}

/** `strategy(…)` calls that cut an operator in an unplanned way. */
export function outdatedStrategies(
  document: Document,
  { strategies }: PlannedProgram,
): readonly Outdated<StrategyLine>[] {
  const followers = new Map<object, OperatorId[]>();
  for (const [id, call] of document.strategyCalls) append(followers, call, id);
  const isRight = (id: OperatorId) => {
    const [plan, wanted] = [document.requests.operators.get(id), strategies.get(id)];
    return wanted === undefined || (plan && isCutAs(plan, wanted, document.mesh.mesh)) === true;
  };
  const meansSame = sameOperators(document);
  return writtenStrategies(document).flatMap((written) => {
    if (written.calls.every((call) => (followers.get(call) ?? []).every(isRight))) return [];
    const [call] = written.calls;
    const isOf = ({ target }: StrategyLine) => meansSame(target, written.targets[0] ?? "");
    return outdated(document, written, isOf, ({ said }: StrategyLine) =>
      call !== undefined && call.carry === undefined && isPlainStrategy(said)
        ? callEdits(document, call, cutLists(said))
        : undefined,
    );
  });
}

/** `place(…)` calls that place inputs and parameters in an unplanned way. */
export function outdatedPlaces(
  document: Document,
  { rest }: PlannedProgram,
): readonly Outdated<PlaceLine>[] {
  const { graph, requests } = document;
  const isRight = (id: TensorId) => {
    const wanted = rest.get(id);
    return wanted === undefined || layoutsAgree(requests.placements.get(id)?.layout, wanted);
  };
  return writtenPlaces(document).flatMap((written) => {
    const meant = written.targets.flatMap((target) => {
      const matches = wildcardMatcher(target);
      return graph.tensors.filter(({ name }) => matches(name));
    });
    const isFixed = meant.some(({ id, producer }) => producer !== undefined || !rest.has(id));
    if (isFixed || meant.every(({ id }) => isRight(id))) return [];
    const [call] = written.calls;
    const isOf = ({ target }: PlaceLine) => target === written.targets[0];
    return outdated(document, written, isOf, ({ said }: PlaceLine) =>
      call?.layout.dims.length === said.dims.length
        ? layoutCallEdits(call, dimLists(said))
        : undefined,
    );
  });
}

/** Whether two targets cover the same operators, under any names. */
function sameOperators({ graph }: Document): (one: string, other: string) => boolean {
  const targets = operatorTargets(graph.operators);
  const known = new Map<string, string>();
  const meant = (target: string) => {
    const text =
      known.get(target) ??
      targets
        .meant(target)
        .operators.map(({ name }) => name)
        .join();
    known.set(target, text);
    return text;
  };
  return (one, other) => one === other || (meant(one) === meant(other) && meant(one) !== "");
}

function outdated<Line extends { readonly target: string }>(
  { source }: Document,
  { span, calls }: WrittenCall<object>,
  isOf: (line: Line) => boolean,
  edits: (line: Line) => readonly TextEdit[] | undefined,
): readonly Outdated<Line>[] {
  const removal = statementRemoval(source, span);
  if (removal === undefined) return [];
  const isPlain = calls.length === 1 && source[span.to - 1] === ")";
  const rewrite = (line: Line) => (isPlain && isOf(line) ? edits(line) : undefined);
  return [{ removal, rewrite }];
}
