import type { Diagnostic } from "#core/diagnostics";
import type { BuiltGraph } from "#language/document/graph";
import type { ShardStrategy, Trace, TracedOperator } from "#language/document/trace";
import { keptWhole } from "../emitted/kept-whole.ts";
import { misfits } from "../emitted/local-shapes.ts";
import { primitiveName } from "../emitted/primitive-name.ts";
import { isTransparent } from "../emitted/transparent.ts";
import { defaultStrategy } from "../operators/default-strategy.ts";
import { hasRule } from "../operators/rules.ts";
import { piecesWithoutRule, withoutOwnRule } from "../primitives/index.ts";
import { modelCall } from "./model-call.ts";
import { isSemiAuto, parallelSetting } from "./parallel-mode.ts";

/**
 * Warnings for operators of a MindSpore program without a rule known here, each once: their
 * strategies and communication are not known. Operators with unknown results are reported
 * elsewhere.
 */
export function withoutRule(
  trace: Pick<Trace, "parallel">,
  { operatorOf }: Pick<BuiltGraph, "operatorOf">,
): readonly Diagnostic[] {
  if (parallelSetting(trace)?.devices === undefined) return [];
  const said = new Set<string>();
  return [...operatorOf.keys()].flatMap((traced): Diagnostic[] => {
    const op = primitiveName(traced);
    const isKnown =
      hasRule(op) || traced.isReplicated === true || isTransparent(traced) || isNumber(traced);
    if (isKnown || said.has(op)) return [];
    said.add(op);
    const code = "mindspore/no-rule";
    const message = `how MindSpore splits "${op}" is not known here: its strategy, and what is sent for it, are not MindSpore's`;
    return [{ code, severity: "warning", message, span: traced.span }];
  });
}

/**
 * Whether an operator only takes a number, or a part, from a constant row of numbers: Python does
 * this outside of the graph.
 */
function isNumber({ entry, inputs, primitive }: TracedOperator): boolean {
  const [row] = inputs;
  if (primitive !== undefined || row?.kind !== "tensor") return false;
  if (entry !== "select" && entry !== "slice") return false;
  return row.producer === undefined ? row.constant !== undefined : isNumber(row.producer);
}

/**
 * Warnings for operators without a rule in MindSpore 2.10 that compute along dim 0 of their input,
 * each once: MindSpore splits that dim, while they are drawn whole here.
 */
export function splitRegardless(
  trace: Trace,
  { operatorOf }: Pick<BuiltGraph, "operatorOf">,
  devices: number,
): readonly Diagnostic[] {
  if (!isSemiAuto(trace)) return [];
  const said = new Set<string>();
  return [...operatorOf.keys()].flatMap((traced): Diagnostic[] => {
    const op = primitiveName(traced);
    if (!withoutOwnRule.has(op) || said.has(op) || traced.isFree === true) return [];
    const call = modelCall(traced, devices);
    const drawn = call && defaultStrategy(call)?.[0]?.[0];
    const pieces = call === undefined ? 1 : piecesWithoutRule(call, devices);
    if (drawn === undefined || drawn > 1 || pieces < 2) return [];
    said.add(op);
    const code = "mindspore/no-rule";
    const message = `MindSpore 2.10 has no rule for "${op}" and splits dim 0 of what it reads into ${pieces}, though it computes along that dim: each device then has the result of its own piece; here it is drawn whole`;
    return [{ code, severity: "warning", message, span: traced.span }];
  });
}

/**
 * Warnings for operators that MindSpore 2.10 leaves whole because of an earlier call, each once:
 * their results are wrong.
 */
export function leftWhole(trace: Trace, devices: number): readonly Diagnostic[] {
  if (!isSemiAuto(trace)) return [];
  const found = new Map(
    [...keptWhole(trace, devices)].map((traced) => [primitiveName(traced), traced]),
  );
  return [...found].map(([op, { span }]): Diagnostic => {
    const code = "mindspore/no-rule";
    const message = `MindSpore 2.10 leaves "${op}" whole here and takes its result to be split all the same, which is wrong wherever that is joined or summed: it has no rule for it, and what it has left whole once, where the devices do not divide dim 0, it leaves whole in every later call of the same function`;
    return { code, severity: "warning", message, span };
  });
}

/**
 * The error of an operator that MindSpore 2.10 refuses because local shapes after one without a
 * rule do not fit.
 */
export function misfittingPieces(trace: Trace, devices: number): readonly Diagnostic[] {
  if (!isSemiAuto(trace) || parallelSetting(trace)?.devices === undefined) return [];
  const [first] = misfits(trace, devices);
  if (first === undefined) return [];
  const { traced, op, cause, unplaced } = first;
  const why = `it has no rule for "${cause}" and splits dim 0 of what that reads, whatever it computes`;
  const what =
    unplaced !== undefined
      ? `it counts its layouts by tensors and looks them up by all inputs, and so finds none for "${unplaced}"`
      : op === cause
        ? `the piece that a device has does not fit what "${op}" is called with`
        : `what a device then has does not fit the other pieces that "${op}" reads or that are sent for it`;
  const message = `MindSpore 2.10 refuses this: ${why}; ${what}`;
  const code = "mindspore/pieces-misfit";
  const isInit = op === "LayerNormExt" || unplaced !== undefined;
  const upstream = isInit ? "RuntimeError" : "ValueError";
  return [{ code, severity: "error", message, upstream, span: traced.span }];
}

/**
 * Warnings for strategies and attributes that are drawn differently from MindSpore's program, each
 * once: micro-batches of an interleaved layout, and copies on the left of the device matrix.
 */
export function drawnOtherwise({
  operatorOf,
}: Pick<BuiltGraph, "operatorOf">): readonly Diagnostic[] {
  const operators = [...operatorOf.keys()];
  const interleaved = operators.find(({ strategy }) => isInterleaved(strategy));
  const left = operators
    .flatMap(({ primitive }) => primitive?.attributes ?? [])
    .find(({ name, value }) => name === "repeated_num_in_dev_matrix_right_" && value === false);
  const severity = "warning";
  const isJoinedLater = ({ op, outputs }: TracedOperator) =>
    outputs.length > 1 || /^(LayerNorm|RmsNorm|Inplace\w+)$/u.test(op);
  const last = operators.find(
    (each) => isInterleaved(each.strategy) && isJoinedLater(each) && !isRead(each, operators),
  );
  const unjoined: readonly Diagnostic[] =
    last?.strategy === undefined
      ? []
      : [
          {
            code: "mindspore/strategy-refused",
            severity: "error",
            message: `${last.op} is cut by interleaved_parallel, and no operator reads its results: MindSpore 2.10 joins the pieces of a card in what reads them, and refuses this`,
            upstream: "RuntimeError",
            span: last.strategy.span,
          },
        ];
  const micro: readonly Diagnostic[] =
    interleaved?.strategy === undefined
      ? []
      : [
          {
            code: "mindspore/interleaved",
            severity,
            message:
              "interleaved_parallel: MindSpore runs each card's pieces one after the other and sends for every piece; here they are drawn once for the card",
            span: interleaved.strategy.span,
          },
        ];
  const copies: readonly Diagnostic[] =
    left === undefined
      ? []
      : [
          {
            code: "mindspore/setting-not-read",
            severity,
            message: `${left.name}=False is not read: copies are drawn at the right end of the device matrix, where MindSpore now has them at the left`,
            span: left.span,
          },
        ];
  return [...unjoined, ...micro, ...copies];
}

/** Whether an operator reads a result of another one. */
function isRead({ outputs }: TracedOperator, operators: readonly TracedOperator[]): boolean {
  return operators.some(({ inputs }) =>
    inputs.some((input) => input.kind === "tensor" && outputs.includes(input)),
  );
}

/** Whether a layout of a strategy cuts a dim by the virtual axis, which is the last. */
function isInterleaved(strategy: ShardStrategy | undefined): boolean {
  if (strategy?.kind !== "layouts") return false;
  const isVirtual = ({ spec, dims }: (typeof strategy.inputs)[number]) =>
    spec.isInterleaved && dims.some(({ entry = -1 }) => [entry].flat().includes(0));
  return [...strategy.inputs, ...(strategy.outputs ?? [])].some(isVirtual);
}

const settings = {
  optimizer:
    "not modelled: enable_parallel_optimizer: parameters are drawn as their operators cut them; the AllGathers that join the pieces which every device then keeps, the ReduceScatters of their gradients, and what MindSpore asks of them besides, are not told",
  stages: "not modelled: pipeline_stages: all operators are drawn on all devices",
};

/** Warnings for settings of the context that affect MindSpore's program and are not read here. */
export function unreadSettings(trace: Pick<Trace, "parallel">): readonly Diagnostic[] {
  const { unread = [], span } = parallelSetting(trace) ?? {};
  return unread.flatMap((name): Diagnostic[] =>
    span === undefined
      ? []
      : [
          {
            code: "mindspore/setting-not-read",
            severity: "warning",
            message: settings[name],
            span,
          },
        ],
  );
}
