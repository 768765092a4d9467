import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { findingsIn } from "./page-states.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const result = (page: Page) => page.getByTestId("run-verdict");
const equal =
  /Equal at sizes .+, cut alike; every one of the \d kinds of step was run: 5 tensors, 4 devices, bit for bit\./;
const wrong = /Without this all-gather, device \d+ has .+ at h\[\d+, \d+\], where the unsharded/;

/** Large enough that a run at its own sizes takes a second or more. */
const slow = `mesh = Mesh(dp=2, mp=2)
x = Tensor((1200, 1200))
h = gelu(x)
strategy(h, a="dp", b="mp")
`;

test("a worker that does not load is said in the panel; the plan stays and is run later", async ({
  page,
}) => {
  await page.route("**/runner-role-*.js", (route) => route.abort());
  const plan = planPage(page);
  await plan.open();
  await page.getByTestId("run-preview").click();
  await expect(result(page)).toHaveAttribute("data-verdict", "failed");
  await expect(result(page)).toContainText("its worker could not be loaded. Your text is safe");
  await expect(page.getByTestId("operator-h")).toBeVisible();
  await page.unroute("**/runner-role-*.js");
  await page.getByTestId("run-preview").click();
  await expect(result(page)).toContainText(equal);
});

test(
  "a run says whether the program equals its unsharded self",
  onOnePage({
    "A run says that the program equals its unsharded self, also to who listens": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await expect(result(page)).toHaveCount(0);
      await page.getByTestId("run-preview").click();
      await plan.settle();
      await expect(result(page)).toHaveAttribute("data-verdict", "equal");
      await expect(result(page)).toContainText(equal);
      await expect(result(page)).toHaveAttribute("data-engine", "cpu");
      await expect(result(page)).toContainText("Run on the CPU: WebGPU finds no adapter");
      await expect(result(page)).toContainText(/in JavaScript[.:]/);
      await expect(page.getByTestId("status")).toContainText(equal);
      await expect(page.getByTestId("run-whole")).toHaveText("Run it as it is");
      await expect(result(page)).toContainText(/operations, .+, estimated \d+ /);
      await result(page).getByText("How it was run").click();
      await expect(result(page)).toContainText(/x as \d+×\d+/);
      await test.step("an edit forgets what was said of the text before", async () => {
        await expect(result(page)).toContainText(equal);
        await page.getByTestId("dim-w2-0").focus();
        await page.keyboard.press("2");
        await plan.settle();
        await expect(result(page)).toHaveCount(0);
      });
      expect(noise).toEqual([]);
    },

    "without a step, the cell that goes wrong is named, without faults of access, and can be shown":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.getByRole("button", { name: "Run without this step" }).click();
        await plan.settle();
        await expect(result(page)).toHaveAttribute("data-verdict", "different");
        await expect(result(page)).toContainText(wrong);
        expect(await findingsIn(page, ".player")).toEqual([]);
        await page.getByRole("button", { name: /^Show h on device \d$/ }).click();
        await expect(page.getByTestId("tensor-h")).toHaveAttribute("aria-pressed", "true");
        const device = /device (\d+)/.exec((await result(page).textContent()) ?? "")?.[1];
        await expect(page.getByTestId(`device-${device}`)).toHaveAttribute("aria-pressed", "true");
      },

    "keys alone: Tab to Run, Enter, Tab on to the step that is left out": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByTestId("step-next").focus();
      // The choice of the shown steps comes before it in the tab order.
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await expect(page.getByTestId("run-preview")).toBeFocused();
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(result(page)).toContainText(equal);
      await expect(page.getByTestId("run-preview")).toBeFocused();
      for (let stop = 0; stop < 10; stop += 1) {
        await page.keyboard.press("Tab");
        if (await page.getByTestId("run-without").evaluate((it) => it === document.activeElement)) {
          break;
        }
      }
      await expect(page.getByTestId("run-without")).toBeFocused();
      await page.keyboard.press("Space");
      await plan.settle();
      await expect(result(page)).toContainText(wrong);
    },

    "a link starts nothing; a long run says how far it is and is cancelled": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(slow)}`);
      await expect(result(page)).toHaveCount(0);
      await page.getByTestId("run-preview").click();
      await expect(page.getByRole("progressbar", { name: "Run" })).toHaveAttribute(
        "aria-valuetext",
        /unsharded|every device|every cell/,
      );
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await plan.settle();
      await expect(result(page)).toHaveCount(0);
      await expect(page.getByTestId("status")).toContainText("cancelled");
      await expect(page.getByTestId("run-preview")).toBeFocused();
      await expect(page.getByTestId("run-preview")).toHaveText("Run");
    },

    "a text with an error is not run, and says why": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#src=mesh%20%3D%20Mesh(dp%3D2)%0Ax%20%3D%20(");
      await page.getByTestId("run-preview").click();
      await plan.settle();
      await expect(result(page)).toHaveAttribute("data-verdict", "refused");
      await expect(result(page)).toContainText("The text has an error");
    },

    "a program that sends nothing is checked as well": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(
        `/#src=${encodeURIComponent("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)")}`,
      );
      await page.getByTestId("run-preview").click();
      await expect(result(page)).toContainText("2 tensors, 2 devices");
    },

    "a training step is listed by its parts, and each can be gone to": async ({ page }) => {
      const plan = planPage(page);
      const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp")
train(y)
`;
      await plan.open(`/#src=${encodeURIComponent(text)}`);
      const list = page.getByTestId("step-list");
      const parts = () =>
        list
          .locator("optgroup")
          .evaluateAll((groups) => groups.map((group) => group.getAttribute("label")));
      await expect.poll(async () => (await parts()).slice(0, 2)).toEqual(["Forward", "Backward"]);
      const last = await list
        .locator("optgroup[label=Backward] option")
        .first()
        .getAttribute("value");
      await list.selectOption(last);
      await expect(page.locator(".player .tag")).toHaveText("backward");
    },

    "a list of hundreds of redistributions is written when someone turns to it": async ({
      page,
    }) => {
      const plan = planPage(page);
      const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
for layer in range(101):
    x = matmul(x, Parameter((8, 8)))
    strategy(x, m="dp")
    x = matmul(x, Parameter((8, 8)))
    strategy(x, m="mp")
`;
      await plan.open(`/#src=${encodeURIComponent(text)}`);
      const list = page.getByTestId("step-list");
      await expect(list.locator("option")).toHaveText(["1 of 201"]);
      await list.focus();
      await expect(list.locator("option")).toHaveCount(201);
      await list.selectOption("7");
      await expect(list.locator("xpath=..")).toContainText("8 of 201");
    },
  }),
);
