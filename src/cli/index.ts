export { answerTo } from "./commands.ts";
export { plainAnswer } from "./plain-answer.ts";
