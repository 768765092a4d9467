import { formatBytesDelta } from "#app/scene/text";
import { applyEdits, type Fix } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Redistribution } from "#core/program";
import { redistributionChanges } from "#edit";
import { callAround, contains, placeAt } from "#language/tokens";
import { type Facts, operatorsFrom, writtenOperators } from "./facts.ts";
import { tryTexts } from "./trial.ts";
import { nameUseAt, tensorsOf } from "./values.ts";

/** Most redistributions that are examined, and most changes that are offered. */
const mostMoves = 2;
const mostActions = 6;

/**
 * Code actions for redistributions at an offset of the text: those of the tensor named there, or of
 * the operator around it. Each is a small, legal edit, labelled with its change of the bytes sent;
 * the largest saving comes first.
 */
export function actionsAt(facts: Facts, offset: number, isSpent: () => boolean): readonly Fix[] {
  const { source, document, compiled } = facts;
  const changes = movesAt(facts, offset)
    .slice(0, mostMoves)
    .flatMap((move) => redistributionChanges(document, compiled, move));
  const texts = changes.map(({ edits }) => applyEdits(source, edits));
  const trials = tryTexts(facts, compiled, texts, isSpent);
  const legal = changes.flatMap(({ label, edits }, at) => {
    const trial = trials[at];
    return trial?.kind === "legal" ? [{ label, edits, bytes: trial.delta.bytes }] : [];
  });
  return legal
    .toSorted((a, b) => a.bytes - b.bytes)
    .slice(0, mostActions)
    .map(({ label, edits, bytes }) => ({
      title: `${label} (${formatBytesDelta(bytes)} sent)`,
      edits,
    }));
}

/** The redistributions at an offset, in program order. */
function movesAt(facts: Facts, offset: number): readonly Redistribution[] {
  const { redistributions } = facts.compiled.program;
  const around = operatorsAt(facts, offset).map(({ id }) => id);
  const use = nameUseAt(facts, offset);
  const named = use === undefined ? [] : tensorsOf(facts, use).map(({ id }) => id);
  const ofName = redistributions.filter(({ tensor }) => named.includes(tensor));
  const forOperator = redistributions.filter((move) => isFor(facts, move, around));
  const both = ofName.filter((move) => forOperator.includes(move));
  return [both, ofName, forOperator].find((moves) => moves.length > 0) ?? madeBy(facts, around);
}

/**
 * Redistributions of the operators' results, for operators that read their operands without any.
 */
function madeBy({ compiled }: Facts, operators: readonly OperatorId[]): readonly Redistribution[] {
  const made = new Set<TensorId>(
    compiled.graph.tensors.flatMap(({ id, producer }) =>
      producer !== undefined && operators.includes(producer) ? [id] : [],
    ),
  );
  return compiled.program.redistributions.filter(({ tensor }) => made.has(tensor));
}

function isFor(
  { compiled }: Facts,
  { reasons }: Redistribution,
  operators: readonly OperatorId[],
): boolean {
  const running = new Map(compiled.program.graph.operators.map((each) => [each.id, each.of]));
  return reasons.some((reason) => {
    if (!("operator" in reason)) return false;
    return operators.includes(running.get(reason.operator) ?? reason.operator);
  });
}

/** The operators of the call around an offset, or those that a `strategy(…)` there sets. */
function operatorsAt(facts: Facts, offset: number): readonly Operator[] {
  const { document } = facts;
  const told = writtenOperators(facts).filter(({ id }) => {
    const span = document.strategyCalls.get(id)?.span;
    return span !== undefined && contains(span, offset);
  });
  if (told.length > 0) return told;
  const around = callAround(placeAt(facts, offset).open);
  const called = around === undefined ? [] : operatorsFrom(facts, around.call.calleeFrom);
  if (called.length > 0) return called;
  const holding = writtenOperators(facts).filter(({ span }) => span && contains(span, offset));
  const lengths = holding.map(({ span }) => (span === undefined ? 0 : span.to - span.from));
  const least = Math.min(...lengths);
  const inner = holding.filter((_, at) => lengths[at] === least);
  return inner.length > 0 ? inner : boundIn(facts, offset);
}

/** The operators of the statement that binds the name at an offset: `y` in `y = matmul(x, w)`. */
function boundIn(facts: Facts, offset: number): readonly Operator[] {
  const { statement, isBinding } = nameUseAt(facts, offset) ?? {};
  if (statement === undefined || isBinding !== true) return [];
  return writtenOperators(facts).filter(
    ({ span }) => span && statement.from <= span.from && span.to <= statement.to,
  );
}
