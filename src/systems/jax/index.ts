export { type JaxClaims, type JaxModule, writeJax } from "./write-jax.ts";
