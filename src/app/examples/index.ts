export type { Example, ExampleGroup } from "#app/first-example";
export { everyExample, exampleGroups, examples } from "./examples.ts";
export { models } from "./models.ts";
