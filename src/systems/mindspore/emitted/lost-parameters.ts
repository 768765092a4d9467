import type { Span } from "#core/diagnostics";
import type { Trace, TracedOperator, TracedTensor } from "#language/document/trace";
import { askedTensors, type NetResult, netResultsIn } from "../bindings/net-results.ts";
import {
  bodyAround,
  type UnreadStatement,
  unreadStatements,
} from "../bindings/unread-statements.ts";
import { askedByWords } from "../graph-syntax/graph-syntax.ts";
import { mergedOperators } from "./merged.ts";
import { netEnds } from "./net-ends.ts";
import { primitiveName } from "./primitive-name.ts";

/** A parameter of which a net reads only the shape or data type, with the span of that read. */
interface LostParameter {
  readonly parameter: TracedTensor;
  readonly span: Span;
}

/**
 * Parameters of which a net uses only a shape or data type: their own, or that of a tensor computed
 * from them. MindSpore 2.10 folds such uses at compile time, so nothing reads the parameter.
 * Statements whose results nothing reads still keep their computation in the graph.
 */
export function lostParameters(trace: Trace, source: string): readonly LostParameter[] {
  const results = netResultsIn(trace).filter(({ given }) => given !== undefined);
  if (trace.training.length > 0) return [];
  const asked = new Map(askedTensors(trace));
  for (const { tensor, span } of askedByWords(trace, source))
    asked.set(tensor, [...(asked.get(tensor) ?? []), span]);
  return [...new Set(results.map(({ net }) => net))].flatMap((net) =>
    lostIn(
      trace.operators.filter((traced) => trace.moduleOf?.(traced)?.called === net),
      results.filter((each) => each.net === net),
      trace,
      asked,
    ),
  );
}

function lostIn(
  operators: readonly TracedOperator[],
  results: readonly NetResult[],
  trace: Trace,
  asked: ReadonlyMap<TracedTensor, readonly Span[]>,
): readonly LostParameter[] {
  const ends = netEnds(trace);
  const placed = operators.map((traced) => ({ traced, op: primitiveName(traced) }));
  const isOnes = (traced: TracedOperator) => primitiveName(traced) === "OnesLike";
  const isAsked = ({ outputs }: TracedOperator) => outputs.some((output) => asked.has(output));
  const kept = mergedOperators(placed, ends).kept.map(({ traced }) => traced);
  const unread = [...ends.dead].filter((each) => operators.includes(each) && !isAsked(each));
  const alive = behind(
    [...kept, ...unread].filter((each) => !isOnes(each)),
    isOnes,
  );
  const shapes = operators.filter((each) => isOnes(each) || (ends.dead.has(each) && isAsked(each)));
  const readers = [...behind(shapes)].filter((each) => !alive.has(each));
  const read = new Set([...alive].flatMap(({ inputs }) => inputs));
  const isLost = (tensor: Operand): tensor is TracedTensor =>
    isParameter(tensor) && !read.has(tensor);
  const computed = readers.flatMap((reader) => {
    const made = readers.filter((each) => behind([each]).has(reader));
    const spans = made.map(({ span }) => span);
    return reader.inputs.filter(isLost).map((parameter) => ({ parameter, spans }));
  });
  const used = new Set(operators.flatMap(({ inputs }) => inputs));
  const plain = [...asked].flatMap(([parameter, spans]) =>
    isLost(parameter) && !used.has(parameter) ? [{ parameter, spans }] : [],
  );
  return [...computed, ...plain].flatMap(({ parameter, spans: [span, ...more] }) =>
    span === undefined || isCopied(parameter, [span, ...more], results)
      ? []
      : [{ parameter, span }],
  );
}

type Operand = TracedOperator["inputs"][number];

function isParameter(input: Operand): boolean {
  return input.kind === "tensor" && input.role === "parameter" && input.producer === undefined;
}

/**
 * Operators with all producers of their operands, except those for which `isLeft` holds and what
 * only these need.
 */
function behind(
  ends: readonly TracedOperator[],
  isLeft: (traced: TracedOperator) => boolean = () => false,
): ReadonlySet<TracedOperator> {
  const found = new Set(ends);
  for (const { inputs } of found)
    for (const input of inputs)
      if (input.kind === "tensor" && input.producer !== undefined && !isLeft(input.producer))
        found.add(input.producer);
  return found;
}

/**
 * Whether an unread copy keeps a parameter in the graph: a copy of the parameter, or of an
 * expression at one of the given spans that reads it.
 */
function isCopied(
  { name }: TracedTensor,
  spans: readonly Span[],
  results: readonly NetResult[],
): boolean {
  const isIn = ({ from, to }: Span) => spans.some((span) => from <= span.from && span.from < to);
  const attribute = name?.text.split(".").at(-1);
  return results.some(({ source, body, unread }) => {
    const isOutside = body === undefined || !spans.every((span) => contains(body, span));
    const around = isOutside ? spans.flatMap((span) => unreadAround(source, span)) : [];
    return [...unread, ...around].some((statement) => {
      const { copied } = statement;
      if (isIn(statement)) return true;
      if (copied === undefined) return false;
      if (typeof copied === "string") return copied.split(".").at(-1) === attribute;
      // The body of a cell called by the net lies elsewhere in the text.
      return (
        isIn(copied) || (isOutside && /self\.\w+\(/u.test(source.slice(copied.from, copied.to)))
      );
    });
  });
}

function unreadAround(source: string, { from }: Span): readonly UnreadStatement[] {
  const body = bodyAround(source, from);
  return body === undefined ? [] : unreadStatements(body, source);
}

function contains(body: Span, span: Span): boolean {
  return body.from <= span.from && span.to <= body.to;
}
