/** What a build knows of its modules. */
export interface BuildModules {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly importers: readonly string[] } | null;
}

/** The file of a build that a module goes to; null leaves it to the bundler. */
export type ChunkOf = (id: string, modules: BuildModules) => string | null;
