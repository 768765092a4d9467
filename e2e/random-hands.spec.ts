import { expect, type Locator, type Page, test } from "@playwright/test";
import fc from "fast-check";
import { nextFrame, planPage, watchNoise } from "./plan-page.ts";

/** One act of the hands, whatever is on the page. */
type Act =
  | { readonly kind: "press" | "hover"; readonly selector: string; readonly at: number }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "drag"; readonly from: Place; readonly to: Place }
  | { readonly kind: "resize"; readonly size: Size };

/** A place in the window, as shares of its width and height. */
type Place = readonly [across: number, down: number];

type Size = readonly [width: number, height: number];

const selectors = [
  ...["button:visible", "[role=tab]:visible", ".bcard:visible, .bpill:visible"],
  ...["[data-testid^=tensor-]:visible", "[data-testid^=mesh-axis-]:visible"],
  ...["summary:visible", "[tabindex]:visible"],
];

const keys = [
  ...["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Enter", "Escape", "Tab", "Shift+Tab"],
  ...["Space", "Home", "End", "Delete", "0", "1", "2", "[", "]", ",", ".", "c", "d", "f", "g", "v"],
  ...["Control+z", "Control+Shift+z", "Control+k", "?"],
];

const sizes: readonly Size[] = [
  [1440, 900],
  [1100, 700],
  [834, 1112],
  [390, 844],
];

const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const place = fc.tuple(share, share);
const chosen = { selector: fc.constantFrom(...selectors), at: share };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("press" as const), ...chosen }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hover" as const), ...chosen }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("key" as const), key: fc.constantFrom(...keys) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("drag" as const), from: place, to: place }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("resize" as const),
      size: fc.constantFrom(...sizes),
    }),
  },
);

/** The number of walks of each test, each with its own seed, and the acts of a walk. */
const { HANDS_WALKS: walks = "1", HANDS_ACTS: acts = "40" } = process.env;

/** Acts as a person does: where the element is covered or gone, nothing happens. */
async function attempt(page: Page, wanted: Act): Promise<void> {
  const { width = 1, height = 1 } = page.viewportSize() ?? {};
  const on = ([across, down]: Place) => [across * width, down * height] as const;
  switch (wanted.kind) {
    case "press":
    case "hover": {
      const target = await one(page.locator(wanted.selector), wanted.at);
      const soon = { timeout: 500 };
      const done = wanted.kind === "press" ? target?.click(soon) : target?.hover(soon);
      return done?.catch(() => undefined);
    }
    case "key":
      return page.keyboard.press(wanted.key);
    case "drag":
      await page.mouse.move(...on(wanted.from));
      await page.mouse.down();
      await page.mouse.move(...on(wanted.to), { steps: 4 });
      return page.mouse.up();
    case "resize":
      return page.setViewportSize({ width: wanted.size[0], height: wanted.size[1] });
  }
}

async function one(all: Locator, at: number): Promise<Locator | undefined> {
  const count = await all.count();
  return count === 0 ? undefined : all.nth(Math.floor(at * count));
}

/** Runs in the page: the faults that no page may have, whatever was done. */
function faults(): readonly string[] {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const beyond = [scrollWidth - innerWidth, scrollHeight - innerHeight].some((over) => over > 1);
  const said = [...document.querySelectorAll(".fault")].map((each) => each.textContent ?? "");
  // The editor scrolls this way, and so does a field with a longer text.
  const isOwn = (each: Element) => each.closest(".monaco-editor, .cm-editor, input") !== null;
  const moved = [...document.querySelectorAll("*")].filter((each) => {
    if ((each.scrollTop === 0 && each.scrollLeft === 0) || isOwn(each)) return false;
    const { overflowX, overflowY } = getComputedStyle(each);
    return (
      (each.scrollTop !== 0 && overflowY === "hidden") ||
      (each.scrollLeft !== 0 && overflowX === "hidden")
    );
  });
  return [
    ...(beyond ? [`the page scrolls: ${scrollWidth} × ${scrollHeight}`] : []),
    ...said,
    ...moved.map((each) => `scrolled out of its frame: ${each.className}`),
  ];
}

/** The figures that a person reads first. */
async function figures(page: Page): Promise<readonly (string | null)[]> {
  const all = page.locator("[data-testid^=hud-] .number");
  return all.evaluateAll((each) => each.map(({ textContent }) => textContent));
}

const texts = {
  "two matmuls": "/",
  "a GPT of 12 layers, trained": "/#example=gpt2",
} as const;

for (const [name, address] of Object.entries(texts)) {
  test(`whatever hands do on ${name}, the page stays whole and says what a fresh look says`, async ({
    page,
  }) => {
    test.setTimeout(60_000 * Number(walks));
    const noise = watchNoise(page);
    const plan = planPage(page);
    const all = fc.sample(fc.array(act, { minLength: Number(acts), maxLength: Number(acts) }), {
      seed: name.length,
      numRuns: Number(walks),
    });
    for (const walk of all) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await plan.openAnew(address);
      for (const [at, each] of walk.entries()) {
        const what = `act ${at}: ${JSON.stringify(each)}`;
        await attempt(page, each);
        await nextFrame(page);
        await expect.poll(() => page.evaluate(faults), what).toEqual([]);
        expect(noise, what).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await plan.settle();
      // Beside a broken text stand the figures of the last readable one, and a lesson hides figures
      // until its question is answered.
      const isElsewhere = (await page.locator("[data-testid=stale], .lesson").count()) > 0;
      const before = await figures(page);
      await plan.openAnew(page.url());
      if (!isElsewhere && before.length > 0) expect(await figures(page)).toEqual(before);
    }
  });
}
