import type { Answer, Arguments } from "./commands/answer.ts";
import { answerTo } from "./commands.ts";

/**
 * The answer to a command as what a test reads of it. Answers are open objects, so what they hold
 * is taken on trust, here alone: a test that reads what is not there fails by that.
 */
export function asked<Read>(command: string, args: Arguments): Read {
  return answerTo(command, args) as Answer & Read;
}
