import { expect, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

/** The file with which all workers begin; the editor's has a longer name. */
const compilerCode = /\/worker-.{8}\.js$/;

/** A worker that reports its code as loaded, and is then busy for a minute. */
const busyOnceLoaded = `{
  const say = self.postMessage.bind(self);
  self.postMessage = (message, ...rest) => {
    say(message, ...rest);
    if (message?.isLoaded !== true) return;
    const end = Date.now() + 60_000;
    while (Date.now() < end);
  };
}
`;

test("a compiler that does not load is said where the graph would be; the text stays", async ({
  page,
}) => {
  await page.route(compilerCode, (route) => route.abort());
  const plan = planPage(page);
  await plan.open();
  await expect(page.getByTestId("stale")).toContainText("could not be worked out");
  await expect(page.getByTestId("program")).toContainText("mesh = Mesh(dp=2, mp=2)");
  await plan.selectProgram();
  await plan.paste("x = 1\n");
  await page.unroute(compilerCode);
  await page.reload();
  await plan.settle();
  expect(await plan.program()).toBe("x = 1\n");
});

test("after a fault the text is tried once more, and a report has nothing of the plan in it", async ({
  page,
}) => {
  let isBroken = true;
  await page.route(compilerCode, (route) => (isBroken ? route.abort() : route.continue()));
  const plan = planPage(page);
  await plan.open();
  await page.getByRole("button", { name: "Copy a report" }).click();
  await expect(page.getByRole("button", { name: "Report copied" })).toBeVisible();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain("Text: a program of");
  expect(report).not.toContain("Mesh(");
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByTestId("operator-h")).toBeVisible();
  await expect(page.getByTestId("stale")).toHaveCount(0);
});

test("a part of the page that does not come is said, and the page is loaded again with its text", async ({
  page,
}) => {
  const part = /\/PresentPage-.{8}\.(js|css)$/;
  await page.route(part, (route) => route.abort());
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await plan.paste("x = Tensor((8, 4))\ny = relu(x)\n");
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette-query").fill("present");
  await page.keyboard.press("Enter");
  const again = page.getByRole("button", { name: "Load the page again" });
  await expect(again).toBeVisible();
  await expect(page.getByText("could not be loaded")).toBeVisible();
  await page.unroute(part);
  await again.click();
  await plan.settle();
  expect(await plan.program()).toBe("x = Tensor((8, 4))\ny = relu(x)\n");
});

test(
  "what does not work is said",
  onOnePage({
    "long work says so and is stopped; the text stays and can be tried again": async ({ page }) => {
      let isSlow = true;
      await page.route(compilerCode, async (route) => {
        if (!isSlow) return route.continue();
        const response = await route.fetch();
        return route.fulfill({ response, body: `${busyOnceLoaded}${await response.text()}` });
      });
      const plan = planPage(page);
      const text = "mesh = Mesh(dp=4, mp=4)\nh = Tensor((64, 64))\ny = relu(h)\n";
      await page.goto(`/#src=${encodeURIComponent(text)}`);
      const note = page.getByTestId("work-note");
      await expect(note).toContainText("Working out 4 lines");
      isSlow = false;
      await note.getByRole("button", { name: "Stop" }).click();
      await expect(page.getByTestId("stale")).toContainText("it was stopped");
      await expect(page.getByRole("button", { name: "Copy a report" })).toHaveCount(0);
      expect(await plan.program()).toBe(text);
      await plan.selectProgram();
      await plan.paste("x = Tensor((8, 4))\nz = relu(x)\n");
      await expect(page.getByTestId("operator-z")).toBeVisible();
    },

    "what does not fit is said in words beside the bar": async ({ page }) => {
      const plan = planPage(page);
      const text =
        "mesh = Mesh(mp=2)\nx = Tensor((8, 65536))\nw = Parameter((65536, 1048576))\ny = matmul(x, w)\n";
      await plan.open(`/#src=${encodeURIComponent(text)}`);
      await expect(page.getByTestId("hud-memory")).toContainText("over by");
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByTestId("hud-memory")).toContainText("over by");
    },

    "an empty text offers what to write, three starters and a place for a file": async ({
      page,
    }) => {
      page.on("filechooser", () => {});
      const plan = planPage(page);
      await plan.open("/#src=");
      const starters = page.getByTestId("starters");
      await expect(starters).toContainText("No operators yet");
      await expect(starters).toContainText("y = matmul(x, w)");
      await expect(starters.locator("li button")).toHaveCount(3);
      const asked = page.waitForEvent("filechooser");
      await starters.getByRole("button", { name: "open a file" }).click();
      await asked;
      await starters.locator("li button").first().focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("operator-h")).toBeVisible();
    },
  }),
);

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("an empty text offers the same by touch", async ({ page }) => {
    const plan = planPage(page);
    await plan.open("/#src=");
    await page.getByTestId("starters").locator("li button").first().tap();
    await expect(page.getByTestId("tensor-h")).toBeVisible();
  });
});
