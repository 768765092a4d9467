import { type ComponentType, lazy, useState } from "react";

/** Component whose code is loaded separately. */
export interface Late<Props extends object> {
  /** Loads the code, so that a later render need not wait for it. */
  readonly load: () => void;
  /** Component to render now: the real one if its code is loaded, else one that suspends. */
  readonly component: () => ComponentType<Props>;
}

/** Creates a component whose code is loaded at its first render, or before by `load`. */
export function late<Props extends object>(code: () => Promise<ComponentType<Props>>): Late<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let known: ComponentType<Props> | undefined;
  const load = async () => {
    loading ??= code();
    try {
      known = await loading;
      return known;
    } catch (fault) {
      // A failed load is tried again at the next call.
      loading = undefined;
      throw fault;
    }
  };
  const waiting = lazy(async () => ({ default: await load() }));
  return {
    load: () => void load().catch(() => undefined),
    component: () => known ?? waiting,
  };
}

interface LateViewProps<Props extends object> {
  readonly of: Late<Props>;
  readonly given: Props;
}

/**
 * Renders a late component, without suspending if its code is loaded: React's `lazy` always
 * suspends, and shows what has suspended up to 300 ms late. The choice is kept for the element's
 * lifetime, since another component would lose its state; to render another `of`, change the `key`.
 */
export function LateView<Props extends object>({ of, given }: LateViewProps<Props>) {
  const [Drawn] = useState(of.component);
  return <Drawn {...given} />;
}
