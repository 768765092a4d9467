import { nearestMachine, parseMachine } from "#core/cost";
import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostType, Value } from "#language/python";
import { writing } from "../fix.ts";
import type { Recorder } from "../recorder.ts";
import type { WrittenMesh } from "../trace.ts";
import { assumedOf } from "./assumed.ts";
import { figuresIn, figureWords } from "./mesh-figures.ts";
import { hostFunction } from "./namespace.ts";
import { layoutWord } from "./native-layout.ts";
import { integerOf, integersOf, textOf } from "./values.ts";
import { asWhole } from "./whole-numbers.ts";

/** The size of a mesh axis that is a name which the text does not define. */
const assumedPieces = 2;

/** `Mesh(dp=2, mp=4, devices=[…], hardware="…", chip={…}, links={…})`. */
export function meshWord(
  recorder: Recorder,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const isSetting = ({ name = "", value }: Argument) =>
    name === "devices" || name === "hardware" || (figureWords.has(name) && value.kind === "dict");
  const axes = args.flatMap((argument) => {
    if (argument.name === undefined) {
      return context.raise(
        "TypeError",
        "a mesh axis needs a name, e.g. Mesh(dp=2, mp=4)",
        argument.span,
      );
    }
    if (isSetting(argument)) return [];
    const isAssumed = assumedOf(argument.value) !== undefined;
    const size = isAssumed ? assumedPieces : integerOf(argument.value);
    if (size === undefined) {
      return context.raise(
        "TypeError",
        `the size of mesh axis "${argument.name}" must be an integer`,
        argument.span,
        { fixes: asWhole([argument], context.source) },
      );
    }
    if (size < 1) {
      return context.raise(
        "ValueError",
        `the size of mesh axis "${argument.name}" must be at least 1, not ${size}`,
        argument.span,
        { fixes: [writing(argument.span, "1")] },
      );
    }
    const nameSpan = argument.nameSpan ?? argument.span;
    return [
      {
        name: argument.name,
        size,
        span: { from: nameSpan.from, to: argument.span.to },
        sizeSpan: argument.span,
      },
    ];
  });
  const listed = args.find((argument) => argument.name === "devices");
  const devices = integersOf(listed?.value);
  const hardware = hardwareIn(
    args.find((argument) => argument.name === "hardware"),
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

/** `hardware="8xH100"`; a preset that nobody knows is said, and the mesh stands. */
function hardwareIn(argument: Argument | undefined, context: Context): WrittenMesh["hardware"] {
  const text = textOf(argument?.value);
  if (argument === undefined || text === undefined) return undefined;
  const { span } = argument;
  const parsed = parseMachine(text);
  const meant = `"${nearestMachine(text)}"`;
  const fixes = [{ title: `Write ${meant}`, edits: [{ ...span, text: meant }] }];
  for (const fault of parsed.diagnostics) context.report({ ...fault, span, fixes });
  return parsed.ok ? { machine: parsed.value, span } : undefined;
}

const meshType: HostType = {
  name: "Mesh",
  attribute: (_self, name) => (name === "layout" ? hostFunction("layout", layoutWord) : undefined),
  text: () => "Mesh",
};
