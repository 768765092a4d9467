import { spawnSync } from "node:child_process";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { examples } from "#app/examples";
import { onOnePage } from "./one-page.ts";
import { type PlanPage, planPage } from "./plan-page.ts";

/** Examples with uneven, strided, permuted, interleaved and many pieces. */
const compared = [
  "two-matmuls",
  "uneven-dim",
  "device-order",
  "mindspore-interleaved",
  "two-axes-one-dim",
  "carry",
];

interface Row {
  readonly device: number;
  readonly ranges: readonly (readonly number[])[];
}

/** The drawing of an example: its tensors with the slices of each. */
interface Drawn {
  readonly name: string;
  readonly tensors: readonly { readonly name: string; readonly held: unknown }[];
}

/** The slices of examples' tensors, as the command line gives them to a script. */
function slicesOf(drawn: readonly Drawn[]): readonly Row[][] {
  const requests = drawn.flatMap(({ name, tensors }) => {
    const program = examples.find((each) => each.name === name)?.program;
    return tensors.map(({ name: tensor }) =>
      JSON.stringify({ id: name, command: "slices", args: { program, tensor } }),
    );
  });
  const input = requests.join("\n");
  const { stdout } = spawnSync("node", ["launch.mjs", "cli", "batch"], { input, encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { slices?: Row[] }).slices ?? []);
}

/** The hidden tables of an example. */
async function drawnOf(plan: PlanPage, name: string): Promise<Drawn> {
  await plan.open(`/#example=${name}`);
  const tables = await plan.page
    .locator("table[data-testid^=table-]")
    .evaluateAll((tables) => tables.map((each) => each.getAttribute("data-testid") ?? ""));
  expect(tables.length, name).toBeGreaterThan(0);
  const names = tables.map((each) => each.replace("table-", ""));
  const tensors: { name: string; held: unknown }[] = [];
  for (const tensor of names.filter((each) => !each.endsWith("-as-read"))) {
    // Where a tensor rests otherwise than its readers hold it, the command line gives the first
    // reader's slices.
    const read = `${tensor}-as-read`;
    const held = await plan.ranges(names.includes(read) ? read : tensor);
    tensors.push({ name: tensor, held });
  }
  return { name, tensors };
}

/** One square matrix, cut, copied, as parts of a sum, and cut into unequal pieces. */
const states = `mesh = Mesh(p=2, q=2)
x = Tensor((64, 64))
w = Parameter((64, 64))
u = Tensor((63, 64))
c = Tensor((64, 64))
cut = relu(x)
copied = sqrt(c)
summed = matmul(x, w)
uneven = relu(u)
end = gelu(summed)
strategy(cut, a="p", b="q")
place(c, layout("None", "None"))
strategy(summed, k="p")
strategy(uneven, a="p")
`;

test(
  "what is drawn",
  onOnePage({
    "the tables of examples are the slices that the command line answers": async ({ page }) => {
      const plan = planPage(page);
      const drawn: Drawn[] = [];
      for (const name of compared) {
        await test.step(name, async () => {
          drawn.push(await drawnOf(plan, name));
        });
      }
      const all = drawn.flatMap(({ name, tensors }) =>
        tensors.map(({ name: tensor, held }) => ({ title: `${name}: ${tensor}`, held })),
      );
      const answers = slicesOf(drawn);
      expect(answers).toHaveLength(all.length);
      for (const [at, { title, held }] of all.entries()) {
        expect(held, title).toEqual(answers[at]?.map(({ ranges }) => ranges));
      }
    },

    "the states of a tensor look different without colour": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(states)}`);
      await page.addStyleTag({ content: "body { filter: grayscale(1) }" });
      const pictures: [string, string][] = [];
      for (const name of ["cut", "copied", "summed", "uneven"]) {
        const drawing = page.getByTestId(`tensor-${name}`).locator(".glyph-slot");
        pictures.push([name, await pictureOf(page, drawing)]);
      }
      for (const [at, [name, picture]] of pictures.entries()) {
        for (const [other, another] of pictures.slice(at + 1)) {
          const apart = await differing(page, picture, another);
          expect(apart, `${name} beside ${other}`).toBeGreaterThan(0.03);
        }
      }
    },
  }),
);

async function pictureOf(page: Page, drawing: Locator): Promise<string> {
  await page.evaluate(() => document.fonts.ready);
  return (await drawing.screenshot()).toString("base64");
}

/** The share of pixels that differ by more than a twelfth of the range from black to white. */
async function differing(page: Page, one: string, other: string): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(pictures.map(pixelsOf));
      if (a === undefined || b === undefined) return 0;
      let apart = 0;
      for (let at = 0; at < a.length; at += 4) {
        if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) > 20) apart += 1;
      }
      return apart / (a.length / 4);

      async function pixelsOf(picture: string): Promise<Uint8ClampedArray> {
        const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const context = new OffscreenCanvas(56, 46).getContext("2d");
        context?.drawImage(bitmap, 0, 0, 56, 46);
        return context?.getImageData(0, 0, 56, 46).data ?? new Uint8ClampedArray();
      }
    },
    [one, other],
  );
}
