import { expect, test } from "@playwright/test";
import { addressOf, runPage, training } from "./run-page.ts";

/** A browser that loses its GPU shows it to all of its pages: these have one of their own. */
test.use({ reuseContext: false, viewport: { width: 1441, height: 900 } });

/** Large enough that the GPU can be lost on the way. */
const long = `mesh = Mesh(dp=2, mp=2)
x = Tensor((192, 160))
w = Parameter((160, 192))
h = matmul(x, w)
strategy(h, m="dp", n="mp")
`;

test("a GPU that is lost is said, and the run goes on: on another device, or on the CPU", async ({
  page,
  browser,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(training));
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  await plan.open(addressOf(long));
  await plan.details();
  await page.getByRole("radio", { name: "As written" }).check({ force: true });
  await page.getByTestId("run-preview").click();
  await expect(page.getByTestId("run-preview")).toHaveText("Cancel");
  const session = await browser.newBrowserCDPSession();
  await session.send("Browser.crashGpuProcess" as "Browser.getVersion").catch(() => undefined);
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal", { timeout: 45_000 });
  await expect(plan.verdict).toContainText(/lost/);
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
});
