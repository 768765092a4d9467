export type { Example, ExampleGroup } from "./example.ts";
export { exampleGroups, examples } from "./examples.ts";
