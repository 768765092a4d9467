import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostType, Value } from "#language/python";
import { writing } from "../fix.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { WrittenAxes, WrittenLayout } from "../trace/written-layouts.ts";
import { asWhole } from "./argument-checks.ts";
import { assumedOf } from "./assumed.ts";
import { figureNames, figuresIn, hardwareIn } from "./mesh-figures.ts";
import { axesOf, hostFunction, integerOf, integersOf } from "./values/values.ts";

/** Assumed size of a mesh axis whose size is a name that the text does not define. */
const assumedPieces = 2;

/** `Mesh(dp=2, mp=4, devices=[…], hardware="…" or {…}, chip={…}, links={…})`. */
export function meshWord(
  recorder: Recorder,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const isSetting = ({ name = "", value }: Argument) =>
    name === "devices" || name === "hardware" || (figureNames.has(name) && value.kind === "dict");
  const axes = args.flatMap((argument) => {
    const { name } = argument;
    if (name === undefined) {
      const message = "a mesh axis needs a name, e.g. Mesh(dp=2, mp=4)";
      return context.raise("TypeError", message, argument.span);
    }
    return isSetting(argument) ? [] : [meshAxis(name, argument, context)];
  });
  const listed = args.find((argument) => argument.name === "devices");
  const devices = integersOf(listed?.value);
  const hardware = hardwareIn(
    args.find((argument) => argument.name === "hardware"),
    axes,
    context,
  );
  const figures = figuresIn(args.filter(isSetting), axes, context);
  const devicesSpan = listed && { devicesSpan: listed.span };
  recorder.trace.meshes.push({
    axes,
    devices,
    ...devicesSpan,
    ...(hardware !== undefined && { hardware }),
    ...(figures !== undefined && { figures }),
    span,
  });
  return { kind: "host", type: meshType, data: recorder.trace.meshes.length - 1 };
}

/** `dp=2`: a mesh axis. A size that is an undefined name is assumed (`assumedPieces`). */
function meshAxis(name: string, argument: Argument, context: Context) {
  const isAssumed = assumedOf(argument.value) !== undefined;
  const size = isAssumed ? assumedPieces : integerOf(argument.value);
  if (size === undefined) {
    const message = `the size of mesh axis "${name}" must be an integer`;
    const fixes = asWhole([argument], context.source);
    return context.raise("TypeError", message, argument.span, { fixes });
  }
  if (size < 1) {
    const message = `the size of mesh axis "${name}" must be at least 1, not ${size}`;
    const fixes = [writing(argument.span, "1")];
    return context.raise("ValueError", message, argument.span, { fixes });
  }
  const { from } = argument.nameSpan ?? argument.span;
  return { name, size, span: { from, to: argument.span.to }, sizeSpan: argument.span };
}

const meshType: HostType = {
  name: "Mesh",
  attribute: (_self, name) => (name === "layout" ? hostFunction("layout", layoutWord) : undefined),
  text: () => "Mesh",
};

/** Host type of layouts of the document's mesh; `data` holds the layout as written. */
const layoutType: HostType = { name: "Layout", text: () => "layout" };

/** The layout behind a Python value; `undefined` for any other value. */
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
