import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "#compile";
import { product } from "#core/arithmetic";
import { hasErrors } from "#core/diagnostics";
import type { Tensor } from "#core/ir";
import { runReference } from "#execute/reference";
import { fileOf } from "../published.testing.ts";
import { readStablehlo } from "./read-stablehlo.ts";

const folder = join(import.meta.dirname, "fixtures");

/** Names of the recorded programs. */
export const recordedNames = [
  ...["mlp", "attention", "layers", "layers-gradient", "convolutions", "language"],
  ...["language-gradient", "words", "flax", "sharded", "swapped", "picked"],
] as const;

export type RecordedName = (typeof recordedNames)[number] | "unheard";

/** Text of a recorded module, with or without source names. */
export function recordedText(name: RecordedName, isNamed: boolean): string {
  return readFileSync(join(folder, `${name}${isNamed ? ".named" : ""}.mlir`), "utf8");
}

/** Recorded numbers of a program's arguments and results, row-major. */
export function recordedNumbers(name: RecordedName): {
  readonly arguments: readonly (readonly number[])[];
  readonly results: readonly (readonly number[])[];
} {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
}

/** A recorded module read as a program. */
export function recordedProgram(name: RecordedName, isNamed = true) {
  const made = readStablehlo(fileOf(`${name}.mlir`, recordedText(name, isNamed)));
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return { ...made.value, program: made.value.program ?? "" };
}

/**
 * Results of a read program on given arguments, computed by the unsharded reference; constants keep
 * the numbers of the text.
 */
export function resultsOf(program: string, given: readonly (readonly number[])[]) {
  const names = /^# Results: (.*)$/mu.exec(program)?.[1]?.split(", ") ?? [];
  // A final value carries the name of its operator or a number, so it is cloned under a known name.
  const copies = names.map((name, at) => `result_of_${at} = ${name}.clone()\n`);
  const compiled = compile(`${program}${copies.join("")}`);
  if (hasErrors(compiled.diagnostics)) {
    throw new Error(compiled.diagnostics.map(({ message }) => message).join("\n"));
  }
  const { graph } = compiled;
  const leaves = graph.tensors.filter(({ producer }) => producer === undefined);
  const constants = leaves.map((leaf) => constantNumbers(program, leaf));
  let next = 0;
  const inputs = new Map(
    leaves.map((leaf, at) => {
      const own = constants[at] ?? given[next++];
      if (own === undefined) throw new Error(`no numbers for ${leaf.name}`);
      return [leaf.id, Float64Array.from(own)];
    }),
  );
  if (next !== given.length) throw new Error(`${next} of ${given.length} arguments are leaves`);
  const run = runReference(graph, inputs, "floats");
  const results = names.map((name, at) => {
    const tensor = graph.tensors.find((each) => each.name === `result_of_${at}`);
    const whole = tensor && run.tensors.get(tensor.id);
    if (whole === undefined) throw new Error(`no result ${name}`);
    return whole;
  });
  return { compiled, results, assumed: run.assumed };
}

/** Numbers of a tensor that a line of the text makes; `undefined` for an argument. */
function constantNumbers(program: string, { shape, span }: Tensor): readonly number[] | undefined {
  const text = span === undefined ? "" : program.slice(span.from);
  const count = product(shape);
  if (text.startsWith("torch.arange(")) return Array.from({ length: count }, (_, at) => at);
  if (text.startsWith("torch.zeros_like(")) return Array.from({ length: count }, () => 0);
  const list = /^torch\.tensor\((\[.*?\]), dtype/u.exec(text)?.[1];
  if (list !== undefined) return JSON.parse(list).flat(9);
  const full = /^torch\.full\(\([\d, ]*\), ([^,)]+(?:\("[^"]*"\))?)/u.exec(text)?.[1];
  if (full === undefined) return undefined;
  const number = { True: 1, False: 0, 'float("-inf")': -Infinity, 'float("inf")': Infinity }[full];
  return Array.from({ length: count }, () => number ?? Number(full));
}
