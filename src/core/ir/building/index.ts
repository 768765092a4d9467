// Builders of graphs for readers of files.

export {
  type GivenTensor,
  /** @internal */ GraphBuilder,
  type LibraryCall,
} from "./graph-builder.ts";
