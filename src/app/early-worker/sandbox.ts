/**
 * Lets workers start in a sandboxed page. Such a page has an opaque origin, so workers from its own
 * site are refused; a worker from a `blob:` text is allowed, and that text can import the worker
 * module.
 */
export function startWorkersByText(): void {
  const Native = globalThis.Worker;
  globalThis.Worker = class extends Native {
    constructor(address: string | URL, options: WorkerOptions = {}) {
      // Browsers load module workers only for pages with an origin, so this worker is a classic
      // one.
      super(textThatLoads(address), { ...options, type: "classic" });
    }
  };
}

/** The address of a script that imports a module, and holds messages for it until it is loaded. */
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
