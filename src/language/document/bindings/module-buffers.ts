import type { InstanceValue, Value } from "#language/python";

/** The buffers of modules by name, and whether they are saved with them. */
export class ModuleBuffers {
  private readonly noted = new WeakMap<InstanceValue, Map<string, boolean>>();
  private readonly tensors: { readonly isBuffer: (value: Value) => boolean };

  constructor(tensors: { readonly isBuffer: (value: Value) => boolean }) {
    this.tensors = tensors;
  }

  /** Takes note that a module holds state under a name, and whether it is saved with it. */
  note(module: InstanceValue, name: string, isSaved: boolean): void {
    const known = this.noted.get(module) ?? new Map<string, boolean>();
    this.noted.set(module, known.set(name, isSaved));
  }

  /** The name holds something else from now on. */
  forget(module: InstanceValue, name: string): void {
    this.noted.get(module)?.delete(name);
  }

  isSaved(module: InstanceValue, name: string): boolean {
    return this.noted.get(module)?.get(name) !== false;
  }

  /** A copy of a module has its buffers too. */
  copy(made: InstanceValue, of: InstanceValue): void {
    for (const [name, isSaved] of this.noted.get(of) ?? []) this.note(made, name, isSaved);
  }

  /**
   * Names of a module's buffers: the registered ones, and attributes that are buffers by
   * themselves.
   */
  of(module: InstanceValue): ReadonlySet<string> {
    const own = [...module.attributes].flatMap(([name, value]) =>
      this.tensors.isBuffer(value) ? [name] : [],
    );
    return new Set([...(this.noted.get(module)?.keys() ?? []), ...own]);
  }
}
