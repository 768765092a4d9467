import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Diagnostic } from "#core/diagnostics";
import { readDocument } from "#systems";

/**
 * A small net with what PyTorch 2.13 says of it, as `engines/record_torch_nets.py` writes it down.
 */
interface Row {
  readonly about: string;
  readonly lines: readonly string[];
  /** Of a net that is not read in full: a part of the line at which a warning must say so. */
  readonly unread?: string;
  readonly shapes?: Readonly<Record<string, readonly number[]>>;
  readonly parameters?: Readonly<Record<string, number>>;
  /** The error that PyTorch raises. */
  readonly refused?: string;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/torch/library/torch-nets.json", "utf8"),
);

/** Whether a warning or an error stands in a line that has a part. */
function isSaidAt(diagnostics: readonly Diagnostic[], text: string, part: string): boolean {
  return diagnostics.some(({ severity, span }) => {
    if (severity === "info" || span === undefined) return false;
    const from = text.lastIndexOf("\n", span.from) + 1;
    const to = text.indexOf("\n", span.to);
    return text.slice(from, to === -1 ? undefined : to).includes(part);
  });
}

/** What is claimed of a net and is not so, or is not known and no warning says so. */
function wrongOf({ lines, unread, shapes = {}, parameters = {}, refused }: Row): readonly string[] {
  const text = lines.join("\n");
  const { diagnostics, graph, modules } = readDocument(text);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (unread !== undefined && !isSaidAt(diagnostics, text, unread))
    return [`nothing is said at ${unread}`];
  if (refused !== undefined)
    return diagnostics.some(({ severity }) => severity !== "info") ? [] : [`torch: ${refused}`];
  const wrong = errors.map(({ message }) => message);
  for (const [name, shape] of Object.entries(shapes)) {
    const tensor = graph.tensors.find((each) => each.name === name);
    if (unread !== undefined && (tensor === undefined || tensor.isUnknown === true)) continue;
    const said = tensor?.isUnknown === true ? "unknown" : JSON.stringify(tensor?.shape);
    if (said !== JSON.stringify(shape)) wrong.push(`${name}: ${said}, torch ${shape}`);
  }
  for (const [name, count] of Object.entries(parameters)) {
    const said = modules.get(name);
    if (said !== count && !(unread !== undefined && said === undefined))
      wrong.push(`parameters of ${name}: ${said}, torch ${count}`);
  }
  return wrong;
}

test.each(rows)("nothing of a net is silently wrong: $about", (row) => {
  expect(wrongOf(row), row.lines.join("\n")).toEqual([]);
});
