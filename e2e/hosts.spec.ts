import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { watchNoise } from "./plan-page.ts";

const guide = readFileSync("docs/embedding.md", "utf8");

/** A block of the guide, as its reader would have filled it in. */
function written(kind: string, board: string | undefined, link = "example=two-matmuls"): string {
  const block = new RegExp(`\`\`\`html ${kind}\\n([^]*?)\`\`\``).exec(guide)?.[1];
  if (block === undefined) throw new Error(`the guide has no block for ${kind}`);
  return block.replaceAll("BOARD", `${board}/`).replaceAll("LINK", link);
}

const listening = `<script>told = []; addEventListener("message", ({ origin, data }) => told.push({ origin, ...data }));</script>`;

const told = (page: Page) => page.evaluate("told") as Promise<readonly Record<string, unknown>[]>;

/** What a page around has been told of a kind, once there is something. */
async function heard(page: Page, kind: string): Promise<Record<string, unknown>> {
  await expect
    .poll(async () => (await told(page)).some((each) => each["kind"] === kind))
    .toBe(true);
  return (await told(page)).findLast((each) => each["kind"] === kind) ?? {};
}

/** Serves a page of another origin; the port decides what another is. */
async function elsewhere(page: Page, body: string): Promise<void> {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end(`<!doctype html>${body}`);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  const address = site.address();
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  await page.goto(`http://127.0.0.1:${address.port}/`);
  site.close();
}

/** The frame of the board, however deep it lies. */
const boardIn = (page: Page, baseURL: string | undefined) =>
  page.frames().find((each) => each.url().startsWith(`${baseURL}/#`));

/** What the board has left in its browser, asked from inside; a sandbox has nothing to leave it in. */
async function leftBehind(page: Page, baseURL: string | undefined): Promise<readonly unknown[]> {
  const left = await boardIn(page, baseURL)?.evaluate(async () =>
    origin === "null"
      ? [0, 0, 0, 0]
      : [
          localStorage.length,
          sessionStorage.length,
          (await navigator.serviceWorker.getRegistrations()).length,
          (await caches.keys()).length,
        ],
  );
  return left ?? [];
}

/** Opens a page of a kind that shows the board as the guide says. */
const opened: Readonly<Record<string, (page: Page, block: string) => Promise<void>>> = {
  site: elsewhere,
  sandbox: elsewhere,
  file: async (page, block) => {
    const file = join(mkdtempSync(join(tmpdir(), "slides-")), "slides.html");
    writeFileSync(file, `<!doctype html>${block}`);
    await page.goto(pathToFileURL(file).href);
  },
  /** Slides are scaled, and get their address once they come. */
  slides: (page, block) =>
    elsewhere(
      page,
      `<div style="width: 960px; height: 700px; transform: scale(0.6); transform-origin: 0 0">
        ${block}</div>
        <script>for (const each of document.querySelectorAll("[data-src]")) each.src = each.dataset.src;</script>`,
    ),
  /** A cell is a frame without an address, which may run what it has. */
  notebook: (page, block) => {
    const cell = block.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const flags = "allow-scripts allow-same-origin allow-popups";
    return elsewhere(page, `<iframe sandbox="${flags}" srcdoc="${cell}" width="940" height="640">`);
  },
};

test("in each kind of page an error of the text is said, nothing is left behind, and nothing foreign is asked for", async ({
  page,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  for (const [kind, open] of Object.entries(opened)) {
    await test.step(kind, async () => {
      asked.length = 0;
      await open(page, written(kind, baseURL, "example=forbidden-axis"));
      await expect.poll(() => boardIn(page, baseURL)).toBeDefined();
      const board = boardIn(page, baseURL)?.locator("body") ?? page.locator("none");
      const said = board.getByText(/^1 error|Showing what can be read of this text/);
      await expect(said.filter({ visible: true }).first()).toBeVisible();
      await expect.poll(() => leftBehind(page, baseURL)).toEqual([0, 0, 0, 0]);
      const own = [new URL(page.url()).origin, baseURL, "null"];
      expect(asked.filter((origin) => !own.includes(origin))).toEqual([]);
    });
  }
});

test("in a page of another site: told and heard, nothing left behind, no foreign request", async ({
  page,
  baseURL,
}) => {
  const noise = watchNoise(page);
  await elsewhere(page, written("messages", baseURL, "example=mindspore-net"));
  const frame = page.frameLocator("iframe >> nth=0");
  await expect(page).toHaveTitle("step 1, hop 1");
  await expect(frame.locator(".embed-words")).toContainText("hop 1 of 3");
  expect(await leftBehind(page, baseURL)).toEqual([0, 0, 0, 0]);
  // Another frame of the same page may not speak to it.
  const say = { target: "shardboard", kind: "text", text: "x = Tensor((8, 4))\n" };
  await page.evaluate((message) => {
    const other = document.body.appendChild(document.createElement("iframe"));
    const script = `parent.frames[0].postMessage(${JSON.stringify(message)}, "*")`;
    other.srcdoc = `<script>${script}</${"script"}>`;
  }, say);
  await page.waitForTimeout(300);
  await expect(frame.locator(".embed-words")).toContainText("hop 1 of 3");
  const foreign = noise.filter((each) => !each.includes("127.0.0.1"));
  expect(foreign).toEqual([]);
  await elsewhere(page, `${listening}${written("site", baseURL)}`);
  expect(await heard(page, "ready")).toMatchObject({ origin: baseURL });
});

test("in a file: a plan is shown, and told of where the link lets any page in", async ({
  page,
  baseURL,
}) => {
  const file = join(mkdtempSync(join(tmpdir(), "slides-")), "slides.html");
  writeFileSync(file, `<!doctype html>${listening}${written("file", baseURL)}`);
  await page.goto(pathToFileURL(file).href);
  await expect(page.frameLocator("iframe").getByTestId("tensor-w1")).toBeVisible();
  await heard(page, "height");
  writeFileSync(file, `<!doctype html>${listening}${written("site", baseURL)}`);
  await page.reload();
  await expect(page.frameLocator("iframe").getByTestId("embed-step")).toBeVisible();
  expect(await told(page)).toEqual([]);
});

test("a lesson that can be done in a page tells it that its goal is met", async ({
  page,
  baseURL,
}) => {
  await elsewhere(
    page,
    `${listening}${written("notebook", baseURL, "lesson=one-matmul&amp;step=2")}`,
  );
  const frame = page.frameLocator("iframe");
  await frame.getByTestId("dim-y-1").first().click();
  await frame.getByRole("dialog", { name: "Split y" }).getByRole("button", { name: "d" }).click();
  expect(await heard(page, "met")).toMatchObject({ lesson: "one-matmul", step: 2 });
});

test("in slides that are scaled, and in a cell of a notebook", async ({ page, baseURL }) => {
  await opened["slides"]?.(page, written("slides", baseURL));
  const slide = page.frameLocator("iframe");
  await slide.getByTestId("step-next").click();
  await expect(slide.locator(".embed-words")).toContainText("all-gather");
  await opened["notebook"]?.(page, `${listening}${written("notebook", baseURL)}`);
  const inner = page.frameLocator("iframe").frameLocator("iframe");
  await expect(inner.getByTestId("try-bar")).toBeVisible();
  await expect(inner.getByTestId("tensor-w1")).toBeVisible();
});

test("in a sandbox without an origin, since the server lets its files be read by any site", async ({
  page,
  baseURL,
}) => {
  await elsewhere(page, `${listening}${written("sandbox", baseURL)}`);
  const step = page.frameLocator("iframe").getByTestId("embed-step");
  await expect(step.getByRole("img").first()).toBeVisible();
  const plan = await heard(page, "ready");
  expect(plan["origin"]).toBe("null");
});

test("what is tried inside another page is kept nowhere, and opens as one's own", async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  const site = `${listening}<iframe src="${baseURL}/#example=two-matmuls&m=try" width="1180" height="700"></iframe>`;
  await elsewhere(page, site);
  const frame = page.frameLocator("iframe");
  await frame.getByTestId("tensor-w2").focus();
  const copy = frame.getByTestId("own-copy");
  await expect(copy).toHaveAttribute("href", /#p=/);
  const before = await copy.getAttribute("href");
  await frame.getByTestId("tensor-w2").click();
  await frame.getByRole("button", { name: /^Find or do/ }).click();
  await frame.getByRole("combobox").fill("Split w2.f over mp");
  await page.keyboard.press("Enter");
  await expect(copy).not.toHaveAttribute("href", before ?? "");
  expect(await leftBehind(page, baseURL)).toEqual([0, 0, 0, 0]);
  const own = await copy.getAttribute("href");
  await page.goto("about:blank");
  await page.goto(own ?? "");
  await expect(page.getByTestId("table-w2")).toHaveCount(1);
  await expect(page.getByTestId("try-bar")).toHaveCount(0);
  await expect(page.locator("[data-ready=idle]")).toHaveCount(1);
  expect(own).not.toContain("m=try");
});
