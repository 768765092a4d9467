import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const helper = join(dirname(fileURLToPath(import.meta.url)), "../python/shardboard");

/** Frames that the notebook helper creates for a program, as HTML. */
function frames(app: string, ...views: readonly string[]): readonly string[] {
  const program = `mesh = Mesh(tp=2)
x = Tensor((8, 4))
w = Parameter((4, 2))
h = x @ w
y = relu(h)
place(w, layout("tp", None))
`;
  const shown = views.map((view) => `print(show(text, app=${JSON.stringify(app)}${view}))`);
  const script = ["from notebook import show", `text = ${JSON.stringify(program)}`, ...shown];
  const { stdout, stderr } = spawnSync("python3", ["-c", script.join("\n")], {
    cwd: helper,
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return stdout.trim().split("\n");
}

test("what a notebook drops of a frame that it does not trust leaves a link to the board", () => {
  const [frame = ""] = frames("https://board.example/", ', view="tensor", at="w"');
  const [, link = ""] = /^<iframe [^>]+><a href="([^"]+)" target="_blank">/u.exec(frame) ?? [];
  expect(link).toMatch(/#p=[^&]+&amp;s=t:w,p:tensor$/u);
});

test("a notebook page shows the boards that its helper makes", async ({ page, baseURL }) => {
  const views = ["", ', view="tensor", at="w"', ', view="steps", at=1'];
  const body = frames(`${baseURL}/`, ...views).join("<p>cell</p>");
  await page.route("**/notebook.html", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><h1>Notebook</h1>${body}` }),
  );
  await page.goto("/notebook.html");
  const cell = (at: number) => page.frameLocator("iframe").nth(at);
  await expect(cell(0).getByTestId("operator-y")).toBeVisible();
  await expect(cell(0).locator(".embed-bar")).toContainText("all-reduce");
  await expect(cell(1).getByTestId("embed")).toContainText("w, f32, 4 by 2.");
  await expect(cell(2).getByTestId("embed-step").getByRole("img").first()).toBeVisible();
});
