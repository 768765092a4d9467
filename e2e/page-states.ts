import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { firstExample } from "./one-page.ts";
import { nextFrame, type PlanPage, planPage } from "./plan-page.ts";

/** Window sizes, one for each arrangement of the app. */
export const sizes = { desk: [1440, 900], tablet: [834, 1112], phone: [390, 844] } as const;

export type Size = keyof typeof sizes;

/** A text with an error in the middle and a size that is not given. */
const faulty =
  'mesh = Mesh(dp=2, mp=2)\nx = Tensor((8, 4))\ny = relu(x\nz = relu(x)\nplace(x, layout("ep", "None"))\n';

/** States of the page: the address that is opened, and the actions then. */
export const pageStates: Readonly<Record<string, (plan: PlanPage, size: Size) => Promise<void>>> = {
  "gallery card": (plan) => plan.open("/#example=jax-reshard"),
  selection: async (plan) => {
    await plan.openAnew("/#example=megatron-mlp");
    const tensor = plan.page.locator("button[data-testid^=tensor-]").last();
    await tensor.click();
    await expect(plan.page.locator("[data-testid^=dim-]").first()).toBeVisible();
  },
  player: async (plan) => {
    await plan.open(firstExample);
    await plan.page.getByTestId("redist-0").click();
    await plan.page.getByTestId("step-next").click();
    await expect(plan.page.locator("[aria-valuetext^=after]").first()).toBeAttached();
  },
  "what a check found": async (plan) => {
    await plan.open(firstExample);
    await plan.page.getByTestId("redist-0").click();
    await plan.page.getByRole("button", { name: "Run without this step" }).click();
    await expect(plan.page.getByTestId("run-verdict")).toBeVisible();
  },
  "a run in full": async (plan, size) => {
    await plan.open(firstExample);
    if (size === "desk") await plan.page.getByTestId("run-how").click();
    else await plan.page.getByRole("tab", { name: "Run" }).click();
    await plan.page.getByTestId("run-broken").click();
    await expect(plan.page.getByTestId("run-tensors")).toBeVisible();
    await plan.page.getByTestId("run-break").getByRole("button").click();
  },
  problems: async (plan, size) => {
    await plan.open(`/#src=${encodeURIComponent(faulty)}`);
    if (size !== "desk") await plan.page.getByRole("tab", { name: "Program" }).click();
    await expect(plan.page.getByTestId("problems")).toContainText("ep");
  },
  costs: async (plan, size) => {
    await plan.open(firstExample);
    if (size === "desk") {
      await plan.page.getByTestId("hud-time").getByRole("button").first().click();
      await expect(plan.page.getByTestId("cost-table")).toBeVisible();
    } else {
      const tab = plan.page.getByRole("tab", { name: "Costs" });
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", "true");
    }
  },
  empty: (plan) => plan.open("/#src="),
  "damaged link": async (plan) => {
    await plan.open("/#p=9.1.2s.00000000.abc");
    await expect(plan.page.getByRole("heading", { level: 1 })).toContainText("link");
  },
};

/** Overlays of the page: the action that opens each, and the part that is new. */
export const overlays: Readonly<
  Record<string, { readonly enter: (page: Page) => Promise<void>; readonly part: string }>
> = {
  gallery: {
    enter: async (page) => {
      await page.keyboard.press("Control+o");
      await expect(page.getByRole("searchbox")).toBeVisible();
    },
    part: "dialog[open]",
  },
  palette: { enter: (page) => page.keyboard.press("Control+k"), part: "dialog[open]" },
  shortcuts: { enter: (page) => page.keyboard.press("?"), part: "dialog[open]" },
  share: { enter: (page) => page.getByTestId("share-link").click(), part: "[role=dialog]" },
  settings: {
    enter: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-query").fill("settings");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Settings" }).waitFor();
    },
    part: "dialog[open]",
  },
  plans: {
    // The button has the open plan's name.
    enter: (page) => page.locator(".menu-wrap > .btn").first().click(),
    part: "[role=dialog][aria-label=Plans]",
  },
};

/** Axe injected into a page without foreign frames; its own runner opens another page for those. */
async function axeOn(page: Page): Promise<AxeBuilder> {
  // Axe's half megabyte of code is injected once per document.
  const isThere = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder(isThere ? { page, axeSource: "void 0" } : { page });
  // Passed checks are not listed with their elements: finding those takes most of the time.
  return axe.setLegacyMode().options({ resultTypes: ["violations"] });
}

/** Shows the page in a theme, and waits until it is at rest. */
async function inTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
  // The editor changes its colours a frame later, on a busy page some frames later.
  await nextFrame(page);
  const other = theme === "light" ? "vs-dark" : "vs";
  await expect(page.locator(`.monaco-editor.${other}`)).toHaveCount(0);
}

/** Brings the page into a state. */
export async function bringInto(page: Page, state: string, size: Size): Promise<void> {
  const [width, height] = sizes[size];
  await page.setViewportSize({ width, height });
  await pageStates[state]?.(planPage(page), size);
}

/** Which of axe's rules run: those named, or all but some. */
type Rules = { readonly only: readonly string[] } | { readonly allBut: readonly string[] };

/** Rules whose findings are always minor or moderate; they take a fifth of axe's time. */
const neverSerious = [
  "aria-allowed-role",
  "aria-deprecated-role",
  "empty-heading",
  "empty-table-header",
  "form-field-multiple-labels",
  "heading-order",
  "html-xml-lang-mismatch",
  "image-redundant-alt",
  "landmark-banner-is-top-level",
  "landmark-contentinfo-is-top-level",
  "landmark-main-is-top-level",
  "landmark-no-duplicate-banner",
  "landmark-no-duplicate-contentinfo",
  "landmark-no-duplicate-main",
  "landmark-one-main",
  "landmark-unique",
  "meta-viewport-large",
  "meta-viewport",
  "no-autoplay-audio",
  "page-has-heading-one",
  "presentation-role-conflict",
  "region",
  "scope-attr-valid",
  "server-side-image-map",
  "skip-link",
  "table-duplicate-name",
];

/** Axe's findings in the page as it is shown, each with its places. */
async function findingsAsShown(
  page: Page,
  parts: readonly string[],
  rules: Rules,
): Promise<readonly string[]> {
  const axe = await axeOn(page);
  for (const part of parts) axe.include(part);
  if ("only" in rules) axe.withRules([...rules.only]);
  else if (rules.allBut.length > 0) axe.disableRules([...rules.allBut]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, impact, nodes }) => {
    const places = nodes.map((node) => node.target.join(" ")).join("; ");
    return `${impact}, ${id}: ${places}`;
  });
}

/** The findings of some of axe's rules in parts of the page, or in all of it, in both themes. */
async function findingsInThemes(
  page: Page,
  parts: readonly string[],
  rules: Rules,
): Promise<readonly string[]> {
  await inTheme(page, "light");
  const light = await findingsAsShown(page, parts, rules);
  // The themes differ in colours alone, so the other rules run once.
  await inTheme(page, "dark");
  const dark = await findingsAsShown(page, parts, { only: ["color-contrast"] });
  return [...light, ...dark, ...(await beyondTheWindow(page))];
}

/**
 * Checks that the page is as large as its window: longer content scrolls inside it, and overlays
 * end in it.
 */
async function beyondTheWindow(page: Page): Promise<readonly string[]> {
  const [wide, high] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight] as const;
  });
  return wide > 0 || high > 0 ? [`serious, page-scrolls: by ${wide} × ${high} px`] : [];
}

/** The findings of axe in parts of the page, or in all of it, in either theme. */
export function findingsIn(page: Page, ...parts: readonly string[]): Promise<readonly string[]> {
  return findingsInThemes(page, parts, { allBut: [] });
}

const isSerious = (finding: string) => /^(serious|critical), /.test(finding);

/**
 * The serious or critical findings of axe in parts of the page, or in all of it, in either theme.
 */
export async function seriousFindings(
  page: Page,
  ...parts: readonly string[]
): Promise<readonly string[]> {
  return (await findingsInThemes(page, parts, { allBut: neverSerious })).filter(isSerious);
}

/** The serious or critical findings of axe in the theme of the page. */
export async function seriousFindingsAsShown(
  page: Page,
  ...parts: readonly string[]
): Promise<readonly string[]> {
  return (await findingsAsShown(page, parts, { allBut: neverSerious })).filter(isSerious);
}
