import { expect, test } from "vitest";
import { type LibraryEntry, library } from "#core/ir";
import { readDocument } from "#systems";

/** Entry names that are Python built-ins in a program. */
const ofPython = new Set(["abs", "pow", "sum", "slice"]);
const entries = [...library.values()].filter(({ name }) => !ofPython.has(name));
const sampleOf = ({ sample }: LibraryEntry) => sample((_, multipleOf = 1) => 4 * multipleOf);

/** Call of an entry with its sample arguments, some of them replaced by position. */
function called(entry: LibraryEntry, others: Readonly<Record<string, string>>): string {
  const { inputs, attributes } = sampleOf(entry);
  const given = inputs.flatMap((shape, at) =>
    shape === undefined ? [] : [others[at] ?? `Tensor(${JSON.stringify(shape)})`],
  );
  const operands = entry.variadic ? [`[${given.join(", ")}]`] : given;
  const written = Object.entries(attributes).map(([name, value]) => {
    return [name, others[name] ?? JSON.stringify(value).replace("true", "True")] as const;
  });
  const settings = written.map(([name, value]) =>
    name === entry.leading ? value : `${name}=${value}`,
  );
  const leading = entry.leading === undefined ? 0 : 1;
  const args = [...settings.slice(0, leading), ...operands, ...settings.slice(leading)];
  return `mesh = Mesh(dp=2)\ny = ${entry.name}(${args.join(", ")})\n`;
}

/** Texts without a diagnostic message that matches a pattern. */
function without(said: RegExp, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const messages = readDocument(text).diagnostics.map(({ message }) => message);
    return messages.some((each) => said.test(each)) ? [] : [`${text}${messages.join("; ")}`];
  });
}

test("a text, a mesh or a number where no number may stand is refused as a tensor of each operator", () => {
  const wrong = entries.flatMap((entry) =>
    sampleOf(entry).inputs.flatMap((shape, at) => {
      if (shape === undefined) return [];
      const name = entry.parameters[entry.variadic ? 0 : at] ?? "";
      const number = entry.mayBeNumbers?.includes(name) === true ? [] : ["3"];
      return ['"a"', "mesh", ...number].map((other) => called(entry, { [at]: other }));
    }),
  );
  expect(wrong.length).toBeGreaterThan(500);
  expect(without(/must be a tensor, not/u, wrong)).toEqual([]);
});

test("a text is refused as each setting that is a number", () => {
  const wrong = entries.flatMap((entry) =>
    Object.entries(sampleOf(entry).attributes).flatMap(([name, value]) =>
      typeof value === "string" ? [] : [called(entry, { [name]: '"a"' })],
    ),
  );
  expect(wrong.length).toBeGreaterThan(50);
  expect(without(/must be a (number|tensor), not str/u, wrong)).toEqual([]);
});

test("calls of the samples themselves are taken", () => {
  const said = entries.flatMap((entry) =>
    readDocument(called(entry, {}))
      .diagnostics.filter(({ code }) => code.startsWith("python/"))
      .map(({ message }) => `${entry.name}: ${message}`),
  );
  expect(said).toEqual([]);
});
