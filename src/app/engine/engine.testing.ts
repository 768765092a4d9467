import type { Engine } from "./engine.ts";
import type { Questions } from "./protocol.ts";
import type { Reply } from "./reply.ts";

/** A reply to each kind of question. */
type Replies = {
  readonly [Kind in Exclude<keyof Questions, "compile">]: (
    asked: Questions[Kind]["takes"],
  ) => Promise<Reply<Questions[Kind]["gives"]>>;
};

/** An engine without workers, which replies as it is told. */
export function testEngine(compile: Engine["compile"], replies: Replies): Engine {
  const ask: Engine["ask"] = (kind, asked) => replies[kind](asked);
  return { onLoaded: () => {}, compile, ask, stop: () => {}, dispose: () => {} };
}
