import { product } from "#core/arithmetic";
import type { Checked } from "#core/diagnostics";
import { failed, passed } from "#core/diagnostics";
import { type Answer, type Arguments, badRequest } from "#systems/system";
import { redistributionFault } from "../redistribution/check-tensor.ts";
import { costOf } from "../redistribution/cost.ts";
import { emittedList, offlineLists } from "../redistribution/emitted.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import type { LogicalOperator } from "../redistribution/infer-operators.ts";
import { primitiveNames } from "../redistribution/primitives.ts";
import { redistribute } from "../redistribution/redistribute.ts";

interface Request {
  readonly from: MappedTensor;
  readonly to: MappedTensor;
  readonly allToAll: boolean;
  readonly cleanUp: boolean;
  readonly rank: number | undefined;
}

/**
 * `mindspore-redistribution`: MindSpore's own operators between two layouts. With `rank`, the
 * operators are those of its offline engine, together with that rank's lists and the compiled
 * primitives.
 */
export function redistributionAnswer(args: Arguments): Answer {
  const request = readRequest(args);
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics };
  const { from, to, allToAll, rank } = request.value;
  const offline = rank !== undefined && !allToAll;
  const redistribution = redistribute(from, to, { allToAll, offline });
  return {
    ok: true,
    operators: redistribution.operators.map(told),
    primitives: primitiveNames(redistribution.operators),
    slice_from: redistribution.sliceFrom,
    slice_to: redistribution.sliceTo,
    cost: costOf(redistribution),
    ...(rank !== undefined && listsOf(request.value, rank)),
    diagnostics: [],
  };
}

function listsOf({ from, to, allToAll, cleanUp }: Request, rank: number) {
  const { raw, clean } = offlineLists(from, to, rank);
  const isSame = JSON.stringify(raw) === JSON.stringify(clean);
  const emitted = emittedList(from, to, rank, { allToAll, cleanUp });
  return { raw, clean: isSame ? "same as raw" : clean, emitted };
}

function told(operator: LogicalOperator) {
  const { op } = operator;
  switch (operator.op) {
    case "Reshape":
      return { op, args: operator.shape };
    case "SplitByAxis":
      return { op, args: [operator.count, operator.dim, operator.axis] };
    case "ConcatByAxis":
      return { op, args: [operator.dim, operator.axis, operator.count] };
    case "PermuteByAxis": {
      const { splitDim, concatDim, axis, count } = operator;
      return { op, args: [count, splitDim, concatDim, axis, count] };
    }
  }
}

function readRequest(args: Arguments): Checked<Request> {
  const [from, to] = [readTensor(args.from), readTensor(args.to)];
  if (from === undefined || to === undefined) {
    return refuse('"from" and "to" must have device_matrix, tensor_map and tensor_shape');
  }
  const { alltoall: allToAll = false, cleanup: cleanUp = true, rank } = args;
  if (typeof allToAll !== "boolean") return refuse('"alltoall" must be true or false');
  if (typeof cleanUp !== "boolean") return refuse('"cleanup" must be true or false');
  const fault = redistributionFault(from, to);
  if (fault !== undefined) {
    const code = "mindspore/no-redistribution";
    return failed({ code, severity: "error", message: fault, upstream: "RuntimeError" });
  }
  if (rank === undefined) return passed({ from, to, allToAll, cleanUp, rank });
  const devices = product(from.deviceMatrix);
  const isRank = typeof rank === "number" && Number.isInteger(rank) && rank >= 0 && rank < devices;
  return isRank
    ? passed({ from, to, allToAll, cleanUp, rank })
    : refuse(`"rank" must be a whole number below ${devices}`);
}

function readTensor(value: unknown): MappedTensor | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const { device_matrix: deviceMatrix, tensor_map: tensorMap, tensor_shape: shape } = fields;
  const isMap =
    Array.isArray(tensorMap) && tensorMap.every((each) => isInteger(each) || isIntegers(each));
  if (!isIntegers(deviceMatrix) || !isIntegers(shape) || !isMap) return undefined;
  return { deviceMatrix, tensorMap, shape };
}

function isIntegers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isInteger);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function refuse(message: string): Checked<Request> {
  return failed(...badRequest(message).diagnostics);
}
