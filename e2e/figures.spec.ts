import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

async function saved(page: Page, button: string): Promise<string> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  return readFile(await (await waiting).path(), "utf8");
}

test("figures are saved in millimetres and without colours, copied, and open their plan when pasted", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open("/#example=mindspore-net");
  await page.getByTestId("share-link").click();
  const sheet = page.getByRole("region", { name: "Save a picture" });
  for (const name of ["No colours", "85 mm", "All hops"]) {
    await sheet.getByText(name, { exact: true }).click();
  }
  const strip = await saved(page, "Save SVG");
  expect(strip).toMatch(/^<svg [^>]*width="85mm"/);
  expect(strip).toContain("</text>");
  expect(strip).not.toContain("#2364dc");
  for (const name of ["Mesh", "Legend", "Index space"]) {
    await sheet.getByText(name, { exact: true }).click();
    await expect(sheet.locator("img")).toHaveJSProperty("complete", true);
  }
  await page.getByText("Code for cameras").click();
  await expect(page.getByTestId("qr-code")).toBeVisible();
  await page.getByRole("button", { name: "Copy picture" }).click();
  await expect(page.getByText("The picture is on the clipboard.")).toBeVisible();
  await page.keyboard.press("Escape");

  await plan.openAnew("/#example=two-matmuls");
  await expect(page.getByTestId("tensor-w2")).toBeVisible();
  await page.locator("main").first().focus();
  await page.keyboard.press("Control+V");
  await expect(page.getByTestId("tensor-w2")).toHaveCount(0);
  await plan.settle();
  await expect(page.getByTestId("redist-0")).toBeVisible();

  // The address of a kept plan is private, so its link is copied from where it is called.
  await page.locator(".plan-btn").click();
  await page.getByRole("button", { name: "Copy link to this" }).click();
  await expect(page.getByText("The link to this plan is on the clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("#p=1.");
  expect(noise).toEqual([]);
});

test("a plan is saved as one page that opens from disk without a network, with its lesson", async ({
  page,
}, testInfo) => {
  const plan = planPage(page);
  await plan.open("/#lesson=one-matmul");
  await expect(page.getByTestId("lesson")).toBeVisible();
  await expect(page.locator(".lesson-say")).not.toContainText("…");
  await page.getByTestId("share-link").click();
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save one page" }).click();
  const path = testInfo.outputPath("plan.html");
  await (await waiting).saveAs(path);
  expect((await readFile(path)).length).toBeLessThanOrEqual(700_000);

  await page.goto("about:blank");
  const noise = watchNoise(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.context().setOffline(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(pathToFileURL(path).href);
  await expect(page.locator("html")).toHaveAttribute("data-ready", "true");
  await expect(page.getByRole("heading", { name: "1 of", exact: false })).toContainText(
    "The whole plan",
  );
  for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowRight");
  await expect(page.locator("#caption")).toContainText("4 of");
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.locator("#caption")).toContainText("Legend");
  await expect(page.locator("#drawing text").first()).toBeVisible();
  await page.getByText("What happens").first().click();
  await expect(page.locator("details[open] p").first()).toBeVisible();
  await page.keyboard.press("b");
  await expect(page.locator("#blank")).toBeVisible();
  await page.keyboard.press("b");
  await expect(page.getByRole("link", { name: "Open it as a board" })).toHaveAttribute(
    "href",
    /#p=/,
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  expect(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:"))).toEqual(
    [],
  );
  expect(noise).toEqual([]);
  await page.context().setOffline(false);
});
