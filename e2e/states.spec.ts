import { expect, type Page, test } from "@playwright/test";
import { onOnePage, perCase } from "./one-page.ts";
import { nextFrame, planPage } from "./plan-page.ts";

/** Examples in which a tensor is read in another layout than it rests in. */
const apart = ["fsdp", "jax-reshard", "two-d-weights", "loom-broadcast-add"];

/** All words of the page about the inspected tensor. */
async function saidOf(page: Page, name: string) {
  const card = page.getByTestId(`tensor-${name}`);
  const inspector = page.getByRole("region", { name: `Tensor ${name}`, exact: true });
  const table = page.getByTestId(`table-${name}`);
  const cells = (rows: Element[], selector: string) =>
    rows.map((row) => [...row.querySelectorAll(selector)].map((cell) => cell.textContent));
  const label = await inspector.locator("h2 + .lbl").textContent();
  return {
    labels: [await card.locator(".lbl").textContent(), label?.replace(/^[^[]*/, "")],
    rows: [
      await table.locator("tbody tr").evaluateAll(cells, "[data-start]"),
      await inspector
        .locator("table.dt tbody tr")
        .evaluateAll(cells, "td:not(:first-child):not(:last-child)"),
    ],
    dims: await inspector
      .locator(".dims .dim-row")
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll("[data-axis]")].map((chip) => chip.textContent)),
      ),
    sentences: [
      await card.locator(".vh").textContent(),
      await inspector.locator(".sent").first().textContent(),
    ],
    caption: await table.locator("caption").textContent(),
  };
}

/** A sum that the text scatters as soon as it is made. */
const placed = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
w = Parameter((4, 16))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
place(y, layout("dp", "mp"))
z = relu(y)
`;

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the row, its dims and its sentence change their state together", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#example=fsdp");
    await page.getByTestId("tensor-w1").tap();
    const row = page.getByTestId("tensor-w1");
    const list = page.getByRole("main");
    await expect(row).toContainText("[k@dp, n]");
    await expect(row).toContainText("16.8 MB, at rest");
    await expect(list).toContainText("Each device holds 512 by 16384, 16.8 MB. At rest.");
    await expect(page.getByTestId("chip-w1-0-dp")).toBeVisible();
    await page.getByText("as h reads it", { exact: true }).tap();
    await expect(row).toContainText("134 MB, as read");
    await expect(list).toContainText("Each device holds 4096 by 16384, 134 MB. As h reads it.");
    await expect(page.getByTestId("chip-w1-0-dp")).toHaveCount(0);
  });
});

test(
  "a tensor is shown in one state everywhere, and changed in it",
  onOnePage({
    ...perCase(
      apart,
      (example) => `of the inputs and parameters of ${example}, what is drawn is what is named`,
      async ({ page }, example) => {
        const plan = planPage(page);
        await plan.open(`/#example=${example}`);
        const names = await page
          .locator("table[data-testid$=-as-read]")
          .evaluateAll((all) =>
            all.map(
              (each) => /^table-(.*)-as-read$/.exec(each.getAttribute("data-testid") ?? "")?.[1],
            ),
          );
        expect(names.length).toBeGreaterThan(0);
        for (const name of names.flatMap((each) => each ?? [])) {
          await page.getByTestId(`tensor-${name}`).click();
          const states = page.getByRole("group", { name: `State of ${name}` }).getByRole("radio");
          await expect(states.first()).toBeChecked();
          const seen: string[] = [];
          for (const state of await states.all()) {
            await state.check({ force: true });
            await nextFrame(page);
            const said = await saidOf(page, name);
            const [card, inspector] = said.labels;
            expect(inspector, name).toBe(card);
            expect(said.rows[1], name).toEqual(said.rows[0]);
            const axes = said.dims.map((dim) => (dim.length > 1 ? `(${dim})` : dim.join()));
            expect(card?.match(/@(\([^)]*\)|\w+)/g) ?? []).toEqual(
              axes.flatMap((each) => (each === "" ? [] : [`@${each}`])),
            );
            const which = /(?:, )(at rest|as .* reads it)$/.exec(said.caption ?? "")?.[1] ?? "none";
            for (const sentence of said.sentences) expect(sentence?.toLowerCase()).toContain(which);
            seen.push(`${which} ${card}`);
          }
          expect(seen[0]).toMatch(/^at rest /);
          expect(new Set(seen).size).toBe(seen.length);
        }
      },
    ),

    "a click on a row takes away what the row shows, in the state that is shown": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=jax-reshard");
      await page.getByTestId("tensor-t").click();
      await page.getByTestId("chip-t-2-x").focus();
      await page.keyboard.press("Delete");
      await plan.settle();
      await expect(page.getByTestId("hud-delta")).toContainText("Take x off t.c");
      expect(await plan.program()).toContain('place(t, layout("y", "None", "None"))');
      expect(await plan.program()).toContain('strategy(u, b=("x", "y"))');

      await page.getByText("as u reads it", { exact: true }).click();
      await expect(page.getByTestId("chip-t-1-x")).toBeVisible();
      await page.getByTestId("chip-t-1-x").focus();
      await page.keyboard.press("Delete");
      await plan.settle();
      await expect(page.getByTestId("hud-delta")).toContainText("Take x off t.b, as u reads it");
      expect(await plan.program()).toContain('place(t, layout("y", "None", "None"))');
      expect(await plan.program()).toContain('strategy(u, b="y")');
      await expect(page.getByTestId("tensor-t")).toContainText("[a, b@y, c], as read");
    },

    "digits, menu and drags change the state that is shown, and it stays shown": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=fsdp");
      await page.getByTestId("tensor-w1").click();
      await expect(page.getByTestId("tensor-w1")).toContainText("w1 at rest[k@dp, n]16.8 MB each");
      await page.getByTestId("dim-w1-0").press("0");
      await expect(page.getByTestId("status")).toContainText(
        'at rest zero=3 of train(…) keeps "k" of "w1" split over "dp"',
      );
      await page.getByText("as h reads it", { exact: true }).click();
      await expect(page.getByTestId("tensor-w1")).toContainText("w1 as read[k, n]134 MB each");
      await page.getByTestId("dim-w1-1").press("Alt+ArrowDown");
      const menu = page.getByRole("dialog", { name: "Split w1.n" });
      await expect(menu).toContainText('"dp" already splits "m" of "n"');
      await page.keyboard.press("Escape");
      const before = await plan.program();
      expect(before).toContain('strategy(h, m="dp")');
    },

    "the palette switches states, and another document begins at rest": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=fsdp");
      await page.getByTestId("tensor-w1").click();
      await page.keyboard.press("Control+K");
      await page.getByTestId("palette-query").fill("show w1 as h reads it");
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("tensor-w1")).toContainText("[k, n]");
      expect((await plan.ranges("w1"))[1]).toEqual([
        [0, 4096],
        [0, 16384],
      ]);
      expect((await plan.ranges("w1-at-rest"))[1]).toEqual([
        [512, 1024],
        [0, 16384],
      ]);
      await plan.open("/#example=zero");
      await plan.open("/#example=fsdp");
      await expect(page.getByTestId("tensor-w1")).toContainText("[k@dp, n]");
    },

    "a result that the text places is drawn as placed, and as made where that is chosen": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(placed)}`);
      const card = page.getByTestId("tensor-y");
      await card.click();
      await expect(card).toContainText("y as placed[m@dp, n@mp]128 B each");
      expect((await plan.ranges("y"))[3]).toEqual([
        [4, 8],
        [8, 16],
      ]);
      await expect(page.getByTestId("table-y-as-made")).toBeAttached();
      await page.getByTestId("chip-y-1-mp").focus();
      await page.keyboard.press("Delete");
      await plan.settle();
      await expect(card).toContainText("y as placed[m@dp, n]");
      expect(await plan.program()).toContain('place(y, layout("dp", "None"))');

      await page.getByText("as made", { exact: true }).click();
      await expect(card).toContainText("y as made[m@dp, n]{Σ mp}");
      await expect(page.getByTestId("table-y-as-placed")).toBeAttached();
      await page.getByTestId("chip-y-0-dp").focus();
      await page.keyboard.press("Delete");
      await plan.settle();
      expect(await plan.program()).toContain('strategy(y, k="mp")');
      expect(await plan.program()).toContain('place(y, layout("dp", "None"))');
      await expect(page.getByTestId("hud-delta")).toContainText("Take dp off y.m, as made");
    },

    "the state stands beside the name, on one line": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(placed)}`);
      const words = page.getByTestId("tensor-y").locator(".nm");
      await expect(words.locator(".by")).toHaveText("as placed");
      expect((await words.boundingBox())?.height).toBeLessThan(24);
    },
  }),
);
