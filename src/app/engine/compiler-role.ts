import { alternativesOf, createLanguageService, weigh } from "#app/language-service";
import { createLayouter } from "#app/scene/graph";
import { createReshardPlanner } from "#core/reshard";
import { answersOf } from "./answer.ts";
import { loadLikely } from "./late-part.ts";
import type { Questions } from "./protocol.ts";
import { type Answerer, createAnswerer } from "./question.ts";
import { createSender } from "./wire.ts";

/** Worker role that compiles the text on screen and answers questions about it. */
export function compilerRole(post: (message: unknown) => void): Answerer<Questions> {
  const { assist, compile, gesture } = createLanguageService(() => performance.now());
  const answers = answersOf({
    compile: (source) => {
      loadLikely(source);
      return compile(source);
    },
    layOut: createLayouter(),
    planReshard: createReshardPlanner(),
    applyGesture: gesture,
    assist,
    alternativeTexts: alternativesOf,
    weighAlternative: weigh,
  });
  const sent = createSender();
  return createAnswerer<Questions>(answers, (message) => post(sent(message)));
}
