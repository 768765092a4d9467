import type { Span } from "#core/diagnostics";
import type { Argument, Context, Value } from "#language/python";
import { likeFirst } from "../trace/annotation-for.ts";
import type { Recorder } from "../trace/recorder.ts";
import { provisional } from "../trace/size.ts";
import type { FunctionBody } from "../trace/traced.ts";
import { callFunction } from "./call-function.ts";
import type { TensorBindings } from "./tensors.ts";
import { itemsOf } from "./values/values.ts";

/** The shapes that a body makes of tensors, as an annotation of which every dim is frozen. */
export function shapesOfBody(
  recorder: Recorder,
  tensors: TensorBindings,
  body: FunctionBody,
  args: readonly Argument[],
  context: Context,
  span: Span,
): string | undefined {
  if (body.kind !== "callable" || recorder.isInBody) return undefined;
  const { value } = recorder.inBody(() => {
    const given = args.map((each) => ({
      ...each,
      value: tensors.leafLike(each.value, context, span),
    }));
    return context.attempt(() => callFunction(body, given, context, span), { isQuiet: true });
  }, "shapes");
  const like = likeFirst(args.flatMap((each) => tensors.tensorOf(each.value) ?? []));
  if (value?.kind === "none" && isLeftOut(body.callee, context.source)) return like;
  const made = value === undefined ? [] : (itemsOf(value) ?? [value]);
  const shapes = made.map((each) => {
    const tensor = tensors.tensorOf(each);
    return tensor?.isUnknown === true ? undefined : tensor?.shape?.map(provisional);
  });
  if (shapes.length === 0 || shapes.some((shape) => shape === undefined)) return undefined;
  const [operands] = like.split(" -> ");
  return `${operands} -> ${shapes.map((shape) => shape?.join(" ") || "1").join(", ")}`;
}

/** Whether the body of a function is empty (`...` or `pass`): a document leaves it out. */
function isLeftOut(callee: Value, source: string): boolean {
  if (callee.kind !== "function") return false;
  return /^\s*(\.\.\.|pass)/.test(source.slice(callee.bodySpan.from, callee.bodySpan.to));
}
