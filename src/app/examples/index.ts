export { type Example, type ExampleGroup, exampleText } from "./example.ts";
export { exampleGroups, examples } from "./examples.ts";
