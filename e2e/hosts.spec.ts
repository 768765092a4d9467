import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { watchNoise } from "./plan-page.ts";

const guide = readFileSync("docs/embedding.md", "utf8");

/** A code block of the guide, filled in as its reader would. */
function written(kind: string, board: string | undefined, link = "example=two-matmuls"): string {
  const block = new RegExp(`\`\`\`html ${kind}\\n([^]*?)\`\`\``).exec(guide)?.[1];
  if (block === undefined) throw new Error(`the guide has no block for ${kind}`);
  return block.replaceAll("BOARD", `${board}/`).replaceAll("LINK", link);
}

const listening = `<script>told = []; addEventListener("message", ({ origin, data }) => told.push({ origin, ...data }));</script>`;

const told = (page: Page) => page.evaluate("told") as Promise<readonly Record<string, unknown>[]>;

/** The last message of a kind that the surrounding page has received, once there is one. */
async function heard(page: Page, kind: string): Promise<Record<string, unknown>> {
  await expect
    .poll(async () => (await told(page)).some((each) => each["kind"] === kind))
    .toBe(true);
  return (await told(page)).findLast((each) => each["kind"] === kind) ?? {};
}

/** The files and headers of a page of another origin, besides its body. */
interface Site {
  readonly files?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves a page of another origin; another port makes another origin. */
async function elsewhere(page: Page, body: string, { files = {}, headers = {} }: Site = {}) {
  const site = createServer(({ url = "/" }, response) => {
    const file = files[url];
    const kind = file === undefined ? "html" : url.endsWith(".css") ? "css" : "javascript";
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader("content-type", `text/${kind}`).end(file ?? `<!doctype html>${body}`);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  const address = site.address();
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  await page.goto(`http://127.0.0.1:${address.port}/`);
  site.close();
}

/** The frame of the board, at any depth. */
const boardIn = (page: Page, baseURL: string | undefined) =>
  page.frames().find((each) => each.url().startsWith(`${baseURL}/#`));

/**
 * The data that the board has stored in its browser, counted inside its frame; a sandboxed frame
 * stores none.
 */
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

/** The files of a deck of reveal.js, as its package has them. */
const revealed = dirname(fileURLToPath(import.meta.resolve("reveal.js")));
const deck = Object.fromEntries(
  ["reveal.js", "reveal.css", "theme/black.css"].map((file) => [
    `/${basename(file)}`,
    readFileSync(join(revealed, file), "utf8"),
  ]),
);

/** Opens a kind of page that contains the board as the guide describes. */
const opened: Readonly<Record<string, (page: Page, block: string) => Promise<void>>> = {
  site: elsewhere,
  sandbox: elsewhere,
  file: async (page, block) => {
    const file = join(mkdtempSync(join(tmpdir(), "slides-")), "slides.html");
    writeFileSync(file, `<!doctype html>${block}`);
    await page.goto(pathToFileURL(file).href);
  },
  /** A deck of reveal.js; its key goes to the second slide. */
  slides: async (page, block) => {
    const title = "<section><h2>A deck</h2></section>";
    const body = `<link rel="stylesheet" href="/reveal.css"><link rel="stylesheet" href="/black.css">
      <div class="reveal"><div class="slides">${title}${block}</div></div>
      <script src="/reveal.js"></script><script>Reveal.initialize({ hash: false })</script>`;
    await elsewhere(page, body, { files: deck });
    await expect(page.locator(".reveal.ready")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(page.locator("section.present iframe")).toBeVisible();
  },
  /** JupyterLab inserts a cell's output into its page, in boxes that scroll and clip. */
  notebook: async (page, block) => {
    await elsewhere(page, '<div class="cell"><div class="outputs"></div></div>', {
      headers: { "content-security-policy": "frame-ancestors 'self'; report-uri /csp-report" },
    });
    await page.addStyleTag({
      content: `body { overflow: hidden; } .cell { position: absolute; inset: 0; contain: strict; overflow: auto; }
        .outputs { position: relative; overflow: auto; }`,
    });
    await page.locator(".outputs").evaluate((outputs, html) => {
      const output = document.createElement("div");
      output.append(document.createRange().createContextualFragment(html));
      outputs.append(output);
    }, block);
  },
  /** Other notebooks put it into a frame without an address, which may run its scripts. */
  cell: (page, block) => {
    const cell = block.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const flags = "allow-scripts allow-same-origin allow-popups";
    return elsewhere(page, `<iframe sandbox="${flags}" srcdoc="${cell}" width="940" height="640">`);
  },
};

/** The guide's block for kinds of pages that it does not name. */
const blockOf: Readonly<Record<string, string>> = { cell: "notebook" };

test("in each kind of page an error of the text is said, nothing is left behind, and nothing foreign is asked for", async ({
  page,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  for (const [kind, open] of Object.entries(opened)) {
    await test.step(kind, async () => {
      asked.length = 0;
      await open(page, written(blockOf[kind] ?? kind, baseURL, "example=forbidden-axis"));
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
  // Messages of another frame of the same page are ignored.
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
  await heard(page, "step");
  const kinds = (await told(page)).map((each) => each["kind"]);
  expect(Math.min(kinds.indexOf("select"), kinds.indexOf("step"))).toBeGreaterThan(
    kinds.indexOf("ready"),
  );
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

test("on a slide of reveal.js that a key goes to, and in the cells of notebooks", async ({
  page,
  baseURL,
}) => {
  await opened["slides"]?.(page, written("slides", baseURL));
  const slide = page.frameLocator("section.present iframe");
  await slide.getByRole("button", { name: "Next step" }).click();
  await expect(slide.locator(".embed-words")).toContainText("all-gather");
  await page.locator("section.present h2").click();
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator("section.present")).toHaveText("A deck");
  await opened["notebook"]?.(page, written("notebook", baseURL));
  await expect(page.frameLocator("iframe").getByTestId("tensor-w1")).toBeVisible();
  await opened["cell"]?.(page, `${listening}${written("notebook", baseURL)}`);
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
