export { answerTo, commandNames } from "./commands.ts";
export { type PlainAnswer, plainAnswer } from "./plain-answer.ts";
