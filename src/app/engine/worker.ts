import { compilerRole } from "./compiler-role.ts";
import { notLoaded } from "./worker-client.ts";

const post = (message: unknown) => self.postMessage(message);

/** What only some workers need is loaded by these. */
const later = {
  runner: async () => (await import("./runner-role.ts")).runnerRole(post),
  planner: async () => (await import("./planner-role.ts")).plannerRole(post),
};

// Every worker runs this code, so that the browser loads and keeps one compiler for all of them; a
// worker's name says which questions it answers.
switch (self.name) {
  case "runner":
  case "bodies":
    serveLater(later.runner());
    break;
  case "planner":
    serveLater(later.planner());
    break;
  default:
    serve(compilerRole(post));
}

function serve<Asked>(answer: (question: Asked) => Promise<void>): void {
  self.addEventListener("message", ({ data }: MessageEvent<Asked>) => answer(data));
}

/** Questions wait until the role has loaded; where it cannot be, the worker has failed. */
function serveLater<Asked>(loading: Promise<(question: Asked) => Promise<void>>): void {
  loading.catch(() => self.reportError(new Error(notLoaded)));
  serve<Asked>(async (question) => {
    const answer = await loading.catch(() => undefined);
    await answer?.(question);
  });
}
