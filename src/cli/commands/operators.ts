import { hasErrors } from "#core/diagnostics";
import { printAnnotation } from "#core/dimops";
import { bindCall, entries, type LibraryEntry } from "#core/ir";
import { printBody, printGradient } from "#core/ir/body";
import type { Answer, Arguments } from "./answer.ts";

/** `operators`: the library, each operator with the annotation and body of a sample call. */
export function operatorsAnswer(_args: Arguments): Answer {
  return { ok: true, operators: entries.map(operatorRow), diagnostics: [] };
}

function operatorRow(entry: LibraryEntry): Readonly<Record<string, unknown>> {
  const sample = entry.sample((_, multipleOf = 1) => sampleSize * multipleOf);
  const bound = bindCall(entry, sample);
  if (!bound.ok || hasErrors(bound.diagnostics)) throw new Error(`${entry.name} does not bind`);
  const { call, bound: binding } = bound.value;
  const names = operandNames(entry, call.inputs.length);
  const gradients = entry.gradient(call).flatMap((steps, at) => {
    const isTensor = call.inputs[at] !== undefined;
    return isTensor ? [[names[at] ?? `x${at}`, printGradient(steps, names)] as const] : [];
  });
  const present = entry.linear.map((group) => group.filter((at) => call.inputs[at] !== undefined));
  return {
    name: entry.name,
    aliases: entry.aliases,
    parameters: entry.parameters,
    annotation: printAnnotation(binding.annotation),
    body: printBody(entry.body(call), names),
    gradient: Object.fromEntries(gradients),
    linear: present.filter((group) => group.length > 0),
  };
}

/** Base size of the dims in sample calls. */
const sampleSize = 4;

/** Operand names; a list of tensors is one parameter with many operands. */
function operandNames({ parameters, variadic }: LibraryEntry, count: number): readonly string[] {
  if (!variadic) return parameters;
  return Array.from({ length: count }, (_, at) => `${parameters[0] ?? "x"}[${at}]`);
}
