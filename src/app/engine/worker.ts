import { alternativesOf, createAssistant, gestureText, weigh } from "#app/assist";
import { createLayouter } from "#app/scene";
import { answer } from "./answer.ts";
import { createLayoutShortener } from "./laid-out.ts";
import type { Question } from "./protocol.ts";
import { createShortener } from "./recompiled.ts";

const { assist, compile } = createAssistant(() => performance.now());
const compiler = {
  compile,
  layOut: createLayouter(),
  applyGesture: gestureText,
  assist,
  alternativeTexts: alternativesOf,
  weighAlternative: weigh,
};
const shorten = createShortener();
const shortenLayout = createLayoutShortener();

/** The far end of the protocol: one question in, one answer out. */
self.addEventListener("message", (event: MessageEvent<Question>) => {
  self.postMessage(shorten(shortenLayout(answer(event.data, compiler))));
});
