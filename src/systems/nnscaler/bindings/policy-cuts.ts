import type { Fix, Span } from "#core/diagnostics";
import {
  type Bound,
  type CutConfig,
  operandDims,
  parseAnnotation,
  partitionPiece,
  type TransformRule,
} from "#core/dimops";
import { fieldOf } from "#core/records";
import { type Level, requireDivisor, type TracedOperator } from "#language/document/trace";
import type { Argument, Context } from "#language/python";

import { type PolicyNode, pieceOf } from "./policy-node.ts";
import { type PolicySetting, pieceLimit } from "./policy-setting.ts";

/**
 * Cuts a node as `graph.partition` does; raises an exception at the call if nnScaler refuses the
 * cut.
 */
export function cutNode(
  node: PolicyNode,
  config: CutConfig,
  { isExact }: PolicySetting,
  context: Context,
  { span, bound }: { readonly span: Span; readonly bound: ReadonlyMap<string, Argument> },
): { readonly level: Level; readonly pieces: readonly PolicyNode[] } {
  const { operator, piece } = node;
  if (operator === undefined || !isExact || piece === undefined) {
    const count = Math.min(Math.max(config.count, 0), pieceLimit);
    if (operator !== undefined) requireCut(operator, config);
    return { level: { count }, pieces: Array.from({ length: count }, () => pieceOf(node, piece)) };
  }
  const made = partitionPiece(piece, config, operator.rules);
  if (!made.ok) {
    const why = whyNotCut(operator);
    if (why !== undefined) return copiesOf(node, config.count, why, context, span);
    const [fault] = made.diagnostics;
    const kind = made.refused ? "ValueError" : (fault?.upstream ?? "ValueError");
    const message = `"${node.name}" cannot be partitioned: ${fault?.message ?? "nnScaler declines"}`;
    const code = "nnscaler/partition-refused";
    const fixes = otherCuts(node, config.count, bound);
    return context.raise(kind, message, span, { code, fixes });
  }
  for (const warning of made.diagnostics) context.report({ ...warning, span });
  const pieces = made.pieces.map((part) => pieceOf(node, part));
  const identifier = identifierOfCut(piece.bound, config, made.rule);
  const level = { count: config.count, ...(identifier !== undefined && { identifier }) };
  return { level, pieces };
}

/**
 * Operators that nnScaler uses for layers that it replaces when tracing (its `wrapnn`), and that
 * are not run here.
 */
const ownOperators: Readonly<Record<string, string>> = {
  batch_norm: "has an operator of its own for it, whose pieces communicate inside",
};

/** Why nnScaler may cut an operator that is kept whole here; `undefined` if it would not. */
function whyNotCut({
  op,
  isReplicated,
  function: called,
  entry,
}: TracedOperator): string | undefined {
  const own = Object.hasOwn(ownOperators, op) ? ownOperators[op] : undefined;
  if (own !== undefined) return own;
  const isOutside = isReplicated === true && called === undefined && entry === undefined;
  return isOutside ? "may have it registered, which is not in this text" : undefined;
}

/** Replicas instead of the pieces that nnScaler would make, with a warning. */
function copiesOf(
  node: PolicyNode,
  count: number,
  why: string,
  context: Context,
  span: Span,
): ReturnType<typeof cutNode> {
  context.report({
    code: "nnscaler/not-run-here",
    severity: "warning",
    message: `"${node.name}" is shown replicated: nnScaler ${why}`,
    span,
  });
  const pieces = Array.from({ length: count }, () => pieceOf(node, node.piece));
  return { level: { count }, pieces };
}

/** Maximum number of cuts offered as fixes. */
const fixLimit = 3;

/**
 * Fixes with other cuts into the same number of pieces that nnScaler accepts, one per identifier.
 */
function otherCuts(
  { operator, piece }: PolicyNode,
  count: number,
  bound: ReadonlyMap<string, Argument>,
): readonly Fix[] {
  const [idx, dim] = ["idx", "dim"].map((name) => literalSpan(bound.get(name)));
  if (piece === undefined || idx === undefined || dim === undefined) return [];
  const seen = new Set<string | undefined>();
  const fixes = piece.bound.annotation.inputs.flatMap((shape, operand) =>
    shape.dims.flatMap((_, at): Fix[] => {
      const config = { operand, dim: at, count };
      const made = partitionPiece(piece, config, operator?.rules);
      const name = made.ok ? identifierOfCut(piece.bound, config, made.rule) : undefined;
      if (name === undefined || seen.has(name)) return [];
      seen.add(name);
      const edits = [
        { ...idx, text: String(operand) },
        { ...dim, text: String(at) },
      ];
      return [{ title: `Cut "${name}" instead: idx=${operand}, dim=${at}`, edits }];
    }),
  );
  return fixes.slice(0, fixLimit);
}

/** Span of an argument that is a literal, so that a fix can replace it; else `undefined`. */
export function literalSpan(argument: Argument | undefined): Span | undefined {
  return argument?.tree?.kind === "literal" ? argument.span : undefined;
}

/** For open sizes, a cut only records the divisor that the size must have. */
function requireCut(operator: TracedOperator, { operand, dim, count }: CutConfig): void {
  if (dim === "v" || count < 1) return;
  const { inputs, outputs, annotations, hidden } = operator;
  const tensor = operand < inputs.length ? inputs[operand] : outputs[operand - inputs.length];
  const size = tensor?.kind === "tensor" ? tensor.shape?.at(dim) : undefined;
  if (size !== undefined) requireDivisor(size, count);
  const parsed = parseAnnotation(annotations[0]?.text ?? "");
  const shapes = parsed.ok ? [...parsed.value.inputs, ...parsed.value.outputs] : [];
  const name = shapes[operand]?.dims.at(dim)?.identifiers[0]?.name;
  const open = name === undefined ? undefined : fieldOf(hidden, name);
  if (open !== undefined) requireDivisor(open, count);
}

/**
 * The index axis that a legal cut cuts: that of the named dim, else that of a dim split by the
 * rule.
 */
function identifierOfCut(
  bound: Bound,
  { operand, dim, count }: CutConfig,
  rule: TransformRule,
): string | undefined {
  if (count === 1) return undefined;
  const named = dim === "v" ? undefined : operandDims(bound, operand).at(dim);
  const own = named && (named.splittable ?? firstLong(named));
  if (own !== undefined) return own;
  for (const [index, split] of [...rule.inputs, ...rule.outputs].entries()) {
    const cut = split.kind === "D" ? operandDims(bound, index).at(split.dims[0] ?? 0) : undefined;
    const found = cut && (cut.splittable ?? firstLong(cut));
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstLong({
  identifiers,
  sizes,
}: {
  readonly identifiers: readonly string[];
  readonly sizes: readonly number[];
}): string | undefined {
  const at = sizes.findIndex((size) => size !== 1);
  return identifiers[Math.max(0, at)];
}
