import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { encodeLink, readFile, readFragment, svgMetadata } from "#app/share";
import { compile } from "#compile";
import { legendPicture, meshPicture, spacePicture, stripPicture } from "../pictures.ts";

/** Every figure of a plan in a theme. */
function figuresOf(text: string, theme: "light" | "dark" | "mono"): readonly string[] {
  const compiled = compile(text);
  const metadata = svgMetadata(encodeLink({ text }));
  const look = { theme, metadata, millimetres: 85 };
  const { operators } = compiled.program.graph;
  const { redistributions } = compiled.program;
  return [
    meshPicture(compiled, look),
    legendPicture(compiled, look),
    ...operators.slice(0, 3).flatMap(({ id }) => spacePicture(compiled, id, look) ?? []),
    ...redistributions
      .slice(0, 2)
      .flatMap(({ index }) => [
        stripPicture(compiled, index, look, "logical") ?? [],
        stripPicture(compiled, index, look, "ring") ?? [],
      ]),
  ].flat();
}

const some = examples.filter((_, at) => at % 5 === 0);

test.each(some.map(({ name, program }) => [name, program] as const))(
  "the figures of %s are 85 mm wide, have no number that is none, and open as their plan",
  (_name, text) => {
    for (const figure of figuresOf(text, "light")) {
      expect(figure).toMatch(/^<svg [^>]*width="85mm" height="[\d.]+mm"/);
      expect(figure).not.toMatch(/NaN|undefined|Infinity/);
      const read = readFile(new TextEncoder().encode(figure));
      if (read.kind !== "fragment") throw new Error("the figure carries no plan");
      expect(readFragment(read.fragment)).toMatchObject({ document: { text } });
    }
  },
);

test("without colours every figure is grey, and each axis keeps a texture of its own", () => {
  const text = `mesh = Mesh(a=2, b=4, c=2)
x = Tensor((16, 16))
w = Parameter((16, 32))
y = matmul(x, w)
strategy(y, m="a", n="b", k="c")
`;
  for (const figure of figuresOf(text, "mono")) {
    for (const [, hex = ""] of figure.matchAll(/#([0-9a-f]{6})\b/g)) {
      const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
        Number.parseInt(hex.slice(at, at + 2), 16),
      );
      expect(Math.max(red, green, blue) - Math.min(red, green, blue), hex).toBeLessThanOrEqual(1);
    }
  }
  const legend = legendPicture(compile(text), { theme: "mono" });
  const textures = new Set([...legend.matchAll(/id="texture-(\d)-/g)].map(([, hue]) => hue));
  expect(textures).toEqual(new Set(["1", "2", "3"]));
});

test("a strip has every hop, in order, as text", () => {
  const ring = examples.find(({ name }) => name === "mindspore-net");
  if (ring === undefined) throw new Error("the example is gone");
  const strip = stripPicture(compile(ring.program), 0, { theme: "light" }, "ring") ?? "";
  const hops = [...strip.matchAll(/>\d+\. [^<]*hop (\d) of 3/g)].map(([, hop]) => hop);
  expect(hops).toEqual(["1", "2", "3"]);
});

test("of a large mesh the first block stands for all, and what is left out is said", () => {
  const figure = meshPicture(compile("mesh = Mesh(pp=8, dp=16, tp=16)\n"), { theme: "light" });
  expect(figure).toContain("and 1792 more devices like these");
  const small = meshPicture(compile("mesh = Mesh(pp=2, dp=2, tp=2)\n"), { theme: "light" });
  expect(small).toContain("pp 1");
  expect(small).not.toContain("more devices");
});
