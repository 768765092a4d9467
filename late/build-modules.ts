/** The view of a build on its modules. */
export interface BuildModules {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly importers: readonly string[] } | null;
}

/** The chunk (output file) of a module; null leaves the choice to the bundler. */
export type ChunkOf = (id: string, modules: BuildModules) => string | null;
