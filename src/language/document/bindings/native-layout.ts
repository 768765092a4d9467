import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostType, Value } from "#language/python";
import type { WrittenAxes, WrittenLayout } from "../trace.ts";
import { axesOf } from "./values.ts";

/** Layouts of the document's mesh as Python values; the written form stays at hand. */
const layoutType: HostType = { name: "Layout", text: () => "layout" };

/** A layout of the document's mesh behind a Python value, if it is one. */
export function writtenLayoutOf(value: Value | undefined): WrittenLayout | undefined {
  if (value?.kind !== "host" || value.type !== layoutType) return undefined;
  return value.data as WrittenLayout;
}

/** `layout("dp", "None")`. */
export function layoutWord(args: readonly Argument[], context: Context, span: Span): Value {
  const dims = args.map((argument): WrittenAxes => {
    const axes = axesOf(argument.value, argument.tree, argument.span);
    if (axes !== undefined) return axes;
    return context.raise(
      "ValueError",
      'a dim of a layout is an axis name, a tuple of axis names, or "None"',
      argument.span,
    );
  });
  const written: WrittenLayout = { dims, span };
  return { kind: "host", type: layoutType, data: written };
}
