import { Worker } from "node:worker_threads";
import type { AnswerThread, Gauge } from "./answerer.ts";
import type { Printed, Work } from "./printed.ts";

/** Message to a worker thread. */
export interface PostedWork {
  readonly id: number;
  readonly work: Work;
}

export interface PostedAnswer {
  readonly id: number;
  readonly printed: Printed;
}

/**
 * Memory limits (MiB) of a worker thread. Most of a request's data is in the old generation; the
 * rest is new objects, code and stacks. A larger young generation is copied less often: with V8's
 * default, copying takes a sixth of a long search.
 */
const resourceLimits = {
  maxOldGenerationSizeMb: 480,
  maxYoungGenerationSizeMb: 96,
  stackSizeMb: 4,
};

/** Starts a thread from its code file. */
export function startThread(file: URL): AnswerThread {
  const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(file, { workerData: busy, resourceLimits });
  let end: "out-of-memory" | "ended" = "ended";
  worker.on("error", (error) => {
    if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") end = "out-of-memory";
  });
  return {
    post: (id, work) => {
      const posted: PostedWork = { id, work };
      worker.postMessage(posted);
    },
    busyWith: () => Atomics.load(busy, 0),
    onAnswer: (listener) => {
      worker.on("message", ({ id, printed }: PostedAnswer) => listener(id, printed));
    },
    onEnd: (listener) => {
      worker.on("exit", () => listener(end));
    },
    end: () => void worker.terminate(),
  };
}

/** CPU time and memory of this process, all threads together. */
export const processGauge: Gauge = {
  cpuSeconds: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
  residentBytes: () => process.memoryUsage.rss(),
  every: (milliseconds, look) => {
    const timer = setInterval(look, milliseconds);
    return () => clearInterval(timer);
  },
};
