import type { Diagnostic, Span } from "#core/diagnostics";
import { assumedOf, sizeOf, type TensorBindings } from "#language/document/bindings";
import { hostFunction, numberOf, textOf } from "#language/document/bindings/values";
import type { Recorder, Size, TracedTensor } from "#language/document/trace";
import type { Context, HostFunction, Value } from "#language/python";

/** What batches are made with. */
export interface DataParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  /** An unknown value with the given known members and items. */
  readonly standIn: (
    name: string,
    known: {
      readonly member: (name: string) => Value | undefined;
      readonly part: (key: string | number, span: Span, context: Context) => Value;
    },
  ) => Value;
  /** Says of a tensor that it is no part of the program. */
  readonly leaveOut: (tensor: TracedTensor) => void;
}

/** Where and how a batch is made. */
interface Making extends DataParts {
  /** How many samples it has; absent where samples are not put together. */
  readonly rows: Size | undefined;
  readonly context: Context;
  readonly span: Span;
}

/**
 * `batch_of(dataset, sample, batch_size, collate)`: inputs that stand for a batch of a data set. What the
 * data set computes is no part of the program: only the shapes and types that it gives are.
 */
export function batchWord(parts: DataParts): HostFunction {
  return hostFunction("batch_of", ([dataset, sample, size, collate], context, span) => {
    const rows = size === undefined || size.value.kind === "none" ? undefined : sizeOf(size.value);
    const isCollated = collate !== undefined && collate.value.kind !== "none";
    let made: Value | undefined;
    const { trace } = parts.recorder;
    const [tensors, operators] = [trace.tensors.length, trace.operators.length];
    const read = new Set<TracedTensor>();
    parts.recorder.aside(() => {
      context.attempt(
        () => {
          if (sample === undefined || assumedOf(dataset?.value) !== undefined) return;
          made = context.call(sample.value, [], span);
          if (!isCollated) return;
          const items = new Array<Value>(typeof rows === "number" ? rows : 1).fill(made);
          made = context.call(collate.value, [{ value: { kind: "list", items }, span }], span);
        },
        { isQuiet: true, onFault: (fault) => reportLack(fault, context) },
      );
      const own = new Set(trace.tensors.slice(tensors));
      for (const { inputs } of trace.operators.slice(operators))
        for (const input of inputs) if (input.kind === "tensor" && !own.has(input)) read.add(input);
    });
    for (const tensor of read) parts.leaveOut(tensor);
    const making = { ...parts, context, span, rows: isCollated ? undefined : rows };
    return made === undefined || assumedOf(made) !== undefined
      ? unknownBatch({ ...making, rows })
      : batched(making, made, undefined);
  });
}

/**
 * Reports a fault of a data set's own text that no file could mend: an attribute that nothing has
 * set, shapes that do not fit, too few values. Files that nobody has may be the cause of others.
 */
function reportLack(fault: Diagnostic, context: Context): void {
  const { code, message } = fault;
  const isOwn = code === "python/attribute-error" || code.startsWith("dimops/");
  if (isOwn || /values to unpack|Subclasses of Dataset/u.test(message)) context.report(fault);
}

/** The inputs that stand for so many samples like one. */
function batched(making: Making, value: Value, name: string | undefined): Value {
  const { tensors, rows } = making;
  const tensor = tensors.tensorOf(value);
  if (tensor !== undefined) {
    const { dtype, dtypeText } = tensor;
    const shape = tensor.isUnknown === true ? undefined : tensor.shape;
    const whole = rows === undefined || shape === undefined ? shape : [rows, ...shape];
    return inputOf(making, name, { shape: whole, dtype, dtypeText });
  }
  if (assumedOf(value) !== undefined) return inputOf(making, name, unsaid);
  if (value.kind === "tuple" || value.kind === "list")
    return { kind: "list", items: value.items.map((each) => batched(making, each, undefined)) };
  if (value.kind === "dict") {
    const entries = [...value.entries].map(([at, { key, value: item }]) => {
      return [at, { key, value: batched(making, item, textOf(key)) }] as const;
    });
    return { kind: "dict", entries: new Map(entries) };
  }
  if (value.kind === "instance") {
    const holdsTensors = [...value.attributes.values()].some((each) => tensors.tensorOf(each));
    return holdsTensors ? unknownBatch(making) : inputOf(making, name, unsaid);
  }
  if (rows !== undefined && value.kind === "none") {
    const message =
      "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'NoneType'>";
    making.context.raise("TypeError", message, making.span);
  }
  if (rows === undefined || numberOf(value) === undefined) return value;
  const dtype = value.kind === "float" ? "f64" : "i64";
  return inputOf(making, name, { shape: [rows], dtype, dtypeText: dtype });
}

/** A tensor of which, at most, the number of rows is known. */
const unsaid = { shape: undefined, dtype: "f32", dtypeText: "f32" } as const;

function inputOf(
  { recorder, tensors, rows, context, span }: Making,
  name: string | undefined,
  said: Pick<TracedTensor, "shape" | "dtype" | "dtypeText">,
): Value {
  const isSet = said.shape?.every((size) => typeof size === "number") === true;
  const tensor = recorder.leaf(
    {
      ...{ role: "input", ...said, shapeStatus: isSet ? "set" : "assumed", span },
      ...(said.shape === undefined && {
        isTypeAssumed: true,
        ...(rows !== undefined && { leading: [rows] }),
      }),
    },
    context,
  );
  if (name !== undefined) tensor.name = { text: name, frames: [] };
  return tensors.object(tensor);
}

/** A batch of an unknown data set: a tensor, or several by place or key. */
function unknownBatch(making: Making): Value {
  const parts = new Map<string | number, Value>();
  const batch: Value = making.standIn("batch", {
    member: (name) => (moving.has(name) ? hostFunction(name, () => batch) : undefined),
    part: (key, span, context) => {
      const name = typeof key === "string" ? key : undefined;
      const known = parts.get(key) ?? inputOf({ ...making, span, context }, name, unsaid);
      parts.set(key, known);
      return known;
    },
  });
  return batch;
}

/** Methods that move a batch, and leave it as it is. */
const moving: ReadonlySet<string> = new Set(["to", "cuda", "cpu", "pin_memory"]);
