/** The part of a window that describes the pages around it. */
export interface FramedView {
  readonly location: { readonly origin: string };
  readonly parent: FramedView;
}

/**
 * Whether a page of another origin frames this one, directly or further out. Such a page can
 * overlay this page's buttons with its own, so the plan is then read-only.
 */
export function isFramedByOthers(view: FramedView): boolean {
  const { origin } = view.location;
  for (let inner = view; inner.parent !== inner; inner = inner.parent) {
    if (originOf(inner.parent) !== origin) return true;
  }
  return false;
}

/**
 * The origin of a window; `undefined` for a window of another origin, whose address cannot be read.
 */
function originOf(view: FramedView): string | undefined {
  try {
    return view.location.origin;
  } catch {
    return undefined;
  }
}
