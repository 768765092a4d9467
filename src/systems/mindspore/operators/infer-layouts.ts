import { product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { tensorFault } from "../redistribution/check-tensor.ts";

import {
  entryList,
  type Inferred,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  refused,
} from "./call.ts";

/** A strategy of Layouts on one device matrix. */
export interface WrittenLayouts {
  readonly kind: "layouts";
  readonly deviceMatrix: readonly number[];
  readonly inputs: readonly (readonly MapEntry[])[];
  readonly output?: readonly MapEntry[];
  /** The device matrix of the first result, if it is another one. */
  readonly outMatrix?: readonly number[];
  /** The maps of all results, if there are several. */
  readonly outputs?: readonly (readonly MapEntry[])[];
  /** Whether the last device axis is `interleaved_parallel`, which cuts inside each card. */
  readonly isInterleaved?: boolean;
}

/** Applies an operator's rule to Layouts, after the checks common to all operators. */
export function inferLayouts(
  call: OperatorCall,
  rule: OperatorRule,
  strategy: WrittenLayouts,
): Checked<Inferred> {
  const { op, shapes } = call;
  const { deviceMatrix, output, outMatrix, outputs, isInterleaved = false } = strategy;
  // A number has no dims, so its Layout is ignored.
  const inputs = strategy.inputs.map((map, at) => (call.numbers?.includes(at) === true ? [] : map));
  if (rule.layouts === undefined) return refused(`${op} does not support config layout`);
  const count = countFault(call, strategy);
  if (count !== undefined) return refused(count);
  const faults = shapes.map((shape, input) =>
    tensorFault({ deviceMatrix, tensorMap: inputs[input] ?? [], shape }),
  );
  const fault = faults.find((each) => each !== undefined);
  if (fault !== undefined) return refused(fault);
  if (output !== undefined && rule.takesOutStrategy !== true && rule.takesOutLayout !== true) {
    return refused(`${op} takes no output layout`);
  }
  const full: LayoutCall = {
    ...call,
    deviceMatrix,
    maps: inputs,
    ...(output && { outMap: output, outMaps: outputs ?? [output] }),
    ...(outMatrix && { outMatrix }),
    isInterleaved,
  };
  const inferred = rule.layouts(full);
  const uneven = inferred.ok ? outputFault(inferred.value, output) : undefined;
  if (uneven !== undefined) return refused(uneven);
  return inferred.ok && isInterleaved
    ? passed({ ...inferred.value, interleaved: deviceMatrix.at(-1) ?? 1 }, inferred.diagnostics)
    : inferred;
}

/** Why the result's Layout does not fit its shape. */
function outputFault(
  { outputs: [output], deviceMatrix: own }: Inferred,
  map: readonly MapEntry[] | undefined,
): string | undefined {
  if (output === undefined || map === undefined) return undefined;
  const { deviceMatrix = own } = output;
  const fault = tensorFault({ deviceMatrix, tensorMap: map, shape: output.shape });
  return fault && `the result: ${fault}`;
}

/**
 * Operators that fail wherever a layout cuts a dim inside each card: those of a number among their
 * inputs, those that give fewer or more elements, and those that refuse it themselves.
 */
const notInterleaved: ReadonlySet<string> = new Set(
  "AddExt AddcmulExt ClampScalar CumProd CumSum CumsumExt Elu EluExt FmodScalar HShrink InplaceAddExt InplaceAddsExt InplaceDivs InplaceMuls InplaceSubExt IsClose LeakyReLUExt LogSoftmax Max MeanExt Muls NanToNum Outer Quant RemainderScalarTensor RemainderTensorScalar SoftShrink SoftplusExt SubExt SumExt Tile".split(
    " ",
  ),
);

/** The fault of a wrong number of layouts or devices, or of layouts that crash the compiler. */
function countFault(
  { op, shapes, devices, parameters }: OperatorCall,
  { deviceMatrix, inputs, output, isInterleaved }: WrittenLayouts,
): string | undefined {
  const cards = product(isInterleaved === true ? deviceMatrix.slice(0, -1) : deviceMatrix);
  if (cards !== devices) return `layouts of ${cards} devices, but there are ${devices}`;
  if (inputs.length !== shapes.length) {
    return `${op} has ${inputs.length} layouts for ${shapes.length} inputs`;
  }
  const isEmpty = [...inputs, output ?? []].flat().some((entry) => entryList(entry).length === 0);
  if (isEmpty) return `an empty tuple in a layout of ${op} crashes MindSpore's compiler`;
  const isVirtual = (map: readonly MapEntry[] = []) => map.flatMap(entryList).includes(0);
  if (isInterleaved === true && notInterleaved.has(op) && inputs.some(isVirtual))
    return `${op} cannot be cut by interleaved_parallel in MindSpore 2.10`;
  const cut = parameters.find((input) => isInterleaved === true && isVirtual(inputs[input]));
  return cut === undefined
    ? undefined
    : `parameter ${cut} of ${op} can not set to interleaved parallel`;
}
