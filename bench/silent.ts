import { readFileSync } from "node:fs";
import { answerTo } from "#cli";
import { type PlainAnswer, plainAnswer } from "../src/cli/plain-answer.ts";
import alone from "./asked-alone.json" with { type: "json" };
import { asAlone, type GivenAnswer, type KnownProgram, silentDifference } from "./known-answers.ts";

/**
 * Lists programs whose answers differ from the real systems' without a warning or error: `npm run
 * silent FILE.json ...`, with lists of programs and recorded answers (`KnownProgram`). If a
 * system's answer to the program alone differs from the record, that answer is used
 * (`asked-alone.json`). Exit status 1 when there is such a program.
 */
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: npm run silent FILE.json ...");
  process.exit(1);
}
let count = 0;
let silent = 0;
for (const file of files) {
  const known: readonly KnownProgram[] = JSON.parse(readFileSync(file, "utf8"));
  for (const each of known) {
    count += 1;
    const difference = silentDifference(asAlone(each, alone), given(each));
    if (difference === undefined) continue;
    silent += 1;
    console.log(`${each.name}: ${difference}`);
  }
}
console.log(`${silent} of ${count} programs differ without a word`);
if (silent > 0) process.exitCode = 1;

function given({ program, operators, refused, truth }: KnownProgram): GivenAnswer {
  const isNet = operators !== undefined || (refused !== undefined && truth === undefined);
  const args = { program, ...(isNet && { as: "mindspore", rank: 0 }) };
  return plainAnswer(answerTo("plan", args), args) as PlainAnswer & GivenAnswer;
}
