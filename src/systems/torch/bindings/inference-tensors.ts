// Tensors that are made in inference mode, which autograd of PyTorch 2.13 does not take.

import { isFloat } from "#core/ir/types";
import type { TensorAccess } from "#language/document/bindings";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import type { CallFault } from "./call-fault.ts";
import { keeps, requiresGradient, viewing } from "./gradient-faults.ts";

type Words = Pick<TensorAccess["words"], "trace" | "tensorOf" | "followsGradients"> &
  Parameters<typeof requiresGradient>[0];

const made = new WeakSet<TracedTensor>();
/** Programs that are in inference mode now. */
const inferring = new WeakSet<Recorder["trace"]>();

/** Runs in inference mode until the function that it returns is called. */
export function inInference({ trace }: Pick<Recorder, "trace">): () => void {
  const isInner = inferring.has(trace);
  const before = trace.tensors.length;
  inferring.add(trace);
  return () => {
    if (!isInner) inferring.delete(trace);
    for (const each of trace.tensors.slice(before)) if (!isOfOther(each)) made.add(each);
  };
}

/** Whether a tensor shows the elements of one that was made outside. */
function isOfOther({ producer }: TracedTensor): boolean {
  const [source] = producer !== undefined && viewing.test(producer.op) ? producer.inputs : [];
  return source?.kind === "tensor" && !made.has(source);
}

/** Whether a value is an inference tensor outside of inference mode. */
function isInference(words: Words, value: Value | undefined): boolean {
  const tensor = words.tensorOf(value);
  return tensor !== undefined && made.has(tensor) && !inferring.has(words.trace);
}

/** Why an operator cannot keep its operands for a backward pass: one is an inference tensor. */
export function keptFault(
  words: Words,
  op: string,
  operands: readonly (Value | undefined)[],
): CallFault | undefined {
  if (!words.followsGradients || !keeps(op)) return undefined;
  if (!operands.some((each) => isInference(words, each))) return undefined;
  const isFollowed = operands.some((each) => {
    const tensor = words.tensorOf(each);
    return (
      tensor !== undefined && isFloat(tensor.dtype) && requiresGradient(words, tensor) === true
    );
  });
  if (!isFollowed) return undefined;
  return [
    "RuntimeError",
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
  ];
}

/** Why an inference tensor is not changed. */
export function changedFault(
  name: string,
  args: readonly Argument[],
  words: Words,
  self: Value,
): CallFault | undefined {
  const isWriting = name === "__setitem__" || /[a-z]_$/u.test(name);
  if (!isWriting || !isInference(words, self)) return undefined;
  if (name !== "requires_grad_")
    return [
      "RuntimeError",
      "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.",
    ];
  const isOff = args[0]?.value.kind === "bool" && !args[0].value.value;
  return isOff
    ? undefined
    : [
        "RuntimeError",
        "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
      ];
}
