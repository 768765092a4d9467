import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

const gpt = readFileSync(new URL("./texts/gpt-24.py", import.meta.url), "utf8");

/** As a model card has it: made by its configuration, and its loss passed back. */
const llama = `import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
                     num_attention_heads=32, num_key_value_heads=8, vocab_size=128256)
model = LlamaForCausalLM(config)
ids = torch.randint(0, 128256, (8, 4096))
out = model(ids, labels=ids)
out.loss.backward()
`;

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (found === null) throw new Error(`${selector} is not drawn`);
  return found;
};

test.describe("who pastes a model for the first time", () => {
  test("sees its layers as one, and trains it by the fix of what is said", async ({ page }) => {
    const noise = watchNoise(page);
    const plan = planPage(page);
    await plan.open(`/#src=${encodeURIComponent(llama)}`);
    const board = page.getByRole("region", { name: "Board" }).or(page.locator(".board")).first();
    await expect(board).toContainText("layers");
    await expect(board).toContainText("×32");
    await expect(board).not.toContainText("rows 1 to 10");
    await page.getByRole("button", { name: "Add train(out.loss)" }).click();
    await plan.settle();
    expect(await plan.program()).toContain("out.loss.backward()\ntrain(out.loss)\n");
    await expect(board).toContainText("∂");
    expect(noise).toEqual([]);
  });

  test("finds what a word begins with first, and is not given an empty plan for it", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open();
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-query").fill("plan");
    await expect(page.getByRole("option").first()).toContainText("Plan: look for the fastest plan");
    await page.getByTestId("palette-query").fill("pin");
    await expect(page.getByRole("option").first()).toContainText("Pin this plan as a baseline");
  });

  test("reads of a link that is none once that it is none, and of steps once what they are", async ({
    page,
  }) => {
    const plan = planPage(page);
    await page.goto("/#nothing");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "This is not a link to a plan",
    );
    const alert = page.getByRole("alert");
    expect((await alert.boundingBox())?.width ?? 0).toBeLessThanOrEqual(1);
    await plan.openAnew(`/#src=${encodeURIComponent("x = Tensor((8, 4))\ny = relu(x)\n")}`);
    const heading = page.getByRole("heading", { name: "Steps", exact: true });
    const around = heading.locator("..");
    expect((await around.boundingBox())?.width ?? 0).toBeLessThanOrEqual(1);
  });

  test("sees tools of the lessons below their cards, not at them", async ({ page }) => {
    await planPage(page).open();
    await page.getByRole("button", { name: "Examples" }).click();
    const save = page.getByRole("button", { name: "Save what was done" });
    await save.waitFor();
    const tools = await save.boundingBox();
    const ends = await page.locator(".gallery a, .gallery button").evaluateAll((all, top) => {
      const bottoms = all.map((each) => each.getBoundingClientRect().bottom);
      return Math.max(...bottoms.filter((bottom) => bottom <= top + 1));
    }, tools?.y ?? 0);
    expect((tools?.y ?? 0) - ends).toBeGreaterThanOrEqual(8);
  });
});

test.describe("who teaches on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("steps on at one place, with the picture below it in sight", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#lesson=gather-travels");
    await page.getByRole("button", { name: "Step through the program" }).tap();
    await plan.settle();
    const next = page.getByTestId("step-next");
    const places: number[] = [];
    for (let press = 0; press < 4; press += 1) {
      await expect(next).toBeInViewport({ ratio: 1 });
      places.push(Math.round((await next.boundingBox())?.y ?? 0));
      const picture = await box(page, ".phone-steps svg[role=img], .phone-steps [role=img]");
      const sheet = await box(page, ".phone-steps");
      expect(picture.y).toBeGreaterThan(sheet.y);
      expect(picture.y + Math.min(picture.height, 120)).toBeLessThan(420);
      const { x, y, width, height } = await box(page, "[data-testid=step-next]");
      await page.touchscreen.tap(x + width / 2, y + height / 2);
      await plan.settle();
    }
    expect(new Set(places).size).toBe(1);
  });

  test("sees the blocks of a text whose lines do not fit the width", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#example=llama3-8b");
    await page.getByRole("tab", { name: "Program" }).tap();
    const line = page.locator(".cm-line", { hasText: "self.wq = nn.Linear" });
    await line.waitFor();
    const [first, second] = await line.evaluate((element) => {
      const text = element.textContent ?? "";
      const range = document.createRange();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const lefts = new Map<number, number>();
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const [at, letter] of [...(node.nodeValue ?? "")].entries()) {
          if (letter === " ") continue;
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { left, top } = range.getBoundingClientRect();
          const row = Math.round(top);
          lefts.set(row, Math.min(left, lefts.get(row) ?? left));
        }
      }
      return text === "" ? [] : [...lefts].sort(([a], [b]) => a - b).map(([, left]) => left);
    });
    expect(second ?? 0).toBeGreaterThan((first ?? 0) + 4);
  });
});

test.describe("who weighs a plan by its figures and keys", () => {
  test("reads in time, memory and modules what the cards say", async ({ page }) => {
    const plan = planPage(page);
    await plan.open(`/#src=${encodeURIComponent(gpt)}`);
    await expect(page.getByTestId("timeline-readout")).toContainText("∂loss");
    await expect(page.getByTestId("module-times")).toContainText("+ ");
    await page.getByTestId("hud-time").getByRole("button").first().click();
    const table = page.getByTestId("cost-table");
    await expect(table.getByTestId("items")).toContainText("blocks[*].mlp.fc");
    await expect(table.getByTestId("items")).not.toContainText(/linear_\d|reshape_\d|cast_\d/u);
    await table.getByText("Memory", { exact: true }).click();
    await expect(table.getByTestId("memory-moment")).not.toContainText(/linear_\d|reshape_\d/u);
  });

  test("is in the plan's panel by its key, and past the devices by one press", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#example=two-matmuls");
    await page.getByRole("button", { name: "Device 0", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("button", { name: "Device 1", exact: true })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.locator(".tiles")).not.toContainText(/^$/u);
    await expect(page.locator(".tile:focus")).toHaveCount(0);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("p");
    await expect(page.locator(".planner")).toBeFocused();
  });

  test("tells several axes from the backward pass, the last module's edge, and the open tab", async ({
    page,
  }) => {
    const plan = planPage(page);
    const text = `mesh = Mesh(dp=8, tp=8, hardware="8x8xH100")
x = Tensor((4096, 4096), "bf16")
w = Parameter((4096, 4096), "bf16")
v = Parameter((4096, 4096), "bf16")
place(x, layout(("dp", "tp"), "None"))
place(w, layout(("dp", "tp"), "None"))
h = gelu(matmul(x, w))
y = mean(matmul(h, v))
train(y)
`;
    await plan.open(`/#src=${encodeURIComponent(text)}`);
    await page.getByRole("tab", { name: "One step" }).click();
    const look = (paint: string) =>
      page
        .locator(`.timeline-key .of-${paint}`)
        .evaluate(
          (mark) =>
            `${getComputedStyle(mark).backgroundImage} ${getComputedStyle(mark).backgroundColor}`,
        );
    expect(await look("several")).toContain("linear-gradient");
    expect(await look("several")).not.toBe(await look("backward"));
    await plan.openAnew(`/#src=${encodeURIComponent(gpt)}`);
    const edge = page.locator(".icicle .cell.last").first();
    expect(await edge.evaluate((cell) => getComputedStyle(cell).boxShadow)).toContain("-1px 0px");
    await page.emulateMedia({ forcedColors: "active" });
    const shut = page.locator('.head .tab[aria-selected="false"]').first();
    expect(await shut.evaluate((tab) => getComputedStyle(tab).backgroundColor)).toBe(
      "rgba(0, 0, 0, 0)",
    );
    const bar = page.locator(".icicle .split .of-forward").first();
    expect(await bar.evaluate((each) => getComputedStyle(each).backgroundColor)).not.toBe(
      await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor),
    );
  });
});
