import { derivedBackward } from "./backward.ts";
import { backwardStep, derivedGradient } from "./derived-gradient.ts";
import type { Backward, EntrySpec, LibraryEntry } from "./entry.ts";
import { keepsOfEntry, liesInTerms } from "./storages/entry-keeps.ts";
import { typesOfEntry } from "./types/entry-types.ts";

/** A library entry from its definition, with defaults. */
export function define({ gradient, ...spec }: EntrySpec): LibraryEntry {
  const tensors = spec.tensors ?? spec.parameters.length;
  const keeps = keepsOfEntry(spec.name);
  const backward = spec.backward ?? backwardOf(spec.body, gradient);
  return {
    aliases: [],
    tensors,
    required: tensors,
    variadic: false,
    linear: [],
    domains: [],
    types: typesOfEntry(spec.name),
    ...(keeps !== undefined && { keeps }),
    ...(liesInTerms.has(spec.name) && { liesInTerms: true }),
    ...spec,
    gradient: gradientOf(spec, gradient),
    ...(backward !== undefined && { backward }),
  };
}

function gradientOf(
  { name, body }: Pick<EntrySpec, "name" | "body">,
  gradient: EntrySpec["gradient"],
): LibraryEntry["gradient"] {
  if (gradient === "derived") return (call) => derivedGradient(name, body(call), call);
  if (gradient === "none") return (call) => call.inputs.map(() => []);
  if (typeof gradient === "function") return gradient;
  const { targets } = gradient;
  return (call) =>
    call.inputs.map((input, at) =>
      input !== undefined && targets.includes(at) ? [backwardStep(name, call, at, gradient)] : [],
    );
}

function backwardOf(
  body: EntrySpec["body"],
  gradient: EntrySpec["gradient"],
): Backward | undefined {
  if (gradient === "derived") return derivedBackward(body);
  return typeof gradient === "object" ? gradient : undefined;
}
