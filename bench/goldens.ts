import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goldenLines, goldenTexts, outcomeOf, textsOfFiles } from "../src/goldens.testing.ts";

/**
 * Writes the results of texts into a folder: `goldens FOLDER [PROGRAMS.json …]`. `outcomes.txt` has
 * a few lines per text, and each text has a file with its whole result, so that two versions of the
 * code can be compared with `diff -r`. Without files the texts are those of the repository.
 */
const [folder, ...files] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: npm run goldens FOLDER [PROGRAMS.json ...]");
const texts = files.length === 0 ? goldenTexts() : textsOfFiles(files);
mkdirSync(join(folder, "whole"), { recursive: true });
const lines = texts.flatMap(({ name, text }) => {
  const outcome = outcomeOf(text, false);
  const file = `${name.replace(/[^\w.-]+/g, "_").slice(0, 120)}.json`;
  const whole = JSON.stringify(Object.fromEntries(outcome), undefined, 1);
  writeFileSync(join(folder, "whole", file), whole);
  return goldenLines(name, outcome);
});
writeFileSync(join(folder, "outcomes.txt"), `${lines.join("\n")}\n`);
console.log(`${texts.length} texts`);
