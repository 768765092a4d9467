import type { Fix } from "#core/diagnostics";
import { useActions } from "../store-context.tsx";

/** One button per fix of a diagnostic; nothing without fixes. */
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
