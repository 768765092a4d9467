export { jax } from "./system.ts";
