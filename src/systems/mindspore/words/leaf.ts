import { parseDType } from "#core/ir";
import {
  bindArguments,
  hostFunction,
  itemsOf,
  type Recorder,
  type Size,
  type TensorWords,
  textOf,
  writtenShapeOf,
} from "#language/document/words";
import type { Argument, HostFunction } from "#language/python";

/**
 * `mindspore.Tensor(…)` and `mindspore.Parameter(…)`: of data, of a shape, or of another tensor.
 * A tuple of integers is read as a shape, as by the native words.
 */
export function mindsporeLeaf(
  recorder: Recorder,
  tensors: TensorWords,
  role: "input" | "parameter",
): HostFunction {
  return hostFunction(role === "input" ? "Tensor" : "Parameter", (args, context, span) => {
    const { bound } = bindArguments(["input_data", "dtype", "shape", "init", "name"], args);
    const data = bound.get("input_data") ?? bound.get("default_input");
    const known = tensors.tensorOf(data?.value);
    if (known !== undefined && known.producer === undefined) {
      if (role === "parameter") known.role = "parameter";
      return tensors.object(known);
    }
    const shape = shapeIn(bound.get("shape") ?? data);
    const dtypeText = textOf(bound.get("dtype")?.value) ?? "f32";
    const isGiven = shape?.every((size) => typeof size === "number") === true;
    const spec = { role, shape, shapeStatus: isGiven ? "set" : "assumed", span } as const;
    const dtype = parseDType(dtypeText);
    const tensor = recorder.leaf(
      { ...spec, dtype: dtype ?? "f32", dtypeText: dtype === undefined ? "f32" : dtypeText },
      context,
    );
    return tensors.object(tensor);
  });
}

function shapeIn(argument: Argument | undefined): readonly Size[] | undefined {
  const isShape = argument !== undefined && itemsOf(argument.value) !== undefined;
  return isShape ? writtenShapeOf(argument.value) : undefined;
}
