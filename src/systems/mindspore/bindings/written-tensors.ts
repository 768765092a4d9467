import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import type { Trace } from "#language/document/trace";
import type { Context, HostObject, Value } from "#language/python";
import { netResultsIn } from "./net-results.ts";

/** The parts that a method needs to write into its tensor. */
interface WrittenParts {
  readonly tensors: Pick<TensorBindings, "tensorOf" | "replace">;
  /** A primitive that was made without arguments. */
  readonly primitive: (name: string) => HostObject;
}

/**
 * After a method or `x += …` that writes into a tensor, makes the name stand for the tensor in
 * memory: later readers load the tensor once more, and do not read the method's result.
 *
 * @returns whether it has written into one
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

/** `x.data`: GetData reads what is in memory, and all that do so read the tensor once for themselves. */
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

/** Takes out of a program that has ended what reads memory again for nobody. */
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
