import type { Trace, TracedOperator } from "#language/document/trace";
import { netResultsIn } from "../bindings/net-results.ts";
import { modelCall } from "../plans/model-call.ts";
import { piecesWithoutRule } from "../primitives/index.ts";
import { graphOrder } from "./graph-order.ts";
import { primitiveName } from "./primitive-name.ts";

/**
 * Primitives without a rule in MindSpore 2.10 that stay unsharded once a call was left unsharded.
 * That call marks the primitive object, which all calls of a function, or all calls of one
 * instance, share. Other primitives without a rule are decided call by call (recorded one by one).
 */
const marked: ReadonlySet<string> = new Set(
  [
    "AddScalar AddcdivExt BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 BitwiseNot Chunk Clone",
    "Conv1DExt Conv2DExt CountNonZero CumulativeLogsumexp Digamma Divs FloorDivScalar GeluExt",
    "GreaterEqualScalar Imag IndexFill IsNan LessScalar MaskedFillScalar MaxPoolWithMask MinDim Nansum",
    "NewEmpty NewFull NewOnes NewZeros Scatter Std SubScalar Var XLogYScalarOther",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Operators that read whole operands because an earlier call of the same primitive, in graph order,
 * was unsharded.
 */
export function keptWhole(
  { operators, bySystem }: Pick<Trace, "operators"> & Partial<Pick<Trace, "bySystem">>,
  devices: number,
): ReadonlySet<TracedOperator> {
  const candidates = operators.filter((traced) => marked.has(primitiveName(traced)));
  const kept = new Set<TracedOperator>();
  if (candidates.length < 2) return kept;
  const given = bySystem === undefined ? [] : netResultsIn({ bySystem });
  const last = given.flatMap(({ tensors }) => tensors.flatMap(({ producer }) => producer ?? []));
  const order = graphOrder([...new Set([...last, ...operators])]);
  const place = (traced: TracedOperator) => order.get(traced) ?? 0;
  const whole = new Set<unknown>();
  for (const traced of candidates.toSorted((a, b) => place(a) - place(b))) {
    const op = primitiveName(traced);
    const call = modelCall({ ...traced, op }, devices);
    const primitive = traced.primitive?.written ?? op;
    const isSplit = call === undefined || piecesWithoutRule(call, devices) > 1;
    if (!isSplit) whole.add(primitive);
    else if (whole.has(primitive)) kept.add(traced);
  }
  return kept;
}
