import type { Engine } from "./engine.ts";
import type { Questions } from "./protocol.ts";
import type { Reply } from "./reply.ts";

/** A reply to each kind of question. */
type Replies = {
  readonly [Kind in Exclude<keyof Questions, "compile">]: (
    asked: Questions[Kind]["takes"],
  ) => Promise<Reply<Questions[Kind]["gives"]>>;
};

/** An engine without workers that gives fixed replies; all other questions are superseded. */
export function testEngine(compile: Engine["compile"], replies: Partial<Replies>): Engine {
  const ask: Engine["ask"] = async (kind, asked) =>
    (await replies[kind]?.(asked)) ?? { kind: "superseded" };
  return { onLoaded: () => {}, compile, ask, stop: () => {}, dispose: () => {} };
}
