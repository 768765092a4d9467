import { expect, test } from "vitest";
import { compile } from "#compile";
import { printLayout } from "#core/mesh";
import { galleryDrawing } from "./gallery.ts";

/** `name layout` of every tensor on a card. */
function card(text: string, shows?: readonly string[]) {
  const drawing = galleryDrawing(compile(text), shows);
  const tensors = drawing.tensors.map(
    ({ name, drawn }) => `${name} ${printLayout(drawn.layout)} ${drawn.shape.join("x")}`,
  );
  return { ...drawing, tensors };
}

const head = `mesh = Mesh(dp=2, mp=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
`;

test("a card shows the dearest redistribution before and after", () => {
  const text = `${head}y = softmax(h)
strategy(h, m="dp", n="mp")
strategy(y, a="dp")
`;
  expect(card(text)).toMatchObject({
    tensors: ["h dp,mp 8x32", "h dp,_ 8x32"],
    between: [{ collective: "all-gather", axes: [{ text: "mp", hue: 2 }] }],
    mesh: [
      { text: "dp", hue: 1, size: 2 },
      { text: "mp", hue: 2, size: 4 },
    ],
    deviceCount: 8,
    contributors: [{ collective: "all-gather", count: 1, bytes: 384 }],
    bytes: 384,
  });
});

test("where nothing is sent, it shows the tensors as they lie", () => {
  const drawing = card(`${head}strategy(h, m="dp", n="mp")\n`);
  expect(drawing).toMatchObject({ contributors: [], bytes: 0 });
  expect(drawing.tensors).toEqual(["x dp,_ 8x16", "w _,mp 16x32", "h dp,mp 8x32"]);
  expect(drawing).not.toHaveProperty("between");
});

test("tensors that are named are shown in place of a redistribution", () => {
  const text = `${head}strategy(h, k="mp")\n`;
  expect(card(text)).toHaveProperty("between");
  const drawing = card(text, ["h", "w"]);
  expect(drawing.tensors).toEqual(["h _,_|mp 8x32", "w mp,_ 16x32"]);
  expect(drawing).not.toHaveProperty("between");
  expect(drawing.contributors).toHaveLength(1);
});

test("a program with an error shows its tensors and the error", () => {
  const drawing = card(`${head}strategy(h, m="dp", n="dp")\n`);
  expect(drawing.fault).toMatch(/"dp" already splits "m"/);
  expect(drawing.tensors).toHaveLength(3);
});

test("of many tensors the first four are shown, of none nothing", () => {
  const many = Array.from({ length: 9 }, (_, at) => `t${at} = Tensor((4, 4))\n`).join("");
  expect(card(many).tensors).toHaveLength(4);
  expect(card("")).toMatchObject({ tensors: [], deviceCount: 1 });
});
