import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { readFile, svgMetadata } from "#app/share";
import { compile } from "#compile";
import { boardLayout } from "../board/board-layout.ts";
import { pillPieces } from "../board/board-texts.ts";
import { framesOf } from "../player/frames.ts";
import { isDrawnByRows } from "../row-labels.ts";
import { planMarkdown } from "../text/plan-table.ts";
import {
  boardPicture,
  canvasPicture,
  framePicture,
  planPicture,
  stepPictures,
  tensorPicture,
} from "./pictures.ts";
import { mixColours, type SvgTheme, svgColours } from "./svg-colours.ts";
import { escaped } from "./svg-writer.ts";

const compiledOf = (name: string) =>
  compile(examples.find((example) => example.name === name)?.program ?? "");
const matmuls = compiledOf("two-matmuls");
const light = { theme: "light" } as const;

/**
 * The faults of an SVG file: unclosed tags, attributes that are not numbers, colours of style
 * sheets.
 */
function faultsOf(svg: string): readonly string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, close, name = "", rest = ""] of svg.matchAll(/<(\/?)([a-z]+)([^>]*)>/gi)) {
    if (close === "/") {
      if (open.pop() !== name) faults.push(`</${name}>`);
    } else if (!rest.endsWith("/")) open.push(name);
  }
  const odd = svg.match(/NaN|undefined|Infinity|var\(|class=|color-mix/g) ?? [];
  const missing = [...svg.matchAll(/url\(#([\w-]+)\)/g)].filter(
    ([, id]) => !svg.includes(`id="${id}"`),
  );
  return [...faults, ...open, ...odd, ...missing.map(([text]) => text)];
}

test.each(["light", "dark"] as const)(
  "the %s colours are the tokens of the style sheet",
  (theme) => {
    const css = readFileSync("src/app/ui/tokens.css", "utf8");
    const block = css.slice(css.indexOf(theme === "light" ? ":root" : "[data-theme"));
    const token = (name: string) => new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`).exec(block)?.[1];
    const { axes, axisInks, ...plain } = svgColours[theme as SvgTheme];
    for (const [hue, colour] of Object.entries(axes)) expect(colour).toBe(token(`axis-${hue}`));
    for (const [hue, colour] of Object.entries(axisInks)) {
      expect(colour).toBe(token(`axis-ink-${hue}`));
    }
    const names = { surface: "surface", canvas: "canvas", sunken: "sunken" };
    const lines = { line: "line-mid", faint: "line" };
    const inks = { edge: "line-strong", ink: "ink", ink2: "ink-2", ink3: "ink-3" };
    for (const [key, name] of Object.entries({ ...names, ...lines, ...inks })) {
      expect(Object.entries(plain).find(([each]) => each === key)?.[1]).toBe(token(name));
    }
  },
);

test("colours mix in Oklab as browsers do", () => {
  expect(mixColours("#ffffff", "#000000", 50)).toBe("#636363");
  expect(mixColours("#2364dc", "#ffffff", 100)).toBe("#2364dc");
  expect(mixColours("#2364dc", "#ffffff", 0)).toBe("#ffffff");
});

test("the canvas is one file with its words as text and its plan inside", () => {
  const metadata = svgMetadata("#p=1.0.3.00000000.abc&s=t:w2");
  const svg = canvasPicture(matmuls, { ...light, metadata });
  expect(faultsOf(svg)).toEqual([]);
  for (const words of ["= project(x, w1)", ">all-gather<", ">w2<", "1.05 MB", ">set<"]) {
    expect(svg).toContain(words);
  }
  expect(readFile(new TextEncoder().encode(svg))).toEqual({
    kind: "fragment",
    fragment: "#p=1.0.3.00000000.abc&s=t:w2",
  });
});

test("every example gives sound pictures in both themes, and its walk as numbered files", () => {
  for (const { program } of examples) {
    const compiled = compile(program);
    const dark = canvasPicture(compiled, { theme: "dark" });
    expect(faultsOf(dark)).toEqual([]);
    const files = stepPictures(compiled, light, { most: 6 });
    for (const { text } of files) expect(faultsOf(text)).toEqual([]);
    const numbers = files.map(({ name }) => Number(name.slice(0, 2)));
    expect(numbers).toEqual(files.map((_, at) => at + 1));
  }
});

test("a large plan is drawn by rows, with every text, glyph and send of its board", () => {
  const large = examples.map(({ program }) => compile(program)).filter(isDrawnByRows);
  expect(large.length).toBeGreaterThanOrEqual(3);
  for (const compiled of large) {
    for (const theme of ["light", "dark", "mono"] as const) {
      expect(faultsOf(planPicture(compiled, { theme }))).toEqual([]);
    }
    const view = {
      runs: new Map(),
      showsViews: false,
      forwardOnly: false,
      open: new Set<string>(),
    };
    const { rows } = boardLayout(compiled, 760, { ...view, zoom: 1 });
    const svg = boardPicture(compiled, light, view);
    const [cards, pills] = [rows.flatMap((row) => row.cards), rows.flatMap((row) => row.pills)];
    for (const { texts } of cards)
      for (const { segments } of texts)
        expect(svg).toContain(`>${escaped(segments[0]?.text ?? "")}`);
    const signs = svg.split('stroke-width="1.3"').length - 1;
    expect(signs).toBeGreaterThanOrEqual(pills.reduce((sum, { steps }) => sum + steps.length, 0));
    for (const pill of pills) expect(pillPieces(pill).width, pill.id).toBeLessThan(pill.width);
  }
});

test("few operators are drawn as a graph", () => {
  expect(planPicture(matmuls, light)).toBe(canvasPicture(matmuls, light));
});

test("the walk has a file for each operator and for what moves", () => {
  expect(stepPictures(matmuls, light).map(({ name }) => name)).toEqual([
    "01-h-project-x-w1.svg",
    "02-all-gather-mp-of-h.svg",
    "03-y-project-h-w2.svg",
  ]);
});

test("a tensor and a frame are files of their own", () => {
  const [tensor] = matmuls.graph.tensors;
  const [frame] = framesOf(matmuls, 0);
  if (tensor === undefined || frame === undefined) throw new Error("the example has both");
  expect(faultsOf(tensorPicture(matmuls, tensor.id, light) ?? "?")).toEqual([]);
  expect(faultsOf(framePicture(frame, light))).toEqual([]);
});

test("a picture of a step is at rest: nothing of it is pale, wherever the player stands", () => {
  for (const frame of framesOf(matmuls, 0)) {
    expect(framePicture(frame, light)).not.toContain('opacity="0.72"');
  }
});

test("on a ring the walk has a file for each hop", () => {
  const gathered = compile(
    'mesh = Mesh(d=4)\nx = Tensor((8, 8))\ny = relu(x)\nz = relu(y)\nstrategy(y, a="d")\nstrategy(z, a=())\n',
  );
  expect(stepPictures(gathered, light)).toHaveLength(3);
  expect(stepPictures(gathered, light, { hops: "ring" })).toHaveLength(5);
});

test("names that mean something to XML stay text", () => {
  const svg = canvasPicture(
    compile('mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x) # <b> & "\nz = x < y\n'),
    light,
  );
  expect(faultsOf(svg)).toEqual([]);
});

test("the table of a plan is Markdown with every tensor and every step", () => {
  const table = planMarkdown(matmuls);
  expect(table.split("\n\n")[0]).toMatch(/^Mesh dp=2,mp=2, /);
  expect(table).toContain(
    "| `h` | bf16 | 512 × 4096 | `[b@dp, f@mp]` | set | 256 × 2048 | 1.05 MB |",
  );
  expect(table).toContain("| 2 | `all-gather mp of h` | {0, 1} {2, 3} | 1.05 MB | 11.5 µs | 1 |");
  for (const line of table.split("\n").filter((each) => each.startsWith("|"))) {
    expect(line.endsWith(" |")).toBe(true);
  }
});
