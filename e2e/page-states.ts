import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { nextFrame, type PlanPage, planPage } from "./plan-page.ts";

/** The sizes at which the app has another arrangement. */
export const sizes = { desk: [1440, 900], tablet: [834, 1112], phone: [390, 844] } as const;

export type Size = keyof typeof sizes;

/** A text with an error in the middle and a size that is missing. */
const faulty =
  'mesh = Mesh(dp=2, mp=2)\nx = Tensor((8, 4))\ny = relu(x\nz = relu(x)\nplace(x, layout("ep", "None"))\n';

/** States in which the page is looked at: where it is opened, and what is done then. */
export const pageStates: Readonly<Record<string, (plan: PlanPage, size: Size) => Promise<void>>> = {
  example: (plan) => plan.open(),
  "gallery card": (plan) => plan.open("/#example=jax-reshard"),
  gallery: async (plan) => {
    await plan.open();
    await plan.page.keyboard.press("Control+o");
    await expect(plan.page.getByRole("searchbox")).toBeVisible();
  },
  selection: async (plan) => {
    await plan.open("/#example=megatron-mlp");
    const tensor = plan.page.locator("button[data-testid^=tensor-]").last();
    await tensor.click();
    await expect(plan.page.locator("[data-testid^=dim-]").first()).toBeVisible();
  },
  player: async (plan) => {
    await plan.open();
    await plan.page.getByTestId("redist-0").click();
    await plan.page.getByTestId("step-next").click();
    await expect(plan.page.locator("[aria-valuetext^=after]").first()).toBeAttached();
  },
  "what a check found": async (plan) => {
    await plan.open();
    await plan.page.getByTestId("redist-0").click();
    await plan.page.getByRole("button", { name: "Run without this step" }).click();
    await expect(plan.page.getByTestId("run-verdict")).toBeVisible();
  },
  "a run in full": async (plan, size) => {
    await plan.open();
    if (size === "desk") await plan.page.getByTestId("run-how").click();
    else await plan.page.getByRole("tab", { name: "Run" }).click();
    await plan.page.getByTestId("run-broken").click();
    await expect(plan.page.getByTestId("run-tensors")).toBeVisible();
    await plan.page.getByTestId("run-break").getByRole("button").click();
  },
  palette: async (plan) => {
    await plan.open();
    await plan.page.keyboard.press("Control+k");
    await expect(plan.page.getByRole("dialog")).toBeVisible();
  },
  shortcuts: async (plan) => {
    await plan.open();
    await plan.page.keyboard.press("?");
    await expect(plan.page.getByRole("dialog")).toBeVisible();
  },
  share: async (plan) => {
    await plan.open();
    await plan.page.getByTestId("share-link").click();
    await expect(plan.page.getByTestId("share-url")).toBeVisible();
  },
  problems: async (plan, size) => {
    await plan.open(`/#src=${encodeURIComponent(faulty)}`);
    if (size !== "desk") await plan.page.getByRole("tab", { name: "Program" }).click();
    await expect(plan.page.getByTestId("problems")).toContainText("ep");
  },
  settings: async (plan) => {
    await plan.open();
    await plan.page.keyboard.press("Control+k");
    await plan.page.getByTestId("palette-query").fill("settings");
    await plan.page.keyboard.press("Enter");
    await expect(plan.page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  },
  costs: async (plan, size) => {
    await plan.open();
    if (size === "desk") {
      await plan.page.getByTestId("hud-time").getByRole("button").click();
      await expect(plan.page.getByTestId("cost-table")).toBeVisible();
    } else {
      const tab = plan.page.getByRole("tab", { name: "Costs" });
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", "true");
    }
  },
  "a plan that was found": async (plan, size) => {
    await plan.open("/#example=three-cuts");
    if (size === "phone") await plan.page.getByRole("tab", { name: "Costs" }).click();
    await plan.page.getByTestId("plan-start").click();
    await expect(plan.page.getByTestId("plan-status")).toHaveAttribute("data-status", "done");
  },
  empty: (plan) => plan.open("/#src="),
  "damaged link": async (plan) => {
    await plan.open("/#p=9.1.2s.00000000.abc");
    await expect(plan.page.getByRole("heading", { level: 1 })).toContainText("link");
  },
};

/** Axe on a page without frames from elsewhere, for which alone it would open a page of its own. */
export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode();
}

/** Shows the page in a theme, at rest. */
export async function inTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
  // The editor changes its colours a frame later.
  await nextFrame(page);
}

/** Brings the page into a state. */
export async function bringInto(page: Page, state: string, size: Size): Promise<void> {
  const [width, height] = sizes[size];
  await page.setViewportSize({ width, height });
  await pageStates[state]?.(planPage(page), size);
}

/** States that lay something over the page, which is looked at without them: the part that is new. */
export const newParts: Readonly<Record<string, string>> = {
  gallery: "dialog[open]",
  palette: "dialog[open]",
  shortcuts: "dialog[open]",
  settings: "dialog[open]",
  share: "[role=dialog]",
};

/** By which of its rules axe looks, and at which part of the page; else by all, at the whole. */
interface Look {
  readonly rules?: readonly string[];
  readonly part?: string | undefined;
}

/** What axe calls serious or critical, each with its places. */
export async function seriousFindings(
  page: Page,
  { rules, part }: Look = {},
): Promise<readonly string[]> {
  const axe = axeOn(page);
  if (rules !== undefined) axe.withRules([...rules]);
  if (part !== undefined) axe.include(part);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join("; ")}`);
}
