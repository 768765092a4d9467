import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { type Box, boxOf, isWhole, type PlanPage, planPage } from "./plan-page.ts";

/** Splits a dim by a command of the palette, which works at any window size. */
async function command(plan: PlanPage, words: string): Promise<void> {
  await plan.page.keyboard.press("Control+k");
  await plan.page.getByTestId("palette-query").fill(words);
  await plan.page.keyboard.press("Enter");
  await plan.settle();
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The tensors, operators and redistributions covered by a part of the page. */
async function coveredBy(page: Page, part: Box): Promise<readonly string[]> {
  const boxes = await page.locator(".canvas :is(.ten-btn, .card, .badge)").evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { name: element.textContent ?? "", x, y, width, height };
    }),
  );
  return boxes.filter((box) => overlap(box, part)).map(({ name }) => name);
}

/** A chain of products, each with a weight of its own. */
function chain(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, at) => `h${at + 1} = matmul(h${at}, Parameter((64, 64), "bf16"))`,
  );
  const head = 'mesh = Mesh(dp=2, mp=2)\nh0 = Tensor((64, 64), "bf16")\n';
  return `${head}${lines.join("\n")}\nstrategy(h1, m="dp", n="mp")\n`;
}

test.describe("with fingers alone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test(
    "with fingers alone",
    onOnePage({
      "what an edit changed in bytes stands on the first screen": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await expect(page.getByTestId("change-line")).toHaveCount(0);
        await command(plan, "split w2.k over mp");
        const line = page.getByTestId("change-line");
        await expect(line).toBeInViewport();
        await expect(line).toContainText("Split w2.k over mp");
        await expect(line).toContainText("mem −5.77 MB");
        await expect(line).toContainText("comm −524 kB");
      },

      "a row of the list says the same as the sentence below it": async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=three-cuts");
        const row = page.getByTestId("tensor-x");
        await expect(row).toContainText("[m, k]");
        await expect(row).toContainText("4.10 kB");
        const list = page.getByRole("main");
        await expect(list).toContainText("Each device holds 32 by 64, 4.10 kB. At rest.");
        await expect(list).toContainText(
          "As rows reads it: [m@mp, k]. As summed reads it: [m, k@mp].",
        );
      },

      "the parts of the memory add up to its most, in training too": async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=megatron-mlp");
        await page.getByRole("tab", { name: "Costs" }).tap();
        const costs = page.getByRole("region", { name: "Costs" });
        const figure = async (name: string) => {
          const row = costs.getByRole("row", { name: new RegExp(`^${name}`, "u") });
          return Number.parseFloat((await row.locator(".n").textContent()) ?? "");
        };
        const parts = ["Parameters", "Inputs", "Activations", "Gradients", "Optimizer state"];
        const sizes = await Promise.all(parts.map(figure));
        const sum = sizes.reduce((total, size) => total + size, 0);
        expect(Math.abs(sum - (await figure("Most at one moment")))).toBeLessThan(1);
      },

      "no key is named for the problems": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(`/#src=${encodeURIComponent("x = Tensor((8, 4))\ny = nothing(x)\n")}`);
        await page.getByRole("tab", { name: "Program" }).tap();
        const problems = page.getByTestId("problems");
        await expect(problems).toContainText("1 warning");
        await expect(problems.getByText("F8")).toBeHidden();
      },
    }),
  );
});

test.describe("with fingers alone, on a tablet", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true, isMobile: true });

  test(
    "an edit and the hint",
    onOnePage({
      "on a tablet each number says what the last edit did to it": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await command(plan, "split w2.k over mp");
        await expect(page.getByTestId("hud-memory").getByText("−5.77 MB")).toBeVisible();
        await expect(page.getByTestId("hud-comm").getByText("−524 kB")).toBeVisible();
      },

      "on a tablet the hint says what to tap": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await expect(page.getByRole("note")).toContainText("Tap w2.k and choose mp");
      },
    }),
  );
});

/** Moves the first example by one finger, and zooms in by two. */
async function byFingers(page: Page): Promise<void> {
  const plan = planPage(page);
  await plan.open(firstExample);
  await isWhole(page);
  const card = page.getByTestId("operator-y");
  const graph = await boxOf(page.locator(".canvas-body"));
  const [x, y] = [graph.x + 40, graph.y + graph.height * 0.7];
  const client = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove", ...ids: readonly number[]) => {
    const touchPoints = ids.map((across, id) => ({ x: x + across, y, id }));
    return client.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  const lift = () => client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const before = await boxOf(card);
  await touch("touchStart", 0);
  for (const across of [10, 30, 60]) await touch("touchMove", across);
  await lift();
  await expect(async () => expect((await boxOf(card)).x).toBeGreaterThan(before.x + 30)).toPass();
  await touch("touchStart", 0, 40);
  for (const across of [70, 100, 140]) await touch("touchMove", 0, across);
  await lift();
  await expect(async () =>
    expect((await boxOf(card)).width).toBeGreaterThan(before.width * 1.3),
  ).toPass();
}

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true });

  test(
    "tools and switches lie over nothing",
    onOnePage({
      ...perCase(
        ["sequence-parallel", "megatron-mlp", "two-matmuls"],
        (example) => `tools and switches lie over nothing of ${example}`,
        async ({ page }, example) => {
          const plan = planPage(page);
          await plan.open(`/#example=${example}`);
          await isWhole(page);
          const graph = page.getByRole("region", { name: "Graph" });
          const tools = page.getByRole("toolbar", { name: "Zoom" });
          const switches = page.locator(".canvas-top > fieldset");
          const isOver = async () => {
            const rows = await Promise.all([tools, ...(await switches.all())].map(boxOf));
            const heads = await Promise.all(
              (await graph.locator(".lane-heads h2").all()).map(boxOf),
            );
            const covered = await Promise.all(rows.map((row) => coveredBy(page, row)));
            const heading = heads.filter((head) => rows.some((row) => overlap(head, row)));
            const met = rows.filter((row, at) =>
              rows.slice(0, at).some((each) => overlap(each, row)),
            );
            return [...covered.flat(), ...heading, ...met];
          };
          expect(await isOver()).toEqual([]);
          if (example === "two-matmuls") return;
          await page.getByRole("radio", { name: "Forward only" }).check({ force: true });
          await plan.settle();
          expect(await isOver()).toEqual([]);
        },
      ),

      "one finger moves the graph, two draw it larger": async ({ page }) => byFingers(page),

      "a lesson leaves all of its graph in sight, and a graph that was moved where it is": async ({
        page,
      }) => {
        const plan = planPage(page);
        await plan.openAnew("/#lesson=one-matmul");
        await expect(page.getByRole("region", { name: "Lesson" })).toContainText("Step 1 of");
        await expect(page.getByTestId("tensor-y")).toBeInViewport({ ratio: 1 });
        await page.getByRole("button", { name: "Zoom out" }).click();
        const zoom = await page.getByRole("toolbar", { name: "Zoom" }).textContent();
        await page.setViewportSize({ width: 834, height: 1000 });
        await plan.settle();
        await expect(page.getByRole("toolbar", { name: "Zoom" })).toHaveText(zoom ?? "");
        await page.setViewportSize({ width: 834, height: 1112 });
      },
    }),
  );
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  /** Whether a table shows its names in full and stays inside the page. */
  const fits = (page: Page, table: string) =>
    page.locator(table).evaluate((element) => {
      const names = [...element.querySelectorAll("td, th, .part")];
      const isInside = element.getBoundingClientRect().right <= innerWidth;
      return isInside && names.every((name) => name.scrollWidth <= name.clientWidth + 1);
    });

  test(
    "tables show their names whole",
    onOnePage({
      "steps as another system would run them stand below ours, whole": async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=mindspore-net");
        await page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
        await expect(page.getByTestId("own-total")).toBeVisible();
        await expect(page.getByTestId("upstream-run")).toContainText("Ours: 1 step that sends");
        expect(await fits(page, "[data-testid=upstream-run] table")).toBe(true);
      },

      "a redistribution of several steps says all of them": async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=llama3-70b");
        const ends = page
          .locator(".rowb .badge")
          .evaluateAll((badges) => badges.map((badge) => badge.getBoundingClientRect().right));
        expect(Math.max(...(await ends))).toBeLessThanOrEqual(390);
      },

      "plans held against each other show their names whole": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.getByRole("tab", { name: "Costs" }).click();
        await page.getByTestId("baseline-pin").click();
        await expect(page.getByTestId("plans")).toContainText("Two matmuls on a 2 × 2 mesh");
        expect(await fits(page, "[data-testid=plans]")).toBe(true);
        expect(await fits(page, "[data-testid=parts-comm]")).toBe(true);
      },
    }),
  );
});

test(
  "nothing on the page covers or cuts anything else",
  onOnePage({
    "the split that the hint names leaves everything in sight, at full size": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await isWhole(page);
      await expect(page.getByRole("toolbar", { name: "Zoom" })).toContainText("100 %");
      await command(plan, "split w2.k over mp");
      await expect(page.getByTestId("operator-y")).toContainText("k");
      const canvas = await boxOf(page.getByRole("region", { name: "Graph" }));
      const words = await boxOf(page.getByTestId("tensor-y").getByText("524 kB, unsummed"));
      expect(words.x + words.width).toBeLessThanOrEqual(canvas.x + canvas.width);
    },

    "the head of the step view keeps inside it, whatever system a text is of": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=mindspore-higher-order");
      await isWhole(page);
      for (const width of [1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const view = await boxOf(page.locator(".player"));
        const last = await boxOf(page.locator(".player > .head > :last-child"));
        expect(last.x + last.width).toBeLessThanOrEqual(view.x + view.width);
        const name = page.locator(".player > .head > h2");
        expect(await name.evaluate((h2) => h2.scrollWidth - h2.clientWidth)).toBeLessThanOrEqual(0);
      }
    },

    "a graph that goes on below stands below its switches and beside its minimap": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.openAnew(`/#src=${encodeURIComponent(chain(14))}`);
      await isWhole(page);
      const minimap = page.getByRole("img", { name: "Minimap" });
      await expect(minimap).toBeVisible();
      expect(await coveredBy(page, await boxOf(minimap))).toEqual([]);
      for (const row of await page.locator(".canvas-top > fieldset").all()) {
        expect(await coveredBy(page, await boxOf(row))).toEqual([]);
      }
      const [graph, tools] = [
        page.locator(".canvas-body"),
        page.getByRole("toolbar", { name: "Zoom" }),
      ];
      const [{ y, height }, { y: below }] = [await boxOf(graph), await boxOf(tools)];
      expect(y + height).toBeLessThanOrEqual(below);
      await test.step("from afar the name of a selected tensor stands there once", async () => {
        await page.getByTestId("tensor-h1").click();
        const words = page.getByTestId("tensor-h1").locator(".ten-words");
        await expect(words).toBeVisible();
        const toolbar = page.getByRole("toolbar", { name: "Zoom" });
        await expect(async () => {
          await toolbar.getByRole("button", { name: "Zoom out" }).click();
          await expect(toolbar).toContainText(/\b4\d %/, { timeout: 500 });
        }).toPass();
        await expect(page.getByTestId("tensor-h1")).toBeVisible();
        await expect(words).toBeHidden();
      });
    },

    "a redistribution is large enough to hit where everything is written out": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-broadcast-add");
      await isWhole(page);
      const badge = await boxOf(page.getByTestId("redist-0"));
      expect(badge.height).toBeGreaterThanOrEqual(23.5);
    },

    "a graph that is in sight has no minimap over it and stands near the middle": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.openAnew();
      await isWhole(page);
      const canvas = await boxOf(page.getByRole("region", { name: "Graph" }));
      const first = await boxOf(page.getByTestId("tensor-x"));
      const last = await boxOf(page.getByTestId("operator-y"));
      await expect(page.getByRole("img", { name: "Minimap" })).toBeHidden();
      const above = first.y - canvas.y;
      const below = canvas.y + canvas.height - (last.y + last.height);
      expect(above).toBeLessThan(below);
      expect(above).toBeGreaterThan(0.6 * below);
      await test.step("nothing is cut at the lower edge of the step panel", async () => {
        const panel = page.locator(".player .why");
        await expect(panel).toContainText("reads h as");
        await plan.settle();
        const cut = await panel.evaluate((box) => {
          const edge = box.getBoundingClientRect().bottom;
          const pieces = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
          const found: string[] = [];
          for (let piece = pieces.nextNode(); piece !== null; piece = pieces.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(piece);
            for (const { top, bottom } of range.getClientRects()) {
              // A pixel of the line's box may be empty.
              if (top + 2 < edge && bottom - 2 > edge) found.push(piece.nodeValue ?? "");
            }
          }
          return found;
        });
        expect(cut).toEqual([]);
      });
      await test.step("what reads a selected tensor is named beside its index space", async () => {
        await page.getByTestId("tensor-w2").click();
        await expect(
          page.getByRole("button", { name: "Index space of y, which reads w2" }),
        ).toBeVisible();
        await page.getByTestId("tensor-y").click();
        await expect(
          page.getByRole("button", { name: "Index space of y", exact: true }),
        ).toBeVisible();
      });
      await test.step("a graph of which a part is in sight has a minimap", async () => {
        for (let times = 0; times < 4; times += 1) {
          await page.getByRole("button", { name: "Zoom in" }).click();
        }
        await expect(page.getByRole("img", { name: "Minimap" })).toBeVisible();
      });
    },

    "a link that is followed while the examples are open shows its plan": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByRole("button", { name: "Examples" }).click();
      await expect(page.getByTestId("gallery")).toBeVisible();
      await plan.open("/#example=carry");
      await expect(page.getByTestId("gallery")).toHaveCount(0);
      await expect(page.getByTestId("operator-h2")).toBeVisible();
    },

    "a link is followed though something else changes before its event comes": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("device-0").evaluate((device) => {
        location.hash = "#example=carry";
        device.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
        device.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      });
      await expect(page.getByTestId("operator-h2")).toBeVisible();
    },

    "an input says which state is drawn in two lines, inside its card": async ({ page }) => {
      await planPage(page).open("/#example=three-cuts");
      const words = page.getByTestId("tensor-x").locator(".ten-words");
      await expect(words).toContainText(", at rest");
      const lines = await words.evaluate((box) => box.getBoundingClientRect().height);
      const name = await words
        .locator(".nm-row")
        .evaluate((row) => row.getBoundingClientRect().height);
      expect(lines).toBeLessThan(2.5 * name);
    },

    "the buttons beside a long name keep their size": async ({ page }) => {
      const plan = planPage(page);
      const name = "the_hidden_states_of_the_last_layer";
      const text = `mesh = Mesh(dp=2)\nx = Tensor((8, 4), "bf16")\n${name} = relu(x)\nstrategy(${name}, a="dp")\n`;
      await plan.open(`/#src=${encodeURIComponent(text)}`);
      await isWhole(page);
      await page.getByTestId(`tensor-${name}`).click();
      for (const button of ["ways-tensor", "pin-tensor"]) {
        const { width } = await boxOf(page.getByTestId(button));
        expect(width).toBeGreaterThanOrEqual(24);
      }
    },

    "what is folded away is not on the page": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=megatron-mlp");
      await isWhole(page);
      const held = page.getByTestId("held-now");
      await expect(held).toContainText("Held meanwhile");
      await expect(held.locator("tr")).toHaveCount(0);
      await held.locator("summary").click();
      await expect(held.locator("tr")).not.toHaveCount(0);
    },
  }),
);
