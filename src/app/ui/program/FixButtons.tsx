import type { Fix } from "#core/diagnostics";
import { useActions } from "../store-context.tsx";

/** The fixes of a diagnostic as buttons; absent without any. */
export function FixButtons({ fixes }: { readonly fixes: readonly Fix[] }) {
  const { applyFix } = useActions();
  if (fixes.length === 0) return null;
  return (
    <div className="fix">
      {fixes.map((fix) => (
        <button type="button" className="btn line" key={fix.title} onClick={() => applyFix(fix)}>
          {fix.title}
        </button>
      ))}
    </div>
  );
}
