import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { ShardStrategy } from "#language/document/trace";
import type { Argument, Context } from "#language/python";
import type { MindsporeLayout } from "./layouts.ts";
import type { Side } from "./shard-sides.ts";

/** Span from the first argument to the last, including a keyword name. */
export function spanOf(args: readonly Argument[]): Span {
  const [first, last] = [args[0], args.at(-1)];
  return { from: first?.nameSpan?.from ?? first?.span.from ?? 0, to: last?.span.to ?? 0 };
}

/**
 * The fix that removes the last argument of a call; none if parentheses or a comment are in the
 * way.
 */
export function withoutLast(
  args: readonly Argument[],
  last: Argument,
  { source }: Context,
): { readonly fixes?: readonly Fix[] } {
  const before = args.at(-2);
  if (args.at(-1)?.span.to !== last.span.to) return {};
  const from = before?.span.to ?? last.nameSpan?.from ?? last.span.from;
  if (/[()#]/u.test(source.slice(from, last.span.from))) return {};
  return {
    fixes: [{ title: "Take out_strategy out", edits: [{ from, to: last.span.to, text: "" }] }],
  };
}

/** The warning that MindSpore ignores the tuples of a primitive without a rule of its own. */
export function ignored(primitive: string, span: Span): Diagnostic {
  return {
    code: "mindspore/strategy-ignored",
    severity: "warning",
    message: `MindSpore has no rule of its own for ${primitive}: it ignores this strategy, and splits dim 0 over all devices where that divides it`,
    span,
  };
}

/** Raises ValueError if a Layout in a strategy was never called. */
export function checkCalled(sides: readonly Side[], argument: Argument, context: Context): void {
  const layouts = sides.flatMap((side) => (side.kind === "layouts" ? side.layouts : []));
  if (layouts.every(({ called }) => called !== undefined)) return;
  context.raise(
    "ValueError",
    "a Layout must be called before it is a strategy: its tensor_map is None",
    argument.span,
  );
}

/** The strategy from both sides of a `shard` call. */
export function strategyFrom(
  inputs: Side,
  outputs: Side | undefined,
  { tree, span }: Argument,
  asked: Argument | undefined,
): ShardStrategy {
  if (inputs.kind === "tuples") {
    const out = outputs?.kind === "tuples" ? { outputs: outputs.values } : {};
    const outTree = asked?.tree === undefined ? {} : { outTree: asked.tree };
    return { kind: "tuples", values: inputs.values, ...out, tree, ...outTree, span };
  }
  const out = outputs?.kind === "layouts" ? { outputs: outputs.layouts.flatMap(writtenOf) } : {};
  return { kind: "layouts", inputs: inputs.layouts.flatMap(writtenOf), ...out, span };
}

function writtenOf({ spec, called }: MindsporeLayout) {
  return called === undefined ? [] : [{ spec, dims: called.written.dims }];
}
