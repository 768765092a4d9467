import { expect, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

/** Each test is a first visit: the storage of one must not serve the next. */
test.use({ serviceWorkers: "allow", reuseContext: false });

test("after one visit the page opens without a network: editing, examples and a check too", async ({
  page,
  context,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open();
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === "activated") return;
    await new Promise((done) => active?.addEventListener("statechange", done, { once: true }));
  });
  await context.setOffline(true);
  await page.reload();
  await plan.settle();
  await expect(page.locator(".monaco-editor .view-line").first()).toBeVisible();
  await page.getByTestId("dim-w2-0").focus();
  await page.keyboard.press("2");
  await plan.settle();
  expect((await plan.ranges("w2"))[1]?.[0]).toEqual([2048, 4096]);
  await page.getByTestId("run-preview").click();
  await expect(page.getByTestId("run-verdict")).toContainText("bit for bit");
  expect(noise).toEqual([]);
});

test("a link opens without a network, and so does a lesson's at its step; its plan is in no cache", async ({
  page,
  context,
}) => {
  const plan = planPage(page);
  await plan.open();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await context.setOffline(true);
  await page.goto(`/#src=${encodeURIComponent("x = Tensor((8, 4))\ny = relu(x)\n")}`);
  await page.reload();
  await plan.settle();
  await expect(page.getByTestId("operator-y")).toBeVisible();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const caught = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return caught.flat().map(({ url }) => url);
  });
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter((url) => url.includes("#") || url.includes("src="))).toEqual([]);
  await plan.openAnew("/#lesson=zero&step=2");
  await expect(page.getByTestId("lesson")).toContainText("Step 2 of 3");
});
