export type { Example } from "./example.ts";
export { examples } from "./examples.ts";
