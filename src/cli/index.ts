export { answerTo, /** @internal */ commandNames } from "./commands.ts";
export { type PlainAnswer, /** @internal */ plainAnswer } from "./plain-answer.ts";
