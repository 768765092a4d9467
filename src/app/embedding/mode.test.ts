import { expect, test } from "vitest";
import { encodeLink, readFragment } from "#app/share";
import { embeddedLink, modeOf, wholeLink } from "./mode.ts";

const link = encodeLink({ text: "x = 1" }, { tensor: "x" });

test.each([link, "#example=two-matmuls", `https://host/app/${link}`])(
  "%s is embedded and opened whole again, and stays the same plan",
  (whole) => {
    const embedded = embeddedLink(whole);
    expect(modeOf(whole)).toBe("whole");
    expect(modeOf(embedded)).toBe("embed");
    expect(embeddedLink(embedded)).toBe(embedded);
    expect(wholeLink(embedded)).toBe(whole);
    expect(readFragment(embedded)).toEqual(readFragment(whole));
  },
);

test("what only looks like the mode is not", () => {
  expect(modeOf("https://host/?m=embed")).toBe("whole");
  expect(modeOf("#example=two-matmuls&m=embedded")).toBe("whole");
});
