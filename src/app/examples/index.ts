export type { Example, ExampleGroup } from "#app/first-example";
export { exampleGroups, examples } from "./examples.ts";
