import { once } from "node:events";
import { createServer } from "node:http";
import { expect, type FrameLocator, type Page, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

const embedded = "/#example=two-matmuls&m=embed";

for (const [width, height] of [
  [320, 240],
  [640, 400],
  [390, 844],
] as const) {
  test(`a plan inside ${width} by ${height} shows its graph, its steps and the way to the whole`, async ({
    page,
  }) => {
    const noise = watchNoise(page);
    await page.setViewportSize({ width, height });
    const plan = planPage(page);
    await plan.open(embedded);
    await expect(page.getByRole("region", { name: "Graph" })).toBeInViewport({ ratio: 0.9 });
    const bar = page.locator(".embed-bar");
    await expect(bar).toContainText("all-gather mp of h");
    await page.getByTestId("step-next").click();
    await page.getByTestId("step-next").click();
    await expect(bar).toContainText("y = project(h, w2)");
    const open = page.getByRole("link", { name: "Open" });
    await expect(open).toBeInViewport({ ratio: 1 });
    await expect(open).toHaveAttribute("href", /#example=two-matmuls$/);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    expect(noise).toEqual([]);
  });
}

test("nothing is kept there", async ({ page }) => {
  const plan = planPage(page);
  await plan.open(embedded);
  await page.getByTestId("tensor-w2").click();
  await plan.settle();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test("a link's zoom is that of the graph inside another page, and of the link that is shared", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open(`${embedded}&s=z:50`);
  const graph = page.locator(".react-flow__viewport");
  await expect(graph).toHaveAttribute("style", /scale\(0\.5\)/);
  await plan.openAnew("/#example=two-matmuls&s=z:150");
  await expect(graph).toHaveAttribute("style", /scale\(1\.5\)/);
  await page.getByTestId("share-link").click();
  await expect(page.getByTestId("share-url")).toHaveValue(/,z:150$/);
});

test("one tensor stands for the plan where the link looks at it", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 240 });
  const plan = planPage(page);
  await plan.open();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByTestId("tensor-w1").click();
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-url").inputValue();
  await page.goto("about:blank");
  await page.setViewportSize({ width: 320, height: 240 });
  await plan.open(`${address},p:tensor&m=embed`);
  await expect(page.getByTestId("embed")).toContainText("w1, bf16, 1024 by 4096.");
});

test("the page around is told what is looked at, and how high the plan would like to be", async ({
  page,
}) => {
  const host = `<iframe src="${embedded.replace("&", "&amp;")}" width="640" height="400"></iframe>
    <script>told = []; addEventListener("message", (event) => told.push(event.data));</script>`;
  await page.route("**/host.html", (route) =>
    route.fulfill({ contentType: "text/html", body: host }),
  );
  await page.goto("/host.html");
  const frame = page.frameLocator("iframe");
  await frame.getByTestId("operator-y").click();
  const told = () => page.evaluate("told") as Promise<readonly Record<string, unknown>[]>;
  await expect
    .poll(async () =>
      (await told()).some(({ kind, operator }) => kind === "select" && operator === "y"),
    )
    .toBe(true);
  const height = async () => (await told()).find(({ kind }) => kind === "height")?.["height"];
  await expect.poll(async () => Number(await height())).toBeGreaterThanOrEqual(240);
});

test("the share popover gives the frame for another page", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await page.getByTestId("share-link").click();
  await page.getByText("Show it inside another page").click();
  await expect(page.getByTestId("share-frame")).toHaveValue(/^<iframe src="http.*&amp;m=embed"/);
});

/** Opens a page of another origin that has an address of ours in a frame. */
async function frameElsewhere(page: Page, inner: string): Promise<FrameLocator> {
  const body = `<iframe src="${inner.replaceAll("&", "&amp;")}" width="900" height="600"></iframe>`;
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end(body);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  const address = site.address();
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  await page.goto(`http://127.0.0.1:${address.port}/`);
  site.close();
  return page.frameLocator("iframe");
}

test("another site cannot frame the board, and cannot lead an embedded plan to it", async ({
  page,
  baseURL,
}) => {
  const whole = await frameElsewhere(page, `${baseURL}/#example=two-matmuls`);
  await expect(whole.getByTestId("framed")).toContainText("Another site shows this page");
  await expect(whole.getByTestId("program")).toHaveCount(0);
  const open = whole.getByRole("link", { name: "Open in a tab of its own" });
  await expect(open).toHaveAttribute("href", /#example=two-matmuls$/);

  const frame = await frameElsewhere(page, `${baseURL}${embedded}`);
  await expect(frame.getByTestId("embed")).toBeVisible();
  await page.evaluate(
    (address) => document.querySelector("iframe")?.setAttribute("src", address),
    `${baseURL}/#example=two-matmuls`,
  );
  await expect(frame.getByTestId("embed")).toBeVisible();
  await expect(frame.getByTestId("program")).toHaveCount(0);
});

test("a page of the same site may show the board whole", async ({ page }) => {
  await page.route("**/host.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe src="/#example=two-matmuls" width="1200" height="700"></iframe>`,
    }),
  );
  await page.goto("/host.html");
  await expect(page.frameLocator("iframe").getByTestId("tensor-w1")).toBeVisible();
});

test("a link carries that the forward program alone is drawn, and the frame has the switch", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open("/#example=megatron-mlp");
  const gradient = page.getByTestId("operator-w1.grad");
  await expect(gradient).toBeVisible();
  await page.getByText("Forward only").click();
  await expect(gradient).toHaveCount(0);
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-url").inputValue();
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  await plan.open(address);
  await expect(page.getByRole("radio", { name: "Forward only" })).toBeChecked();
  await expect(gradient).toHaveCount(0);
  await page.goto("about:blank");
  await plan.open(`${address}&m=embed`);
  await expect(page.getByTestId("operator-h")).toBeVisible();
  await expect(gradient).toHaveCount(0);
  await page.getByText("Training step", { exact: true }).click();
  await expect(gradient).toBeVisible();
});

test("what is wrong with a plan stands in its frame", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 240 });
  await planPage(page).open("/#example=forbidden-axis&m=embed");
  await expect(page.locator(".embed-faults")).toContainText("1 error. ");
  await expect(page.locator(".embed-faults")).toContainText("already splits");
  const text = encodeURIComponent("x = Tensor((8, 4))\ny = rellu(x)\n");
  await planPage(page).openAnew(`/#src=${text}&m=embed`);
  await expect(page.locator(".embed-faults")).toBeVisible();
});

test("an example that there is none of is said, on the page and in a frame", async ({ page }) => {
  const plan = planPage(page);
  for (const mode of ["", "&m=embed"]) {
    await plan.openAnew(`/#example=nonexistent${mode}`);
    await expect(page.getByTestId("text-note-no-example")).toContainText(
      "There is no example named “nonexistent”.",
    );
  }
});

test("a step stands for the plan where the link looks at it, with its drawing and its words", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 240 });
  const plan = planPage(page);
  await plan.open();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByTestId("redist-0").click();
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-url").inputValue();
  await page.goto("about:blank");
  await page.setViewportSize({ width: 320, height: 240 });
  await plan.open(`${address.replace(/p:[a-z]+/, "")},p:steps&m=embed`);
  await expect(page.getByTestId("embed-step").getByRole("img").first()).toBeVisible();
  await expect(page.locator(".embed-words")).toContainText("all-gather");
  await page.getByTestId("step-next").click();
  await page.getByTestId("step-next").click();
  await expect(page.locator(".embed-step").getByRole("img").first()).toBeVisible();
});

test("each view of a frame has its drawing at 320 by 240, and what is played has three lines of words", async ({
  page,
}) => {
  const noise = watchNoise(page);
  await page.setViewportSize({ width: 320, height: 240 });
  const plan = planPage(page);
  const drawings = {
    graph: page.getByRole("region", { name: "Graph" }),
    step: page.getByTestId("embed-step").getByRole("img").first(),
    tensor: page.locator(".embed-tensor").getByRole("img").first(),
    mesh: page.getByTestId("device-7"),
    run: page.getByTestId("embed-run").getByRole("button", { name: "Run", exact: true }),
    timeline: page.getByTestId("embed-timeline").locator("canvas").first(),
  };
  for (const [view, drawing] of Object.entries(drawings)) {
    await plan.openAnew(`/#example=megatron-mlp&m=embed&v=${view}&at=1.2&theme=dark`);
    await expect(page.getByTestId("embed")).toHaveAttribute("data-view", view);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(drawing).toBeInViewport({ ratio: view === "timeline" ? 0.8 : 0.9 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, view).toBe(0);
    if (view !== "step") continue;
    const words = page.locator(".embed-words");
    await expect(words).toContainText("hop 2 of 14");
    expect((await words.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    await page.getByRole("button", { name: "Play" }).click();
    await expect(words).toContainText("hop 3 of 14");
    await page.getByRole("button", { name: "Pause" }).click();
  }
  expect(noise).toEqual([]);
});
