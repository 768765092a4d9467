import { alternativesOf, createLanguageService, weigh } from "#app/language-service";
import { createLayouter } from "#app/scene";
import { createReshardPlanner } from "#core/reshard";
import { answersOf } from "./answer.ts";
import type { Questions } from "./protocol.ts";
import { createAnswerer, type Question } from "./question.ts";
import { createSender } from "./wire.ts";

const { assist, compile, gesture } = createLanguageService(() => performance.now());
const answers = answersOf({
  compile,
  layOut: createLayouter(),
  planReshard: createReshardPlanner(),
  applyGesture: gesture,
  assist,
  alternativeTexts: alternativesOf,
  weighAlternative: weigh,
});
const sent = createSender();
const answer = createAnswerer<Questions>(answers, (message) => self.postMessage(sent(message)));

self.addEventListener("message", ({ data }: MessageEvent<Question<Questions>>) => answer(data));
