import { type ComponentType, lazy, useState } from "react";

/** A component whose code is loaded separately. */
export interface Late<Props extends object> {
  /** Loads the code, so that drawing the component later need not wait. */
  readonly load: () => void;
  /** The component to draw now: the real one once its code is there. */
  readonly component: () => ComponentType<Props>;
}

/** A component that is loaded when it is first drawn, or before. */
export function late<Props extends object>(code: () => Promise<ComponentType<Props>>): Late<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let known: ComponentType<Props> | undefined;
  const load = async () => {
    loading ??= code();
    try {
      known = await loading;
      return known;
    } catch (fault) {
      // After a failed load the next request tries again.
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
 * Draws a component at once if its code is loaded, and suspends until then. `React.lazy` always
 * suspends, and may show a suspended component 300 ms late. The drawn component is kept, since
 * another one in its place would lose its state: a view of another component needs a key.
 */
export function LateView<Props extends object>({ of, given }: LateViewProps<Props>) {
  const [Drawn] = useState(of.component);
  return <Drawn {...given} />;
}
