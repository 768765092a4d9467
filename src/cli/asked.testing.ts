import type { Answer, Arguments } from "./commands/answer.ts";
import { answerTo } from "./commands.ts";

/**
 * The answer to a command with the fields that a test reads. Answers are open objects, so the type
 * is trusted here without a check; a test that reads a missing field fails.
 */
export function asked<Read>(command: string, args: Arguments): Read {
  return answerTo(command, args) as Answer & Read;
}
