// Graphs that readers make.

export {
  type GivenTensor,
  /** @internal */ GraphBuilder,
  type LibraryCall,
} from "./graph-builder.ts";
