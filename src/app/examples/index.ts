export { type Example, type ExampleGroup, exampleText } from "./example.ts";
export { exampleGroups, examples, exampleWithText } from "./examples.ts";
