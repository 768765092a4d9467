import type { InstanceValue, Value } from "#language/python";

/** Buffers of modules by name, and whether they are in the state dict. */
export class ModuleBuffers {
  private readonly noted = new WeakMap<InstanceValue, Map<string, boolean>>();
  private readonly tensors: { readonly isBuffer: (value: Value) => boolean };

  constructor(tensors: { readonly isBuffer: (value: Value) => boolean }) {
    this.tensors = tensors;
  }

  /** Notes a buffer of a module, and whether it is in the state dict. */
  note(module: InstanceValue, name: string, isSaved: boolean): void {
    const known = this.noted.get(module) ?? new Map<string, boolean>();
    this.noted.set(module, known.set(name, isSaved));
  }

  /** Forgets a buffer whose name is bound to another value. */
  forget(module: InstanceValue, name: string): void {
    this.noted.get(module)?.delete(name);
  }

  isSaved(module: InstanceValue, name: string): boolean {
    return this.noted.get(module)?.get(name) !== false;
  }

  /** Gives a copied module the buffers of the original. */
  copy(made: InstanceValue, of: InstanceValue): void {
    for (const [name, isSaved] of this.noted.get(of) ?? []) this.note(made, name, isSaved);
  }

  /** Names of a module's buffers: registered ones, and attributes whose value is a buffer. */
  of(module: InstanceValue): ReadonlySet<string> {
    const own = [...module.attributes].flatMap(([name, value]) =>
      this.tensors.isBuffer(value) ? [name] : [],
    );
    return new Set([...(this.noted.get(module)?.keys() ?? []), ...own]);
  }
}
