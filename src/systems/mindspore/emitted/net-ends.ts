import { groupedBy } from "#core/records";
import type { Trace, TracedOperator, TracedTensor } from "#language/document/trace";
import { type NetResult, netResultsIn } from "../bindings/net-results.ts";
import { primitiveName } from "./primitive-name.ts";

/** Results and dead operators of a program's nets. */
export interface NetEnds {
  /** The results of the nets. */
  readonly given: ReadonlySet<TracedTensor>;
  /** Operators without a result that a net returns or another operator reads. */
  readonly dead: ReadonlySet<TracedOperator>;
}

/** Used if results of the nets are unknown: tensors that no operator reads count as returned. */
export const unknownEnds: NetEnds = { given: new Set(), dead: new Set() };

/** Operators that run whether or not their results are read. */
const hasEffect = /Dropout|Random|Uniform|Normal|Gamma|Poisson|Multinomial|Assign|^Scatter|Inplace/;

/** Calls that keep unread operators in a graph. */
const keepsMore = /\b(?:[Pp]rint|[Dd]epend|\w*Dump\w*)\(/u;

/**
 * The results of the nets that a program calls, and the operators that contribute nothing to them.
 * Unknown for a program that prints or depends on values, and for one whose loss is only named.
 */
export function netEnds(trace: Trace): NetEnds {
  const { operators, moduleOf, training } = trace;
  const results = netResultsIn(trace);
  if (results.some(({ source }) => keepsMore.test(source))) return unknownEnds;
  const nets = groupedBy(results, ({ net }) => net);
  const held = new Set(trace.tensors);
  // A gradient is no tensor of the program; what it needs of the operators is not known.
  const isUnknown = ({ given }: NetResult) =>
    given === undefined || [...given].some((tensor) => !held.has(tensor));
  const read = new Set(operators.flatMap(({ inputs }) => inputs));
  const losses = training.flatMap(({ loss }) => (typeof loss === "string" ? [] : loss));
  if (losses.length < training.length) return unknownEnds;
  const given = new Set([...results.flatMap((each) => [...(each.given ?? [])]), ...losses]);
  const dead = operators.filter((traced) => {
    const net = moduleOf?.(traced)?.called;
    const known = net === undefined ? undefined : nets.get(net);
    if (known === undefined || known.some(isUnknown)) return false;
    const isUsed = traced.outputs.some((output) => read.has(output) || given.has(output));
    return !isUsed && !hasEffect.test(primitiveName(traced));
  });
  return { given, dead: new Set(dead) };
}
