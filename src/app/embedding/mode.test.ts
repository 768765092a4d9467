import { expect, test } from "vitest";
import { encodeLink, readFragment } from "#app/share";
import { embeddedLink, inMode, modeOf, optionsOf, wholeLink } from "./mode.ts";

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

test.each`
  options                                             | read
  ${"&m=try"}                                         | ${{ mode: "try" }}
  ${"&m=present&theme=dark"}                          | ${{ mode: "present", theme: "dark" }}
  ${"&m=embed&v=step&at=2.3"}                         | ${{ mode: "embed", view: "step", at: { step: 2, hop: 3 } }}
  ${"&m=embed&v=mesh&at=2"}                           | ${{ mode: "embed", view: "mesh", at: { step: 2 } }}
  ${"&m=embed&v=all&at=0&at=x"}                       | ${{ mode: "embed" }}
  ${"&m=embed&theme=red&lang=de"}                     | ${{ mode: "embed" }}
  ${"&m=embed&parent=*"}                              | ${{ mode: "embed", parent: "*" }}
  ${"&m=embed&parent=https%3A%2F%2Fa.example%2Fpage"} | ${{ mode: "embed", parent: "https://a.example" }}
  ${"&m=embed&parent=null"}                           | ${{ mode: "embed" }}
`("$options is read as $read, and is no part of the plan", ({ options, read }) => {
  expect(optionsOf(`${link}${options}`)).toEqual(read);
  expect(wholeLink(`${link}${options}`)).toBe(link);
  expect(inMode(`${link}${options}`, "present")).toBe(`${link}&m=present`);
});
