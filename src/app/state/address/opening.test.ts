import { expect, test, vi } from "vitest";
import { testShelf } from "../../texts/shelf.testing.ts";

test.each(["#lesson=zero&step=2", "#p=1.0.3.00000000.abc"])(
  "without its code %s is no link of a newer version: a part did not load, and the reader's text stands",
  async (address) => {
    // Forgets the modules that other tests have loaded.
    vi.resetModules();
    const { openingOf } = await import("./opening.ts");
    const { refusal, source } = openingOf(address, testShelf());
    expect(refusal?.refusal).toBe("not-loaded");
    expect(refusal?.message).toContain("could not be loaded");
    expect(source).not.toBe("");
  },
);
