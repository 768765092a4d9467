import { parentPort, workerData } from "node:worker_threads";
import type { PostedAnswer, PostedWork } from "./answer-thread.ts";
import { printedFor } from "./work.ts";

/**
 * Worker-thread side of the CLI: receives requests, posts printed answers, keeps the running
 * request's id in `busy`.
 */
const busy: unknown = workerData;
if (!(busy instanceof Int32Array) || parentPort === null)
  throw new Error("this is a thread's code");

const port = parentPort;
port.on("message", ({ id, work }: PostedWork) => {
  Atomics.store(busy, 0, id);
  const answer: PostedAnswer = { id, printed: printedFor(work) };
  port.postMessage(answer);
  Atomics.store(busy, 0, 0);
});
