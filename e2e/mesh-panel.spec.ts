import { expect, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { boxOf, middleOf, planPage, watchNoise } from "./plan-page.ts";

const body = `x = Tensor((512, 1024))
w = Parameter((1024, 4096))
h = matmul(x, w)
strategy(h, m="dp", n="mp")
`;

/** The address of a plan: these lines below a mesh. */
function planOf(mesh: string): string {
  return `/#src=${encodeURIComponent(`mesh = ${mesh}\n${body}`)}`;
}

const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });

/** The gesture that the newest entry of the log undoes. */
async function expectUndo(page: Page, label: string): Promise<void> {
  await expect(page.getByRole("button", { name: `Undo: ${label}` })).toBeEnabled();
}

async function drag(page: Page, from: string, to: { x: number; y: number }): Promise<void> {
  await page.getByTestId(from).hover();
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
}

test(
  "the mesh is edited by mouse, keys and its dialogs",
  onOnePage({
    "by mouse: axes are added, resized, reordered, renamed and removed, each one step to undo":
      async ({ page }) => {
        const noise = watchNoise(page);
        const plan = planPage(page);
        await plan.open(planOf("Mesh(dp=2, mp=2)  # ours"));
        const before = await plan.program();
        await page.getByTestId("mesh-add").click();
        await expectUndo(page, "Add axis tp of 2");
        await expect(page.getByTestId("mesh-count")).toHaveText("8 devices");
        await page.getByRole("button", { name: "Grow tp to 4" }).click();
        await expectUndo(page, "Resize tp to 4");
        const chip = await boxOf(page.getByTestId("mesh-axis-dp"));
        await drag(page, "mesh-axis-tp", { x: chip.x + 4, y: chip.y + 10 });
        await expectUndo(page, "Order axes tp, dp, mp");
        await plan.settle();
        expect(await plan.program()).toContain("Mesh(tp=4, dp=2, mp=2)  # ours");
        await page.getByTestId("mesh-axis-mp").click();
        await page.getByRole("button", { name: "Rename mp" }).click();
        await page.getByRole("textbox", { name: "New name of axis mp" }).fill("model");
        await page.keyboard.press("Enter");
        await expectUndo(page, "Rename axis mp to model");
        await plan.settle();
        expect(await plan.program()).toContain('strategy(h, m="dp", n="model")');
        await page.getByRole("button", { name: "Remove model" }).click();
        await expectUndo(page, "Remove axis model");
        await plan.settle();
        expect(await plan.program()).toContain("Mesh(tp=4, dp=2)  # ours");
        expect(await plan.program()).toContain('strategy(h, m="dp")\n');
        for (let step = 0; step < 5; step += 1) await undo(page).click();
        await plan.settle();
        expect(await plan.program()).toBe(before);
        expect(noise).toEqual([]);
      },

    "keys alone: sizes by ↑ and by digits, Alt+←, Delete": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(planOf("Mesh(dp=2, mp=2)"));
      await page.getByTestId("mesh-axis-mp").focus();
      await expect(page.getByTestId("device-0")).toContainText("group 0");
      await page.keyboard.press("ArrowUp");
      await expectUndo(page, "Resize mp to 4");
      await plan.settle();
      await page.keyboard.press("1");
      await page.keyboard.press("6");
      await expect(page.getByTestId("mesh-count")).toHaveText("32 devices");
      await expectUndo(page, "Resize mp to 16");
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("mesh-axis-mp")).toBeFocused();
      await undo(page).click();
      await expect(page.getByTestId("mesh-count")).toHaveText("8 devices");
      await page.getByTestId("mesh-axis-mp").focus();
      await page.keyboard.press("Alt+ArrowLeft");
      await expectUndo(page, "Order axes mp, dp");
      await plan.settle();
      await expect(page.getByTestId("mesh-axis-mp")).toBeFocused();
      await page.keyboard.press("Delete");
      await expectUndo(page, "Remove axis mp");
      await plan.settle();
      expect(await plan.program()).toContain("Mesh(dp=2)");
    },

    "a text without a mesh gets one from the panel": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent("x = Tensor((8, 4))\ny = relu(x)\n")}`);
      await page.getByTestId("mesh-add").click();
      await expectUndo(page, "Add axis dp of 2");
      await plan.settle();
      expect(await plan.program()).toBe("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
    },

    "a machine is chosen, prices the links, and sizes the axes where that is wanted": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(planOf("Mesh(dp=2, mp=2)"));
      await page.getByTestId("machine").click();
      const dialog = page.getByRole("dialog", { name: "Machine" });
      await dialog.getByRole("checkbox").check();
      await dialog.getByRole("button", { name: "32×8×H100" }).click();
      await expectUndo(page, "Set the machine to 32x8xH100");
      await plan.settle();
      expect(await plan.program()).toContain('Mesh(dp=32, mp=8, hardware="32x8xH100")');
      await page.getByTestId("machine").click();
      const speedOf = (axis: string) =>
        page.getByRole("textbox", { name: `Bandwidth of ${axis} one way, in GB/s` });
      await expect(speedOf("dp")).toHaveValue("50");
      await expect(speedOf("mp")).toHaveValue("450");
      await dialog.getByRole("textbox", { name: "Another machine" }).fill("8xH1000");
      await dialog.getByRole("button", { name: "Set" }).click();
      await expect(dialog.getByRole("alert")).toContainText("names no known machine");
    },

    "devices: arrows, two pins with what both hold, the order in nodes": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(
        planOf('Mesh(dp=2, mp=4, devices=[0, 2, 4, 6, 1, 3, 5, 7], hardware="2x4xH100")'),
      );
      await page.getByTestId("device-0").focus();
      await page.keyboard.press("ArrowRight");
      await expect(page.getByTestId("device-2")).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("pins")).toContainText("Device 2, pinned: dp 0, mp 1.");
      await page.getByTestId("tensor-x").click();
      await page.getByTestId("device-6").click();
      await expect(page.getByTestId("pins")).toContainText(
        "Devices 2 and 6 both hold m 0…255, k 0…1023 of x",
      );
      await page.getByTestId("device-3").click();
      await expect(page.getByTestId("pins")).toContainText("Devices 2 and 3 hold no cell of x");
      await page.getByText("Physical", { exact: true }).click();
      await expect(page.getByText("node 1")).toBeVisible();
      await page.getByTestId("device-0").focus();
      await page.keyboard.press("ArrowRight");
      await expect(page.getByTestId("device-1")).toBeFocused();
    },

    "4,096 devices: bars, pages, and any device by its number": async ({ page }) => {
      const plan = planPage(page);
      await plan.openAnew(planOf("Mesh(dp=64, mp=64)"));
      await expect(page.getByTestId("mesh-count")).toHaveText("4\u202f096 devices");
      await expect(page.getByTestId("device-63")).toBeVisible();
      await expect(page.getByTestId("device-64")).toHaveCount(0);
      // Queries by role are slow in a page with tables of thousands of rows.
      await page.locator('[aria-label="Devices after"]').click();
      await expect(page.getByTestId("device-64")).toBeVisible();
      await page.locator(".mesh-pager input").fill("4095");
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("device-4095")).toHaveAttribute("aria-pressed", "true");
      await expect(page.getByTestId("pins")).toContainText("dp 63, mp 63");
    },

    "a click on a dim goes through the axes that may split it, Shift back": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(planOf("Mesh(dp=2, mp=2)"));
      await page.getByTestId("tensor-w").click();
      const dim = page.getByTestId("dim-w-1");
      await dim.click();
      await expectUndo(page, "Make w.n whole");
      await plan.settle();
      await dim.click();
      await expectUndo(page, "Split w.n over mp");
      await plan.settle();
      await dim.focus();
      await page.keyboard.press("Shift+Enter");
      await expectUndo(page, "Make w.n whole");
    },

    "chips of a dim: order by keys and by mouse, off by Delete and by a drag, to another dim":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open(
          planOf("Mesh(dp=2, mp=2)").replace(
            encodeURIComponent('"dp", n="mp"'),
            encodeURIComponent('("dp", "mp")'),
          ),
        );
        await page.getByTestId("tensor-h").click();
        await page.getByTestId("chip-h-0-mp").focus();
        await page.keyboard.press("Alt+ArrowLeft");
        await expectUndo(page, "Order h.m by mp, dp");
        await plan.settle();
        await expect(page.getByTestId("chip-h-0-mp")).toBeFocused();
        const left = await boxOf(page.getByTestId("chip-h-0-mp"));
        await drag(page, "chip-h-0-dp", { x: left.x + 2, y: left.y + 10 });
        await expectUndo(page, "Order h.m by dp, mp");
        await plan.settle();
        await drag(page, "chip-h-0-mp", await middleOf(page.getByTestId("dim-h-1")));
        await expectUndo(page, "Move mp to h.n");
        await plan.settle();
        expect(await plan.program()).toContain('strategy(h, m="dp", n="mp")');
        await page.getByTestId("chip-h-1-mp").focus();
        await page.keyboard.press("Delete");
        await expectUndo(page, "Take mp off h.n");
        await plan.settle();
        await expect(page.getByTestId("dim-h-1")).toBeFocused();
        await drag(page, "chip-h-0-dp", { x: 700, y: 560 });
        await expectUndo(page, "Take dp off h.m");
      },

    "an axis that splits another dim is refused with why, and Enter moves it": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(planOf("Mesh(dp=2, mp=2)"));
      await page.getByTestId("tensor-h").click();
      await page.getByTestId("dim-h-1").focus();
      await page.keyboard.press("1");
      await expect(page.getByTestId("status")).toContainText('"dp" already splits "m"');
      await expect(page.getByRole("button", { name: "Move it here" })).toBeVisible();
      await page.keyboard.press("Enter");
      await expectUndo(page, "Move dp to h.n");
      await plan.settle();
      expect(await plan.program()).toContain('strategy(h, n=("mp", "dp"))');
    },

    "all choices of a dim: by Alt+↓, with pairs of axes in both orders": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(planOf("Mesh(dp=2, mp=2)").replace(encodeURIComponent(', n="mp"'), ""));
      await page.getByTestId("tensor-h").click();
      await page.getByTestId("dim-h-0").focus();
      await page.keyboard.press("Alt+ArrowDown");
      const dialog = page.getByRole("dialog", { name: "Split h.m" });
      await dialog.getByRole("button", { name: "Two axes together" }).click();
      await dialog.getByRole("button", { name: /mp\s*dp/ }).click();
      await expectUndo(page, "Split h.m over mp, dp");
    },

    "axe finds nothing in the panel, its machines and its pages in either theme": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(planOf('Mesh(dp=16, mp=8, hardware="16x8xH100")'));
      await page.getByTestId("tensor-h").click();
      await page.getByTestId("mesh-axis-mp").focus();
      expect(await findingsIn(page, ".side")).toEqual([]);
      await page.getByTestId("machine").click();
      await expect(page.getByRole("dialog", { name: "Machine" })).toBeVisible();
      expect(await findingsIn(page, ".side")).toEqual([]);
    },
  }),
);

test.describe("by finger", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test(
    "the mesh and its dims by finger",
    onOnePage({
      "a tapped dim opens the sheet, where its axis comes off": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(planOf("Mesh(dp=2, mp=2)"));
        await page.getByTestId("tensor-h").tap();
        await page.getByTestId("dim-h-0").tap();
        const sheet = page.getByRole("dialog", { name: "Split h.m" });
        await sheet.getByRole("button", { name: "dp" }).tap();
        await plan.settle();
        expect((await plan.ranges("h"))[0]?.[0]).toEqual([0, 512]);
      },

      "the mesh tab resizes, adds, renames and removes without a drag": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(planOf("Mesh(dp=2, mp=2)"));
        await page.getByRole("tab", { name: "Mesh" }).tap();
        await page.getByRole("button", { name: "Grow mp to 4" }).tap();
        await expect(page.getByTestId("mesh-count")).toHaveText("8 devices");
        await plan.settle();
        await page.getByTestId("mesh-axis-dp").tap();
        await page.getByRole("button", { name: "Inner: move dp inward" }).tap();
        await plan.settle();
        await page.getByRole("button", { name: "Remove dp" }).tap();
        await expect(page.getByTestId("mesh-count")).toHaveText("4 devices");
        await plan.settle();
        await page.getByTestId("mesh-add").tap();
        await expect(page.getByTestId("mesh-count")).toHaveText("8 devices");
      },
    }),
  );
});
