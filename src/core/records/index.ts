export { fieldOf } from "./field-of.ts";
