import { bindFirst, printAnnotation } from "#core/dimops";
import type { Answer, Arguments } from "./answer.ts";
import { placedIn, readCall } from "./arguments.ts";

/** `infer`: sizes of all identifiers, and shapes of the outputs. */
export function inferAnswer(args: Arguments): Answer {
  const call = readCall(args);
  if (!call.ok) return { ok: false, diagnostics: call.diagnostics };
  const { candidates, inputs, kwargs } = call.value;
  const bound = bindFirst(candidates, inputs, kwargs);
  const diagnostics = placedIn(candidates.length, bound.diagnostics);
  if (!bound.ok) {
    const expanded = bound.expanded && { expanded: printAnnotation(bound.expanded) };
    return { ok: false, ...expanded, diagnostics };
  }
  const { annotation, sizes, outputs } = bound.value;
  return {
    ok: true,
    expanded: printAnnotation(annotation),
    sizes: Object.fromEntries(sizes),
    outputs: outputs.map((shape) => shape ?? null),
    diagnostics,
  };
}
