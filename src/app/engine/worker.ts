import { alternativesOf, createLanguageService, weigh } from "#app/language-service";
import { createLayouter } from "#app/scene";
import { createReshardPlanner } from "#core/reshard";
import { answer, codeAnswer } from "./answer.ts";
import type { Question } from "./protocol.ts";
import { createSender } from "./wire.ts";

const { assist, compile, gesture } = createLanguageService(() => performance.now());
const compiler = {
  compile,
  layOut: createLayouter(),
  planReshard: createReshardPlanner(),
  applyGesture: gesture,
  assist,
  alternativeTexts: alternativesOf,
  weighAlternative: weigh,
};
const sent = createSender();

/** The far end of the protocol: one question in, one answer out. */
self.addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  const found = data.kind === "code" ? await codeAnswer(data, compiler) : answer(data, compiler);
  self.postMessage(sent(found));
});
