import type { Compiled } from "#app/state";
import type { Tensor } from "#core/ir";

interface Props {
  readonly compiled: Compiled;
  readonly tensor: Tensor;
}

/** What real systems would do otherwise with the operator that makes a tensor; nothing if none would. */
export function Elsewhere({ compiled, tensor }: Props) {
  const { producer } = tensor;
  const verdicts = producer === undefined ? [] : (compiled.verdicts?.get(producer) ?? []);
  if (verdicts.length === 0) return null;
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
