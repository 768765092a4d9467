import { expect, test } from "vitest";
import { goldenLines, goldenTexts, outcomeInBrief, outcomeOf } from "./goldens.testing.ts";

/**
 * What the product says of every text that stands in the repository, as it was said before: whoever
 * changes it on purpose writes it anew with `vitest run src/goldens.test.ts -u` and says why.
 */
test("all that is said of every example, case and wrong program stays as it is", async () => {
  const texts = goldenTexts();
  expect(texts.length).toBeGreaterThan(500);
  const lines = texts.flatMap(({ name, text }) =>
    goldenLines(
      name,
      name.startsWith("model ")
        ? outcomeInBrief(text)
        : outcomeOf(text, name.startsWith("example ")),
    ),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../goldens/outcomes.txt");
}, 600_000);
