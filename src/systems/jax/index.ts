export { jaxCode } from "./code-writer.ts";
export type { JaxClaims, JaxModule } from "./write-jax.ts";
