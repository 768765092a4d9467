import type { Engine } from "./engine.ts";
import type { Questions } from "./protocol.ts";
import type { Reply } from "./reply.ts";

/** Fixed answer for each kind of question. */
type Replies = {
  readonly [Kind in Exclude<keyof Questions, "compile">]: (
    asked: Questions[Kind]["takes"],
  ) => Promise<Reply<Questions[Kind]["gives"]>>;
};

/** Engine without workers that gives fixed answers; questions without one are superseded. */
export function testEngine(compile: Engine["compile"], replies: Partial<Replies>): Engine {
  const ask: Engine["ask"] = async (kind, asked) =>
    (await replies[kind]?.(asked)) ?? { kind: "superseded" };
  return { onLoaded: () => {}, compile, ask, stop: () => {}, dispose: () => {} };
}
