import { expect, type Page, test } from "@playwright/test";
import {
  initialKilobytes,
  mostKilobytes,
  mostWorkerKilobytes,
  workerKilobytes,
} from "../bench/browser/initial-weight.ts";
import { planPage, watchNoise } from "./plan-page.ts";

/** Each test is a first visit: nothing is in any cache. */
test.use({ reuseContext: false });

/** A poor mobile network. */
const slow = {
  offline: false,
  latency: 300,
  downloadThroughput: 150_000,
  uploadThroughput: 150_000,
};

/** The texts shown in place of figures before there was a plan, each once. */
interface Said {
  readonly texts: readonly string[];
}

declare global {
  interface Window {
    said: Set<string>;
  }
}

/**
 * A visit over a slow network that records the texts shown in place of figures until the figures
 * are there.
 */
async function visit(page: Page, address = "/"): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slow);
  await page.addInitScript(() => {
    window.said = new Set();
    const look = () => {
      if (document.querySelector(".hud [data-seconds], .sum [data-testid=hud-time]")) return;
      for (const place of document.querySelectorAll(".hud, .sum, .side, .probs, .canvas-notes"))
        if (place instanceof HTMLElement) window.said.add(place.textContent);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(address, { waitUntil: "commit" });
  await page.getByTestId("plan-text").or(page.locator(".app, .phone")).first().waitFor();
}

async function saidBefore(page: Page): Promise<Said["texts"]> {
  return page.evaluate(() => [...window.said]);
}

const onePerKey = "0123456789 abcdefghijklmnopqrstuvwxyz ";

/** Types key by key until an editor is there and a little longer; returns the typed text. */
async function typeUntil(page: Page, editor: string): Promise<string> {
  let typed = "";
  const type = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const key = onePerKey[typed.length % onePerKey.length] ?? " ";
      await page.keyboard.press(key === " " ? "Space" : key, { delay: 15 });
      typed += key;
    }
  };
  await expect(async () => {
    await type(5);
    expect(await page.locator(editor).count()).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000, intervals: [20] });
  await type(20);
  return typed;
}

for (const [screen, width, height] of [
  ["a wide screen", 1440, 900],
  ["a tablet", 834, 1112],
  ["a phone", 390, 844],
] as const) {
  test(`on ${screen} a slow network shows that it loads, no figure before there is one, and loses no key`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height });
    const noise = watchNoise(page);
    const plan = planPage(page);
    await visit(page);
    if (width < 1000) await page.getByRole("tab", { name: "Program" }).click();
    const plain = page.getByTestId("plain-editor");
    await plain.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("z = gelu(y)\n# ");
    const typed = await typeUntil(page, ".monaco-editor .view-line, .cm-line");
    await expect(plain).toHaveCount(0);
    const text = await plan.program();
    expect(text.replaceAll("\r", "")).toMatch(/\nstrategy\(y, b="dp"\)\nz = gelu\(y\)\n# /);
    expect(text.slice(text.lastIndexOf("# ") + 2)).toBe(typed);
    if (width < 1000)
      await page.getByRole("tab", { name: width < 500 ? "Plan" : "Tensor" }).click();
    await expect(page.getByTestId("hud-time")).toContainText(/[1-9]/);
    await expect(page.getByTestId("tensor-z")).toBeVisible();
    const said = await saidBefore(page);
    expect(said.join("\n")).toContain("loading");
    expect(
      said.filter((words) => /(^|\s)0 (B|s|devices)\b|took|too long|None/.test(words)),
    ).toEqual([]);
    expect(noise).toEqual([]);
  });
}

test("over a slow network a lesson's link opens at its step, with its figures and its board", async ({
  page,
}) => {
  await visit(page, "/#lesson=zero&step=2");
  const lesson = page.getByRole("region", { name: "Lesson" });
  await expect(lesson).toContainText("Step 2 of 3", { timeout: 30_000 });
  const status = lesson.getByRole("region", { name: "Task" }).getByRole("status");
  await expect(status).toContainText("Not yet: the peak of memory is", { timeout: 30_000 });
  await expect(lesson).not.toContainText("…");
  await expect(page.getByRole("region", { name: "Cost" })).toContainText("of 40.0 GB");
});

test("a first visit begins with few bytes, and all scripts and styles are sent compressed", async ({
  request,
  baseURL,
}) => {
  expect(await workerKilobytes(baseURL ?? "")).toBeLessThanOrEqual(mostWorkerKilobytes);
  expect(await initialKilobytes(baseURL ?? "")).toBeLessThanOrEqual(mostKilobytes);
  const encodingOf = async (path: string, accepted: string) => {
    const response = await request.get(path, { headers: { "accept-encoding": accepted } });
    expect(response.ok()).toBe(true);
    return response.headers()["content-encoding"];
  };
  const page = await (await request.get("/")).text();
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css|svg))"/g)];
  const files = named.map(([, path = ""]) => `/${path}`);
  expect(files.length).toBeGreaterThan(3);
  for (const path of ["/", "/diagnostics.html", "/service-worker.js", ...files]) {
    expect(await encodingOf(path, "gzip, deflate, br, zstd")).toBe("br");
    expect(await encodingOf(path, "gzip, deflate")).toBe("gzip");
    expect(await encodingOf(path, "br;q=0, gzip")).toBe("gzip");
    expect(await encodingOf(path, "identity")).toBeUndefined();
  }
});

/** A text for which the worker's first file suffices. */
const plain = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
v = Parameter((32, 16))
h = matmul(x, w)
a = relu(h)
y = matmul(a, v)
strategy(h, m="dp", n="mp")
strategy(a, a="dp", b="mp")
strategy(y, m="dp", k="mp")
`;

/** The late parts that a page's workers have requested, by their file names. */
function partsAsked(page: Page): readonly string[] {
  const parts: string[] = [];
  page.on("request", (request) => {
    const [, part] = /\/assets\/part-([a-z]+)-[\w-]+\.js$/.exec(request.url()) ?? [];
    if (part !== undefined) parts.push(part);
  });
  return parts;
}

test("a text of one system has what it needs of the others alone, and no second compiler before it is asked", async ({
  page,
}) => {
  const parts = partsAsked(page);
  const text = ["import torch", "lin = torch.nn.Linear(8, 4)", "y = lin(Tensor((2, 8)))", ""];
  await page.goto(`/#src=${encodeURIComponent(text.join("\n"))}`);
  await planPage(page).settle();
  await expect(page.locator(".monaco-editor .view-line").first()).toBeVisible();
  // The code for the editor's questions is loaded last.
  await expect.poll(() => parts).toContain("service");
  expect(parts).toContain("torch");
  expect(parts.filter((part) => /mindspore|dtensor|shardy|models|loom/.test(part))).toEqual([]);
  expect(page.workers().filter((worker) => /\/worker-/.test(worker.url()))).toHaveLength(1);
});

test("a plain text is drawn without any of the parts that come later", async ({ page }) => {
  const asked: string[] = [];
  await page.route(/\/assets\/part-[\w-]+\.js/, async (route) => {
    asked.push(route.request().url());
    await route.abort();
  });
  await page.goto(`/#src=${encodeURIComponent(plain)}`);
  await expect(page.getByTestId("operator-y")).toBeVisible();
  await expect(page.getByTestId("hud-time")).toContainText(/[1-9]/);
  // They are requested once it is drawn.
  await expect.poll(() => asked.length).toBeGreaterThan(0);
});
