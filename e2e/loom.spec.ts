import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { boxOf, planPage, watchNoise } from "./plan-page.ts";

/** Runs a command of the palette, found by its words. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette-query").fill(words);
  await page.getByTestId("palette-query").press("Enter");
  await expect(page.getByTestId("palette-query")).toHaveCount(0);
}

async function saved(page: Page, words: string): Promise<string> {
  const waiting = page.waitForEvent("download");
  await command(page, words);
  return readFileSync(await (await waiting).path(), "utf8");
}

async function drop(page: Page, text: string): Promise<void> {
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "graph.json", { type: "application/json" }));
    return data;
  }, text);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

/** The text of the editor inside an element, as the page shows it. */
async function textOf(editor: Locator): Promise<string> {
  const lines = await editor.locator(".view-line").allInnerTexts();
  return lines.join("\n").replaceAll("\u00a0", " ");
}

const range = (page: Page, name: string) =>
  expect.poll(() => page.getByTestId(`projection-${name}`).getAttribute("data-range"));

const uri = "http://tensortapestry.org/schemas/loom/2024-01/";
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const rows = (start: number, end: number) => ({ start: [start, 0], end: [end, 4] });

function loomNode(kind: string, number: number, body: object, tags: object = {}): object {
  const type = `${uri}node_types.jsd#/nodes/${kind}`;
  return { id: uuid(number), type, body, ...(Object.keys(tags).length > 0 && { tags }) };
}

/** `op:import -> relu -> op:export` on 10 rows from 5 on: relu in pieces of 4, 3 and 3 rows. */
function passing(): object {
  const select = (number: number, start: number, end: number) => {
    return { x: [{ tensorId: uuid(number), range: rows(start, end) }] };
  };
  const whole = {
    affineMap: {
      projection: [
        [1, 0],
        [0, 1],
      ],
      offset: [0, 0],
    },
    shape: [1, 1],
  };
  const index = `${uri}tag_types.jsd#/tags/IPFIndex`;
  const signature = `${uri}tag_types.jsd#/tags/IPFSignature`;
  const point = { [`${uri}tag_types.jsd#/tags/IOSequencePoint`]: {} };
  const relu = (start: number, end: number) => ({
    inputs: select(1, start, end),
    outputs: select(2, start, end),
  });
  const shard = (number: number, start: number, end: number) => {
    const body = { operationId: uuid(5), ...relu(start, end) };
    return loomNode("Application", number, body, { [index]: rows(start, end) });
  };
  const nodes = [
    loomNode("Tensor", 1, { dtype: "float32", range: rows(5, 15) }),
    loomNode("Tensor", 2, { dtype: "float32", range: rows(5, 15) }),
    loomNode("Operation", 3, { kernel: "op:import", outputs: select(1, 5, 15) }, point),
    loomNode("Application", 4, { operationId: uuid(3), outputs: select(1, 5, 15) }),
    loomNode(
      "Operation",
      5,
      { kernel: "op:relu", ...relu(5, 15) },
      {
        [index]: rows(5, 15),
        [signature]: { inputs: { x: [whole] }, outputs: { x: [whole] } },
      },
    ),
    ...[shard(6, 5, 9), shard(7, 9, 12), shard(8, 12, 15)],
    loomNode("Operation", 9, { kernel: "op:export", inputs: select(2, 5, 15) }, point),
    loomNode("Application", 10, { operationId: uuid(9), inputs: select(2, 5, 15) }),
    loomNode("Note", 11, { message: "kept" }),
  ];
  return { id: uuid(99), nodes };
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test(
    "a LoomGraph by finger",
    onOnePage({
      "the projections of an operation are read without scrolling sideways": async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=loom-convolution");
        await page.getByTestId("tensor-response").tap();
        const operation = page.getByRole("region", { name: "Operation conv" });
        const matrix = operation.getByRole("table", { name: "response[0] onto response" });
        await expect(matrix).toBeVisible();
        const { x, width } = await boxOf(operation);
        for (const table of await operation.getByRole("table").all()) {
          const box = await boxOf(table);
          expect(box.x).toBeGreaterThanOrEqual(x - 1);
          expect(box.x + box.width).toBeLessThanOrEqual(x + width + 1);
        }
      },

      "a window is drawn by a finger, and the plan has its editor": async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=loom-convolution");
        await page.getByTestId("tensor-response").tap();
        await page.getByRole("button", { name: "Index space of conv" }).tap();
        const box = await boxOf(page.getByTestId("projection-index"));
        await page.touchscreen.tap(box.x + box.width - 12, box.y + box.height - 12);
        await range(page, "response").toBe("zr[15:16, 15:16]");
        await range(page, "image").toBe("zr[30:33, 30:33]");
        await page.getByRole("button", { name: "Close" }).tap();
        await page.getByRole("tab", { name: "Program" }).tap();
        await expect(page.getByRole("textbox", { name: "Plan" })).toContainText('h="rows"');
        await expect(page.getByRole("textbox", { name: "Program" })).toContainText(
          "tensortapestry",
        );
      },
    }),
  );
});

test(
  "a LoomGraph is shown, edited, saved and run",
  onOnePage({
    "a graph shows its tensors and operations, the ranges of selections and no problem": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open("/#example=loom-expression");
      for (const name of ["mask", "t0", "t1", "z0"]) {
        await expect(page.getByTestId(`tensor-${name}`).first()).toBeVisible();
      }
      await expect(page.getByTestId("operator-op0")).toContainText("builtins:add");
      await expect(page.getByTestId("problems")).toContainText("None");
      const ranges = page.locator(".edge-range");
      await expect(ranges).toHaveCount(4);
      await expect(ranges.filter({ hasText: "zr[200:210, 50:55]" })).toHaveCount(1);
      await expect(page.getByRole("region", { name: "Operation op0" })).toContainText("tensors[1]");
      expect(noise).toEqual([]);
    },

    "a data type that is not allowed marks its node, and a fix allows it in the plan": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-expression");
      await command(page, "only Loom's own data types");
      await plan.settle();
      const problem = page.getByTestId("problems").locator("[data-code='loom/unknown-dtype']");
      await expect(problem).toContainText('"mask"');
      await expect(page.getByTestId("tensor-mask").locator(".fault-mark")).toBeVisible();
      await page.keyboard.press("F8");
      await expect(page.locator(".monaco-editor.focused")).toContainText("boolean");
      await problem.getByRole("button", { name: 'Allow "boolean" in this document' }).click();
      await plan.settle();
      await expect(page.getByTestId("problems")).toContainText("None");
      await expect
        .poll(() => textOf(page.getByTestId("plan-text")))
        .toContain('dtypes = ["int32", "float32", "boolean"]');
      await expect(page.locator(".fault-mark")).toHaveCount(0);
      await page.getByRole("button", { name: /^Undo/ }).click();
      await plan.settle();
      await expect(problem).toBeVisible();
    },

    "a gesture writes into the plan, the JSON stays, and one log undoes both texts": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-split-k");
      // The plan's editor may come before the JSON's.
      await expect(
        page.getByTestId("program").locator(".two-json .view-line").first(),
      ).toBeVisible();
      const json = await plan.program();
      expect(json).toContain('"op:sum"');
      await page.getByTestId("tensor-y").first().click();
      await page.getByTestId("dim-y-0").first().focus();
      await page.keyboard.press("0");
      await plan.settle();
      await page.getByTestId("dim-y-1").first().focus();
      await page.keyboard.press("1");
      await plan.settle();
      const text = page.getByTestId("plan-text");
      await expect.poll(() => textOf(text)).toContain('n="k"');
      expect(await plan.program()).toBe(json);
      expect(await plan.ranges("y")).not.toEqual([]);
      await text.locator(".view-line").last().click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("# a note");
      await plan.settle();
      await page.keyboard.press("Control+z");
      await plan.settle();
      await page.keyboard.press("Control+z");
      await plan.settle();
      await expect.poll(() => textOf(text)).not.toContain('n="k"');
    },

    "a tensor that begins elsewhere has its own ranges in every table": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-expression");
      for (const row of await plan.ranges("t1")) {
        expect(row).toEqual([
          [200, 210],
          [50, 55],
        ]);
      }
      await expect(page.getByTestId("table-t1")).toContainText("200…209");
      await page.getByTestId("tensor-t1").first().click();
      const inspector = page.getByRole("region", { name: "Tensor t1" });
      await expect(inspector.getByRole("row", { name: /^0 / })).toContainText("50…54");
    },

    "the range of a selection is written by hand, as one step of undo": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-expression");
      const operation = page.getByRole("region", { name: "Operation op0" });
      const row = operation.getByRole("row").filter({ hasText: "tensors[1]" });
      await row.getByRole("button", { name: "zr[200:210, 50:55]" }).click();
      const field = row.getByRole("textbox", { name: "Range of tensors[1]" });
      await field.fill("200:x, 50:55");
      await field.press("Enter");
      await expect(row.getByRole("alert")).toHaveText("Not set: a range is written 0:10, 0:5.");
      await field.fill("200:205, 50:55");
      await field.press("Enter");
      await expect(row.getByRole("button", { name: "zr[200:205, 50:55]" })).toBeVisible();
      expect(await saved(page, "Save as LoomGraph JSON")).toContain('"end" : [ 205, 55 ]');
      await page.keyboard.press("Control+z");
      await expect(row.getByRole("button", { name: "zr[200:210, 50:55]" })).toBeVisible();
    },

    "an Application is taken out of a graph by hand": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-convolution");
      await drop(page, await saved(page, "LoomGraph JSON with shards"));
      await plan.settle();
      await page.getByTestId("operator-conv").click();
      const operation = page.getByRole("region", { name: "Operation conv" });
      const rows = operation.getByTestId("applications").locator("tr[data-application]");
      await expect(rows).toHaveCount(4);
      const takeOut = rows.first().getByRole("button", { name: /^Take out/ });
      await takeOut.click();
      await expect(page.getByTestId("problems")).toContainText('no shard of "conv" makes');
      await takeOut.click();
      await expect(page.getByText("Not taken out: it is no longer in the text.")).toBeVisible();
      await page.keyboard.press("Control+z");
      await expect(page.getByTestId("problems")).not.toContainText("no shard of");
      await expect(rows).toHaveCount(4);
    },

    "the projections and the Applications of an operation are on screen, and the graph is saved as it came":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=loom-convolution");
        const shards = await saved(page, "LoomGraph JSON with shards");
        const spelled = `${JSON.stringify(JSON.parse(shards), undefined, 3)}\n\n`;
        await drop(page, spelled);
        await plan.settle();
        await page.getByTestId("operator-conv").click();
        const operation = page.getByRole("region", { name: "Operation conv" });
        const matrix = operation.getByRole("table", { name: "image[0] onto image" });
        await expect(matrix.getByRole("columnheader")).toHaveText([
          "dim",
          "h",
          "w",
          "offset",
          "shape",
        ]);
        await expect(matrix.getByRole("row").nth(1).getByRole("cell")).toHaveText([
          "2",
          "0",
          "0",
          "3",
        ]);
        await expect(matrix.getByRole("row").nth(2).getByRole("cell")).toHaveText([
          "0",
          "2",
          "0",
          "3",
        ]);
        const rows = operation.getByTestId("applications").locator("tr[data-application]");
        await expect(rows).toHaveCount(4);
        for (const device of [0, 1, 2, 3]) {
          await expect(rows.filter({ hasText: `{${device}}` })).toHaveCount(1);
        }
        await expect(rows.filter({ hasText: "zr[8:16, 8:16]" })).toContainText("zr[16:33, 16:33]");
        expect(await saved(page, "Save as LoomGraph JSON")).toBe(spelled);
        expect(await saved(page, "LoomGraph JSON with shards")).toBe(spelled);
      },

    "the window of an index space is dragged by mouse and keys, and its images move": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-convolution");
      await page.getByRole("button", { name: "Index space of conv" }).click();
      await range(page, "image").toBe("zr[0:17, 0:17]");
      await range(page, "filter").toBe("zr[0:3, 0:3]");
      const box = await boxOf(page.getByTestId("projection-index"));
      const at = (share: number) =>
        [box.x + box.width * share, box.y + box.height * share] as const;
      await page.mouse.move(...at(0.28));
      await page.mouse.down();
      await page.mouse.move(...at(0.53), { steps: 6 });
      await page.mouse.up();
      await range(page, "response").toBe("zr[4:12, 4:12]");
      await range(page, "image").toBe("zr[8:25, 8:25]");
      await page.getByRole("slider", { name: /^Window of the index space/ }).focus();
      await page.keyboard.press("ArrowRight");
      await range(page, "response").toBe("zr[4:12, 5:13]");
      await page.keyboard.press("Shift+ArrowUp");
      await range(page, "image").toBe("zr[8:23, 10:27]");
      await page.keyboard.press("Home");
      await range(page, "response").toBe("zr[0:16, 0:16]");
      await page.getByRole("button", { name: /^Shard of device 3/ }).click();
      await range(page, "image").toBe("zr[16:33, 16:33]");
      await page.getByText("What each device reads and writes").click();
      const rows = page.getByTestId("shard-ranges").locator("tr[data-device]");
      await expect(rows).toHaveCount(4);
      await expect(rows.nth(2)).toContainText("zr[16:33, 0:17]");
    },

    "an operator of a program is an index space too": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await command(page, "index space of the operator");
      const operators = page.getByRole("combobox", { name: "Operator" });
      await expect(operators).toBeVisible();
      const window = page.getByTestId("projection-window");
      await expect(window).toHaveAttribute("data-range", /./);
      const before = await window.getAttribute("data-range");
      await page.getByRole("slider").last().focus();
      await page.keyboard.press("Home");
      await expect.poll(() => window.getAttribute("data-range")).not.toBe(before);
    },

    "a program is saved as a graph with its shards, and opens again by a drop": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-broadcast-add");
      const whole = await saved(page, "Save as LoomGraph JSON");
      const shards = await saved(page, "LoomGraph JSON with shards");
      expect(JSON.parse(whole).nodes).toHaveLength(4);
      expect(JSON.parse(shards).nodes).toHaveLength(14);
      await drop(page, shards);
      await plan.settle();
      await expect(page.getByTestId("operator-add")).toBeVisible();
      await expect(page.getByTestId("problems")).toContainText("None");
      const rows = await plan.ranges("c");
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(10);
      await expect.poll(() => textOf(page.getByTestId("plan-text"))).toBe("");
      expect(await saved(page, "LoomGraph JSON with shards")).toBe(shards);
      await page.getByTestId("run-preview").click();
      await plan.settle();
      await expect(page.getByTestId("run-verdict")).toHaveAttribute("data-verdict", "equal");
    },

    "a graph pasted on the page opens, and its link carries the plan": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-split-k");
      await page.getByTestId("share-link").click();
      const address = await page.getByTestId("share-url").inputValue();
      await page.keyboard.press("Escape");
      const json = await saved(page, "Save as LoomGraph JSON");
      await plan.open("/#example=two-matmuls");
      await page.reload();
      await plan.settle();
      await page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
      }, json);
      await plan.settle();
      await expect(page.getByTestId("operator-total")).toBeVisible();
      await page.goto("about:blank");
      await plan.open(address);
      await expect(page.getByTestId("operator-total")).toBeVisible();
      await expect.poll(() => textOf(page.getByTestId("plan-text"))).toContain('block="k"');
      await expect(page.getByTestId("redist-0")).toBeVisible();
    },

    "the JSON editor offers ids by their labels and explains what it shows": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-expression");
      const editor = page.getByTestId("program").locator(".two-json");
      await editor.locator(".view-line").first().click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Control+f");
      await expect(page.locator(".find-widget.visible")).toBeVisible();
      await page.keyboard.type('"tensorId" : "');
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Control+Space");
      await expect(page.locator(".suggest-widget")).toContainText("int32 zr[200:210, 50:55]");
      await page.keyboard.press("Escape");
    },

    "a graph with Applications is drawn as they cut it, runs from import to export, and keeps its Note":
      async ({ page }) => {
        const noise = watchNoise(page);
        const plan = planPage(page);
        await plan.open("/#example=loom-expression");
        const text = JSON.stringify(passing(), undefined, 2);
        await drop(page, text);
        await plan.settle();
        await expect(page.getByTestId("problems")).toContainText("None");
        for (const name of ["import", "relu", "export"]) {
          await expect(page.getByTestId(`operator-${name}`)).toBeVisible();
        }
        expect((await plan.ranges(uuid(2))).map(([range]) => range)).toEqual([
          [5, 9],
          [9, 12],
          [12, 15],
        ]);
        await page.getByTestId("operator-relu").click();
        const list = page
          .getByRole("region", { name: "Operation relu" })
          .getByTestId("applications");
        await expect(list.getByRole("row", { name: /zr\[9:12, 0:4\]/ })).toContainText("{1}");
        await page.getByTestId("run-preview").click();
        await plan.settle();
        await expect(page.getByTestId("run-verdict")).toHaveAttribute("data-verdict", "equal");
        expect(await saved(page, "LoomGraph JSON with shards")).toBe(text);
        await page.getByTestId(`dim-${uuid(2)}-0`).focus();
        await page.keyboard.press("0");
        await plan.settle();
        await expect
          .poll(() => textOf(page.getByTestId("plan-text")))
          .toContain('mesh = Mesh(d0=3)\nstrategy("relu")');
        const replaced = JSON.parse(await saved(page, "LoomGraph JSON with shards"));
        expect(replaced.nodes).toHaveLength(9);
        expect(noise).toEqual([]);
      },

    "a convolution of windows runs on its devices as it does unsharded": async ({ page }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open("/#example=loom-convolution");
      await page.getByTestId("run-preview").click();
      await plan.settle();
      const result = page.getByTestId("run-verdict");
      await expect(result).toHaveAttribute("data-verdict", "equal");
      expect(noise).toEqual([]);
    },

    "what each device reads of an operand in windows is drawn, said and in the table": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#example=loom-convolution");
      const image = page.getByTestId("tensor-image").first();
      await expect(image.locator(".mark-halo")).toHaveCount(0);
      await page.getByTestId("operator-conv").click();
      await expect(image.locator(".mark-halo").first()).toBeVisible();
      await expect(image).toContainText(
        "For conv each device reads 17 by 17, including up to 1 row",
      );
      await image.click();
      const inspector = page.getByRole("region", { name: "Tensor image" });
      await expect(inspector.getByRole("columnheader", { name: "conv reads" })).toBeVisible();
      await expect(inspector.getByRole("row", { name: /^3 / })).toContainText("16…32, 16…32");
    },
  }),
);
