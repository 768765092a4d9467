import { createAssistant } from "#app/assist";
import { alternativeTexts, applyGesture, weighAlternative } from "#compile";
import { answer } from "./answer.ts";
import type { Question } from "./protocol.ts";
import { createShortener } from "./recompiled.ts";

const { assist, compile } = createAssistant(() => performance.now());
const compiler = { compile, applyGesture, assist, alternativeTexts, weighAlternative };
const shorten = createShortener();

/** The far end of the protocol: one question in, one answer out. */
self.addEventListener("message", (event: MessageEvent<Question>) => {
  self.postMessage(shorten(answer(event.data, compiler)));
});
