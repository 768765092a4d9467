export { type Example, type ExampleGroup, exampleText } from "./example.ts";
export { twoMatmuls as firstExample } from "./two-matmuls.ts";
