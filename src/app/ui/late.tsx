import { type ComponentType, lazy, useState } from "react";

/** A component whose code is loaded apart. */
export interface Late<Props extends object> {
  /** Loads the code; whoever draws the component later need not wait for it. */
  readonly load: () => void;
  /** The component to draw now: the real one once its code is there. */
  readonly component: () => ComponentType<Props>;
}

/** A component that is loaded when it is drawn first, or before. */
export function late<Props extends object>(code: () => Promise<ComponentType<Props>>): Late<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let known: ComponentType<Props> | undefined;
  const load = async () => {
    loading ??= code();
    try {
      known = await loading;
      return known;
    } catch (fault) {
      // Whoever asks next tries again.
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
 * Draws a component at once where its code is there, and suspends until then. React's own suspends
 * always, and what has suspended may be shown a third of a second late. What is drawn stays, since
 * another component in its place would begin anew: a view of another one needs a key.
 */
export function LateView<Props extends object>({ of, given }: LateViewProps<Props>) {
  const [Drawn] = useState(of.component);
  return <Drawn {...given} />;
}
