import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

/** Clicks the last word that names a mesh axis, once its line no longer changes. */
async function clickAxis(page: Page, name: string): Promise<void> {
  await expect(page.locator(".view-line .t-cut").first()).toBeVisible();
  await expect(page.locator(".view-line .inl-axis").first()).toBeVisible();
  await page.locator(".view-line .t-axis", { hasText: name }).last().click();
  await expect(page.locator(".monaco-editor.focused")).toBeVisible();
}

const twoSides = `mesh = Mesh(dp=2, mp=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
y = gelu(h)
strategy(h, n="mp")
strategy(y, a="dp")
`;

test(
  "the editor tells, offers, renames and mends",
  onOnePage({
    "resting on a mesh axis and on an identifier says what they cut, and hues show it": async ({
      page,
    }) => {
      await planPage(page).open(firstExample);
      await test.step("an identifier is underlined in the hue of the axis that cuts it", async () => {
        await expect(page.locator(".view-line .t-cut.a1")).toHaveText(["b", "b"]);
        await expect(page.locator(".view-line .t-cut.a2")).toHaveText(["f", "f"]);
      });
      await expect(page.locator(".view-line .inl-axis").first()).toBeVisible();
      const hover = page.locator(".monaco-hover:visible");
      await test.step("a mesh axis says what it cuts and what it carries", async () => {
        await page.locator(".view-line .t-axis", { hasText: "mp" }).last().hover();
        await expect(hover).toContainText("mesh axis mp = 2");
        await expect(hover).toContainText("cut by mp into 2 pieces of 2048");
      });
      await page.mouse.move(0, 0);
      await expect(hover).toHaveCount(0);
      await test.step("an identifier of an annotation says what it cuts", async () => {
        await page.locator(".view-line .t-cut.a2").first().hover();
        await expect(hover).toContainText("f = 4096, 1024");
        await expect(hover).toContainText("y = project(h, w2): not cut.");
      });
    },

    "inside strategy the axes are offered with what they change": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const text = await plan.program();
      await page.keyboard.press("Control+End");
      await page.keyboard.type('strategy(y, k="');
      const rows = page.locator(".suggest-widget.visible .monaco-list-row");
      await expect(rows.filter({ hasText: /^mp/ })).toContainText(/[+−-][\d.]+ µs/);
      await rows.filter({ hasText: /^mp/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(`${text}strategy(y, k="mp")`);
    },

    "a call that is being typed shows its parameters": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("place(h, ");
      await expect(page.locator(".parameter-hints-widget.visible")).toContainText(
        "place(tensor, layout(…))",
      );
    },

    "a mesh axis is renamed everywhere by F2, as one edit": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const text = await plan.program();
      await clickAxis(page, "mp");
      await page.keyboard.press("F2");
      const dialog = page.getByRole("dialog", { name: "Rename mesh axis mp" });
      await dialog.getByRole("textbox").fill("dp");
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("alert")).toContainText('the mesh already has an axis "dp"');
      await dialog.getByRole("textbox").fill("cols");
      await page.keyboard.press("Enter");
      await expect(dialog).toHaveCount(0);
      await plan.settle();
      expect(await plan.program()).toBe(
        text.replace("mp=2", "cols=2").replaceAll('"mp"', '"cols"'),
      );
      await page.keyboard.press("Control+Z");
      await plan.settle();
      expect(await plan.program()).toBe(text);
    },

    "a rename that is given up puts the caret back into the text": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await clickAxis(page, "dp");
      await page.keyboard.press("F2");
      const dialog = page.getByRole("dialog", { name: "Rename mesh axis dp" });
      await expect(dialog.getByRole("textbox")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await expect(page.locator(".monaco-editor.focused")).toBeVisible();
      await page.keyboard.type("q");
      await plan.settle();
      expect(await plan.program()).toMatch(/"[dp]*q[dp]*"/);
    },

    "F12 goes to the definition of a variable": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste("x = Tensor((8, 4))\n\n\ny = relu(x)\nz = exp(y)\n");
      await page.keyboard.press("Control+End");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("F12");
      await expect(page.locator(".line-numbers.active-line-number")).toHaveText("4");
      await page.keyboard.type("w");
      await plan.settle();
      expect(await plan.program()).toContain("\nw = relu(x)\n");
    },

    "a missing size is one quick fix away": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste('mesh = Mesh(dp=2)\nx = Tensor()\ny = relu(x)\nstrategy(y, b="dp")\n');
      const fix = page.getByTestId("problems").locator(".fix button").first();
      const title = (await fix.textContent()) ?? "";
      // The editor's own marker comes a frame after the list of problems, and F8 goes from marker
      // to marker.
      await expect(page.locator(".view-overlays [class*=squiggly]").first()).toBeVisible();
      await page.keyboard.press("F8");
      await expect(page.locator(".monaco-editor.focused")).toBeVisible();
      await page.keyboard.press("Control+.");
      await page.locator(".action-widget").getByText(title).click();
      await plan.settle();
      expect(await plan.program()).toMatch(/shapes\(x=\(\d+, \d+\)\)/);
    },

    "where a redistribution stands, edits that do without it are offered with their bytes": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(twoSides);
      await expect(page.getByTestId("outline").getByText("Redistribution of h")).toHaveCount(1);
      await page.locator(".view-line", { hasText: "gelu" }).getByText("gelu").click();
      await page.keyboard.press("Control+.");
      const actions = page.locator(".action-widget");
      await expect(actions.getByText(/^Gather h over mp: .* sent\)$/)).toBeVisible();
      await actions
        .getByText(/^Split both sides: .* \(−[\d.]+ \S+ sent\)$/)
        .first()
        .click();
      await plan.settle();
      await expect(page.getByTestId("outline").getByText("Redistribution of h")).toHaveCount(0);
      await page.keyboard.press("Control+Z");
      await plan.settle();
      expect(await plan.program()).toBe(twoSides);
    },

    "an annotation that its function contradicts is a problem, with its fix": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(
        `import torch
import nnscaler

@nnscaler.register_op("m k, k n -> m n")
def f(x, w):
    return torch.matmul(x, w)

y = f(Tensor((8, 16)), Parameter((16, 32)))
`,
      );
      const problem = page.locator("[data-code='nnscaler/body-disagrees']");
      await expect(problem).toContainText('so it is "k+"');
      await problem.getByRole("button", { name: 'Sum over "k": k+' }).click();
      await plan.settle();
      await expect(page.getByTestId("problems").getByRole("status")).toHaveText("None");
      expect(await plan.program()).toContain('"m k+, k+ n -> m n"');
    },

    "the outline says in one sentence each what moves in every phase of a training step": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(
        `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp", k="mp")
train(y)
`,
      );
      const outline = page.getByTestId("outline");
      await expect(outline.getByText(/^Redistribution of y: /)).toHaveCount(1);
      await expect(outline.getByText("The backward pass: 3 operators.")).toHaveCount(1);
      await expect(outline.getByText("The update of the parameters: 2 operators.")).toHaveCount(1);
      for (const gradient of ["w1.grad", "w2.grad"]) {
        const sum = `Redistribution of ${gradient}: all-reduce over dp`;
        await expect(outline.getByText(sum)).toHaveCount(1);
      }
    },
  }),
);
