import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import type { Recorder } from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";

/**
 * `nn.Parameter(data)`: an input tensor becomes the parameter itself; of a parameter or an
 * operator's result, a new tensor is made.
 */
export function asParameter(
  recorder: Recorder,
  tensors: TensorBindings,
  given: Argument | undefined,
  context: Context,
  span: Span,
): Value {
  const tensor = tensors.tensorOf(given?.value);
  if (tensor !== undefined && tensor.producer === undefined && tensor.role !== "parameter") {
    tensor.role = "parameter";
    return tensors.object(tensor);
  }
  const { shape, shapeStatus = "assumed", dtype = "f32", dtypeText = "f32" } = tensor ?? {};
  const spec = { role: "parameter", shape, shapeStatus, dtype, dtypeText } as const;
  const isUnknown = tensor?.isUnknown === true;
  const made = recorder.leaf({ ...spec, isUnknown, span }, context);
  return tensors.object(made);
}
