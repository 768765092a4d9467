import { compilerRole } from "./compiler-role.ts";
import { type Loaded, notLoaded } from "./worker-client.ts";

const post = (message: unknown) => self.postMessage(message);

/** What only some workers need is loaded by these. */
const later = {
  runner: async () => (await import("./runner-role.ts")).runnerRole(post),
  planner: async () => (await import("./planner-role.ts")).plannerRole(post),
  reader: async () => (await import("./reader-role.ts")).readerRole(post),
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
  case "reader":
    serveLater(later.reader());
    break;
  default:
    serve(compilerRole(post));
}

function serve<Asked>(answer: (question: Asked) => Promise<void>): void {
  serveLater(Promise.resolve(answer));
}

/** Questions wait until the role has loaded; where it cannot be, the worker has failed. */
function serveLater<Asked>(loading: Promise<(question: Asked) => Promise<void>>): void {
  const loaded: Loaded = { isLoaded: true };
  let hasSaid = false;
  loading.catch(() => self.reportError(new Error(notLoaded)));
  self.addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
    const answer = await loading.catch(() => undefined);
    if (answer === undefined) return;
    if (!hasSaid) post(loaded);
    hasSaid = true;
    await answer(data);
  });
}
