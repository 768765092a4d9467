import type { InstanceValue, Value } from "#language/python";
import type { TracedTensor } from "../trace/traced.ts";

/**
 * Tensors that modules hold as attributes.
 *
 * Models have thousands of modules and make thousands of tensors that no module holds. A module is
 * searched again only when its number of attributes has changed or an attribute was replaced.
 */
export class HeldTensors {
  private readonly held = new WeakSet<TracedTensor>();
  /** Number of attributes a module had at its last search. */
  private readonly searched = new Map<InstanceValue, number>();
  private readonly modules: ReadonlySet<InstanceValue>;
  private readonly tensorOf: (value: Value) => TracedTensor | undefined;

  constructor(
    modules: ReadonlySet<InstanceValue>,
    tensorOf: (value: Value) => TracedTensor | undefined,
  ) {
    this.modules = modules;
    this.tensorOf = tensorOf;
  }

  has(tensor: TracedTensor): boolean {
    if (this.held.has(tensor)) return true;
    for (const module of this.modules) {
      const { attributes } = module;
      if (this.searched.get(module) === attributes.size) continue;
      this.searched.set(module, attributes.size);
      for (const value of attributes.values()) {
        const each = this.tensorOf(value);
        if (each !== undefined) this.held.add(each);
      }
    }
    return this.held.has(tensor);
  }

  /** Marks a module for a new search before one of its attributes is replaced. */
  replace(module: InstanceValue): void {
    this.searched.delete(module);
  }
}
