import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Color = readonly [number, number, number];

const css = readFileSync("src/app/ui/tokens.css", "utf8");
const themes = [
  { theme: "light", tokens: tokensOf(/:root/u) },
  { theme: "dark", tokens: tokensOf(/\[data-theme="?dark"?\]/u) },
];
const axes = [1, 2, 3, 4, 5, 6, 7, 8];

/** Colour vision matrices of Machado, Oliveira and Fernandes (2009), severity 1, on linear sRGB. */
const sights: Readonly<Record<string, readonly Color[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

test("CIEDE2000 gives the published differences", () => {
  // Pairs 1, 7 and 14 of Sharma, Wu and Dalal (2005).
  expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(difference([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
  expect(difference([50, 2.5, 0], [50, 0, -2.5])).toBeCloseTo(4.3065, 4);
});

for (const { theme, tokens } of themes) {
  test.each(Object.keys(sights))(`no two axis marks look alike: ${theme}, %s sight`, (sight) => {
    const marks = axes.map((axis) => labOf(seen(colorOf(tokens, `axis-${axis}`), sight)));
    const least = marks.flatMap((mark, at) =>
      marks.slice(at + 1).map((other) => difference(mark, other)),
    );
    const tenths = Math.round(Math.min(...least) * 10);
    expect(tenths / 10).toBeGreaterThanOrEqual(12);
  });

  test(`axis marks stand out from the paper: ${theme}`, () => {
    for (const axis of axes) {
      const mark = colorOf(tokens, `axis-${axis}`);
      expect(contrast(mark, colorOf(tokens, "surface"))).toBeGreaterThanOrEqual(3);
    }
  });

  test(`texts keep 4.5:1 on every ground: ${theme}`, () => {
    const inks = ["ink", "ink-2", "ink-3", "danger", "warn", "ok"];
    const axisInks = axes.map((axis) => `axis-ink-${axis}`);
    for (const ground of ["surface", "bg", "canvas", "sunken"]) {
      for (const ink of [...inks, ...axisInks]) {
        const ratio = contrast(colorOf(tokens, ink), colorOf(tokens, ground));
        expect(ratio, `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
}

function tokensOf(selector: RegExp): ReadonlyMap<string, string> {
  const start = css.indexOf("{", css.search(selector));
  const block = css.slice(start, css.indexOf("}", start));
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gu)].map(([, k = "", v = ""]) => [k, v]),
  );
}

function colorOf(tokens: ReadonlyMap<string, string>, name: string): Color {
  const hex = tokens.get(name);
  if (hex === undefined) throw new Error(`no token --${name}`);
  const channel = (at: number) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function contrast(a: Color, b: Color): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance([r, g, b]: Color): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function seen(color: Color, sight: string): Color {
  const row = (at: number) => {
    const [r = 0, g = 0, b = 0] = sights[sight]?.[at] ?? [];
    const value = r * color[0] + g * color[1] + b * color[2];
    return Math.min(Math.max(value, 0), 1);
  };
  return [row(0), row(1), row(2)];
}

/** CIELAB coordinates under D65. */
function labOf([r, g, b]: Color): Color {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000; symbols as in Sharma, Wu and Dalal (2005). */
function difference([l1, a1, b1]: Color, [l2, a2, b2]: Color): number {
  const rad = Math.PI / 180;
  const cMean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(cMean ** 7 / (cMean ** 7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (a: number, b: number) =>
    a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / rad + 360) % 360;
  const [h1, h2] = [hue(p1, b1), hue(p2, b2)];
  const raw = h2 - h1;
  const turn = Math.abs(raw) <= 180 ? raw : raw > 180 ? raw - 360 : raw + 360;
  const dh = c1 * c2 === 0 ? 0 : turn;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * rad);
  const [lBar, cBar] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const sum = h1 + h2;
  const around = Math.abs(h1 - h2) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  const hBar = c1 * c2 === 0 ? sum : around;
  const t =
    1 -
    0.17 * Math.cos((hBar - 30) * rad) +
    0.24 * Math.cos(2 * hBar * rad) +
    0.32 * Math.cos((3 * hBar + 6) * rad) -
    0.2 * Math.cos((4 * hBar - 63) * rad);
  const sl = 1 + (0.015 * (lBar - 50) ** 2) / Math.sqrt(20 + (lBar - 50) ** 2);
  const sc = 1 + 0.045 * cBar;
  const sh = 1 + 0.015 * cBar * t;
  const turnWeight = 30 * Math.exp(-(((hBar - 275) / 25) ** 2));
  const rt = -Math.sin(2 * turnWeight * rad) * 2 * Math.sqrt(cBar ** 7 / (cBar ** 7 + 25 ** 7));
  const [l, c, h] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh];
  return Math.sqrt(l * l + c * c + h * h + rt * c * h);
}
