/**
 * Makes workers start in a sandboxed page. Such a page has no origin, so no worker of its own site
 * may start there; a worker from a text may, and that text can load the worker.
 */
export function startWorkersByText(): void {
  const Native = globalThis.Worker;
  globalThis.Worker = class extends Native {
    constructor(address: string | URL, options: WorkerOptions = {}) {
      // Browsers load modules only for pages with an origin, so this worker is a classic one.
      super(textThatLoads(address), { ...options, type: "classic" });
    }
  };
}

/** The address of a text that loads a module, and keeps the messages that come meanwhile for it. */
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
