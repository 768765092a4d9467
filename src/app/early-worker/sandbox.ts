/**
 * A page in a sandbox has no origin, so that no worker of its own site may start there; a text of the
 * page may, and a text can load the worker. All workers of such a page begin in this way.
 */
export function startWorkersByText(): void {
  const Native = globalThis.Worker;
  globalThis.Worker = class extends Native {
    constructor(address: string | URL, options: WorkerOptions = {}) {
      // Of modules browsers ask for an origin.
      super(textThatLoads(address), { ...options, type: "classic" });
    }
  };
}

/** The address of a text that loads a module and keeps for it what is said to it meanwhile. */
function textThatLoads(address: string | URL): string {
  const text = `const held = [];
const hold = ({ data }) => held.push(data);
addEventListener("message", hold);
import(${JSON.stringify(String(address))}).then(
  () => {
    removeEventListener("message", hold);
    for (const data of held) dispatchEvent(new MessageEvent("message", { data }));
  },
  reportError,
);`;
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}
