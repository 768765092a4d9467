import { compilerRole } from "./compiler-role.ts";
import { loadAllParts, whenThere } from "./late-part.ts";
import { type Loaded, notLoaded } from "./worker-client.ts";

const post = (message: unknown) => self.postMessage(message);

/**
 * Roles whose code only some workers load. Runs and searches cannot restart half-way, so their
 * workers load all late parts first.
 */
const later = {
  runner: async () => {
    const [{ runnerRole }] = await Promise.all([import("./runner-role.ts"), loadAllParts()]);
    return runnerRole(post);
  },
  planner: async () => {
    const [{ plannerRole }] = await Promise.all([import("./planner-role.ts"), loadAllParts()]);
    return plannerRole(post);
  },
  bodies: async () => (await import("./bodies-role.ts")).bodiesRole(post),
  reader: async () => (await import("./reader-role.ts")).readerRole(post),
};

// All workers share this script, so that the browser loads and caches one compiler for them. A
// worker's name selects its role.
switch (self.name) {
  case "runner":
    serveLater(later.runner());
    break;
  case "bodies":
    serveLater(later.bodies());
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

/**
 * Serves a role once it is loaded; questions wait until then. If loading fails, the worker fails.
 */
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
      (isWaiting) => sayLoaded(!isWaiting),
    ).catch(fail);
  });
}
