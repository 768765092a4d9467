import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import type { Trace } from "#language/document/trace";
import type { Context, HostObject, Value } from "#language/python";
import { netResultsIn } from "./net-results.ts";

/** Services for methods that write into their tensor. */
interface WrittenParts {
  readonly tensors: Pick<TensorBindings, "tensorOf" | "replace">;
  /** A primitive constructed without arguments. */
  readonly primitive: (name: string) => HostObject;
}

/**
 * After a method or `x += …` that writes into a tensor, makes the name refer to the tensor in
 * memory: later readers load the tensor again instead of reading the method's result.
 *
 * @returns whether the tensor was written in place
 */
export function written(
  { tensors, primitive }: WrittenParts,
  self: Value,
  result: Value,
  context: Context,
  span: Span,
): boolean {
  const [before, after] = [tensors.tensorOf(self), tensors.tensorOf(result)];
  const { op, isUpdate } = after?.producer ?? {};
  if (before === undefined || !(op?.startsWith("Inplace") || isUpdate === true)) return false;
  if (before.role === "parameter" || self.kind !== "host") return false;
  tensors.replace(self, loaded(primitive, [self, result], context, span));
  return true;
}

/** `x.data`: GetData reads the tensor in memory; each such read loads the tensor separately. */
export function dataOf(
  { tensors, primitive }: WrittenParts,
  self: Value,
  context: Context,
  span: Span,
): Value {
  const isHeld = tensors.tensorOf(self)?.role === "parameter";
  const value = isHeld ? self : loaded(primitive, [self, self], context, span);
  return context.call(primitive("GetData"), [{ value, span }], span);
}

function loaded(
  primitive: WrittenParts["primitive"],
  operands: readonly Value[],
  context: Context,
  span: Span,
): Value {
  const args = operands.map((value) => ({ value, span }));
  return context.call(primitive("Load"), args, span);
}

/** Removes Load operators whose results nothing reads from the trace of a finished program. */
export function dropUnread(trace: Trace): void {
  const { operators, tensors } = trace;
  const results = netResultsIn(trace);
  if (results.some(({ given }) => given === undefined)) return;
  const given = new Set(results.flatMap((each) => [...(each.given ?? [])]));
  const read = new Set(operators.flatMap(({ inputs }) => inputs));
  const isUnread = operators.map(({ op, outputs }) => {
    if (op !== "Load" || outputs.some((each) => given.has(each))) return false;
    return outputs.every((each) => !read.has(each));
  });
  if (!isUnread.includes(true)) return;
  const left = new Set(operators.filter((_, at) => isUnread[at]));
  const kept = operators.filter((operator) => !left.has(operator));
  operators.splice(0, operators.length, ...kept);
  const made = tensors.filter(({ producer }) => producer === undefined || !left.has(producer));
  tensors.splice(0, tensors.length, ...made);
  dropUnread(trace);
}
