import { beforeEach, expect, test } from "vitest";
import { forgetHues } from "../hue.ts";
import { glyphSheet } from "./glyph-sheet.testing.ts";

// Other tests of the same process may have moved the axes of meshes.
beforeEach(forgetHues);

// After a change of how tensors are drawn: npx vitest run src/app/scene/glyph-sheet.test.ts -u
test.each(["light", "dark"] as const)(
  "the sheet of parts is as the product draws them: %s",
  async (theme) => {
    await expect(glyphSheet(theme)).toMatchFileSnapshot(`../../../../docs/glyphs-${theme}.svg`);
  },
);
