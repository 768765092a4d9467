import type { Span } from "#core/diagnostics";
import type { Argument, Context, Value } from "#language/python";
import type { Recorder } from "../trace/recorder.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { WrittenLayout } from "../trace/written-layouts.ts";
import { bindArguments, integerOf, none, textOf } from "./values/values.ts";

const names = ["target", "steps", "to"];

/** Services that read the arguments of `reshard`. */
interface ReshardSetting {
  readonly recorder: Recorder;
  readonly layoutOf: (value: Value | undefined) => WrittenLayout | undefined;
  /** Names of systems whose own redistribution steps can be chosen. */
  readonly stepNames: readonly string[];
  readonly targetOf: (argument: Argument | undefined) => TracedTensor | string | undefined;
}

/** `reshard(h, steps=2)`, `reshard("layers[*].h", steps="shardy", to=layout("mp", "None"))`. */
export function reshardWord(
  { recorder, layoutOf, stepNames, targetOf }: ReshardSetting,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound, extra } = bindArguments(names, args);
  const [surplus] = extra;
  if (surplus !== undefined) {
    const message = `reshard() takes ${names.join(", ")}`;
    return context.raise("TypeError", message, surplus.nameSpan ?? surplus.span);
  }
  const target = targetOf(bound.get("target"));
  if (target === undefined) {
    const message = "reshard() needs a tensor or a name first, e.g. reshard(h, steps=1)";
    return context.raise("TypeError", message, bound.get("target")?.span ?? span);
  }
  const asked = bound.get("steps");
  const steps = integerOf(asked?.value) ?? textOf(asked?.value);
  const isKnown = typeof steps === "number" ? steps >= 0 : stepNames.some((name) => name === steps);
  if (asked === undefined || steps === undefined || !isKnown) {
    const systems = stepNames.map((system) => `"${system}"`).join(", ");
    const message = `"steps" is a number of steps, or one of ${systems}`;
    const code = "document/reshard-steps";
    const fixes = asked === undefined ? [] : meant(steps, asked.span, stepNames);
    context.report({ code, severity: "error", message, span: asked?.span ?? span, fixes });
    return bound.get("target")?.value ?? none;
  }
  const layout = bound.get("to");
  const to = layoutOf(layout?.value);
  if (layout !== undefined && to === undefined) {
    const message = '"to" is a layout of the mesh, e.g. to=layout("None", "mp")';
    return context.raise("TypeError", message, layout.span);
  }
  recorder.trace.reshards.push({ target, steps, stepsSpan: asked.span, ...(to && { to }), span });
  return bound.get("target")?.value ?? none;
}

/** Fixes for a misspelt system name: the systems with the same first two letters. */
function meant(steps: number | string | undefined, span: Span, stepNames: readonly string[]) {
  if (typeof steps !== "string" || steps === "") return [];
  const begin = steps.slice(0, 2).toLowerCase();
  const near = stepNames.filter((system) => system.startsWith(begin));
  return near.map((system) => ({
    title: `Write "${system}"`,
    edits: [{ ...span, text: `"${system}"` }],
  }));
}
