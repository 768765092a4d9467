import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { boardFigures } from "./board-figures.ts";
import { moduleOutline, type OutlineItem } from "./module-outline.ts";

const gpt = compile(`${readFileSync("e2e/texts/gpt-24.py", "utf8")}
place("blocks[*].mlp.fc.weight", layout("tp", "None"))
place("blocks[*].mlp.out.weight", layout("None", "tp"))
`);

const usual = { open: new Set<string>(), runs: new Map<string, string>() };
const view = { ...usual, showsViews: false, forwardOnly: false };

/** Lines of the outline as text: `> blocks ×24`, `  v attn`, `  q`, `  · all-reduce`. */
function drawn(lines: readonly OutlineItem[]): readonly string[] {
  return lines.map((line) => {
    const indent = "  ".repeat(line.level - 1);
    if (line.kind === "module") {
      const count = line.runs.length > 1 ? ` ×${line.runs.length}` : "";
      return `${indent}${line.isOpen ? "v" : ">"} ${line.name}${count}`;
    }
    if (line.kind !== "send") return `${indent}${line.name}`;
    return `${indent}· ${line.badge.steps.map(({ collective }) => collective).join(", ")}`;
  });
}

test("folded, a net of 24 layers is short: equal layers are one line", () => {
  const { lines, hiddenOperators } = moduleOutline(gpt, view);
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(drawn(lines).filter((line) => line.startsWith("> blocks"))).not.toEqual([]);
  expect(hiddenOperators).toBeGreaterThan(100);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

test("what is sent stands beneath its operator, inside of the module that is open", () => {
  const [folded] = moduleOutline(gpt, view).lines.flatMap((line) =>
    line.kind === "module" && line.runs.length > 1 ? [line] : [],
  );
  const key = folded?.key ?? "";
  const open = new Set([key, `${folded?.runs[0]}.mlp`]);
  const found = moduleOutline(gpt, { ...view, open }).lines;
  const lines = drawn(found);
  const from = lines.indexOf("  v mlp");
  const inside = lines.slice(from + 1).filter((line) => line.startsWith("    "));
  const operators = inside.flatMap((line) => (/[.·]/u.test(line) ? [] : [line.trim()]));
  expect(operators).toEqual(["fc", "gelu", "out"]);
  const sent = found.findIndex((line) => line.kind === "send" && line.lane === "forward");
  expect(lines[sent]).toBe("  · all-reduce");
  expect(lines[sent - 1]).toBe("  +");
  expect(lines[lines.indexOf("    fc") - 1]).toMatch(/fc\.weight$/);
});

test("what takes time without a line of its own is counted: a cast of the logits, both ways", () => {
  const { hiddenTime, hiddenOperators } = moduleOutline(gpt, view);
  const drawn = moduleOutline(gpt, { ...view, showsViews: true });
  expect(drawn).toMatchObject({ hiddenOperators: 0, hiddenTime: "" });
  const { schedule, program } = gpt;
  expect(schedule).toBeDefined();
  const secondsOf = boardFigures(gpt).operators;
  const casts = program.graph.operators.filter(({ entry }) => entry === "cast");
  expect(casts.length).toBe(2);
  const least = casts.reduce((sum, { id }) => sum + (secondsOf.get(id) ?? 0), 0);
  expect(least).toBeGreaterThan(0.01);
  expect(hiddenTime).toMatch(/^\d+\.\d ms$/u);
  expect(Number.parseFloat(hiddenTime)).toBeGreaterThan(1e3 * least - 0.1);
  expect(hiddenOperators).toBeGreaterThan(100);
  const forward = moduleOutline(gpt, { ...view, forwardOnly: true }).hiddenTime;
  expect(Number.parseFloat(forward)).toBeLessThan(Number.parseFloat(hiddenTime));
});

test("another layer takes the place of the first, with its own operators", () => {
  const [folded] = moduleOutline(gpt, view).lines.flatMap((line) =>
    line.kind === "module" && line.runs.length > 1 ? [line] : [],
  );
  const { key = "", runs = [] } = folded ?? {};
  const last = runs.at(-1) ?? "";
  const shown = moduleOutline(gpt, {
    ...view,
    open: new Set([key]),
    runs: new Map([[key, last]]),
  }).lines;
  expect(shown.find(({ id }) => id === `module-${key}`)).toMatchObject({ note: "number 23 shown" });
  expect(shown.some(({ name }) => name.startsWith(`${last}.`))).toBe(true);
});

test("nothing is left out that the text gives, though nothing reads it", () => {
  const compiled = compile("x = Tensor((8, 4))\nz = Tensor((2, 2))\ny = relu(x)\n");
  const { lines } = moduleOutline(compiled, view);
  expect(lines.map(({ name }) => name)).toEqual(["x", expect.any(String), "z"]);
});
