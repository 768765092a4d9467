import { expect, test } from "vitest";
import { type FramedView, isFramedByOthers } from "./framing.ts";

const own = "https://board.example";

/** A window for each origin, innermost first; "" stands for an unreadable one. */
function framed(...origins: readonly string[]): FramedView {
  const [origin = own, ...around] = origins;
  const view = {
    get location() {
      if (origin === "") throw new Error("blocked a frame from accessing a cross-origin frame");
      return { origin };
    },
    get parent(): FramedView {
      return around.length === 0 ? view : framed(...around);
    },
  };
  return view;
}

test.each`
  origins                               | others
  ${[own]}                              | ${false}
  ${[own, own]}                         | ${false}
  ${[own, ""]}                          | ${true}
  ${[own, "https://elsewhere.example"]} | ${true}
  ${[own, own, ""]}                     | ${true}
  ${[own, "", own]}                     | ${true}
`("inside $origins, framed by others: $others", ({ origins, others }) => {
  expect(isFramedByOthers(framed(...origins))).toBe(others);
});
