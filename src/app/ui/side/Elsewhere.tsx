import { shown } from "#app/state";
import type { Tensor } from "#core/ir";
import { useApp } from "../store-context.tsx";

/** The deviations of real systems at the operator that produces a tensor; absent without any. */
export function Elsewhere({ tensor: { producer } }: { readonly tensor: Tensor }) {
  const verdicts = useApp((state) =>
    producer === undefined ? undefined : shown(state)?.verdicts?.get(producer),
  );
  if (verdicts === undefined) return null;
  return (
    <section aria-label="In other systems">
      {verdicts.map(({ system, text }) => (
        <p key={system} className="sent mut">
          {text}
        </p>
      ))}
    </section>
  );
}
