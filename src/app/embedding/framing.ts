/** The part of a window that tells about the pages around it. */
export interface FramedView {
  readonly location: { readonly origin: string };
  readonly parent: FramedView;
}

/**
 * Whether a page of another origin frames this one, directly or further out. Such a page can lay
 * its own buttons over ours, so the plan is then read-only.
 */
export function isFramedByOthers(view: FramedView): boolean {
  const { origin } = view.location;
  for (let inner = view; inner.parent !== inner; inner = inner.parent) {
    if (originOf(inner.parent) !== origin) return true;
  }
  return false;
}

/** A window of another origin does not give its address. */
function originOf(view: FramedView): string | undefined {
  try {
    return view.location.origin;
  } catch {
    return undefined;
  }
}
