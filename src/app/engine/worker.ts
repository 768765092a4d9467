import { compilerRole } from "./compiler-role.ts";
import { loadAllParts, whenThere } from "./late-part.ts";
import { type Loaded, notLoaded } from "./worker-client.ts";

const post = (message: unknown) => self.postMessage(message);

/** What only some workers need is loaded by these. */
const later = {
  runner: async () => {
    const [{ runnerRole }] = await Promise.all([import("./runner-role.ts"), loadAllParts()]);
    return runnerRole(post);
  },
  planner: async () => {
    const [{ plannerRole }] = await Promise.all([import("./planner-role.ts"), loadAllParts()]);
    return plannerRole(post);
  },
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

/** Loads what the first drawing does without; a part that does not come is asked for when needed. */
function loadRest(): void {
  loadAllParts().catch(() => {});
}

/** Questions wait until the role has loaded; where it cannot be, the worker has failed. */
function serveLater<Asked>(loading: Promise<(question: Asked) => Promise<void>>): void {
  let isFirst = true;
  const sayLoaded = (isLoaded: boolean) => post({ isLoaded } satisfies Loaded);
  const fail = () => self.reportError(new Error(notLoaded));
  loading.catch(fail);
  self.addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
    const answer = await loading.catch(() => undefined);
    if (answer === undefined) return;
    if (isFirst) sayLoaded(true);
    isFirst = false;
    await whenThere(
      () => answer(data),
      (isWaiting) => {
        sayLoaded(!isWaiting);
        // Who needs one part needs others too.
        if (!isWaiting) loadRest();
      },
    ).catch(fail);
    loadRest();
  });
}
