import type { StatedError as Stated } from "#app/evidence";
import { basisWords } from "#app/scene/figures";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";
import { errorText } from "./error-text.ts";
import { statedError } from "./plan-kind.ts";

interface Props {
  readonly compiled: Compiled;
  readonly of: "time" | "memory";
}

/**
 * The error in a few characters beside its figure; a press opens the measurements. The error is
 * unknown where no plan of this kind was measured, or none on this chip.
 */
export function ErrorButton({ compiled, of }: Props) {
  const open = useApp((state) => state.openEvidence);
  const stated = statedError(compiled, of);
  const text = errorText(stated.median);
  const words = `${likeness(stated)}: ${text}${stated.isSameChip ? "" : ", none on this chip"}`;
  const isKnown = stated.isLike && stated.isSameChip && !Number.isNaN(stated.median);
  return (
    <button
      type="button"
      className={`stated of-${of}`}
      data-testid={`stated-${of}`}
      title={`${words} (${stated.count} ${stated.rows})`}
      aria-label={`${words}. Every measurement`}
      onClick={() => open({ group: stated.group, words: "" })}
    >
      <span className="tag">{isKnown ? text : "± ?"}</span>
    </button>
  );
}

/** The stated error in sentences, with the sources of the chip's figures. */
export function ErrorWords({ compiled, of }: Props) {
  const open = useApp((state) => state.openEvidence);
  const stated = statedError(compiled, of);
  const { basis } = of === "time" ? compiled.cost : compiled.hardware;
  return (
    <p className="stated-words" data-testid={`stated-words-${of}`}>
      {likeness(stated)}: <b>{errorText(stated.median)}</b>
      {Number.isNaN(stated.median)
        ? `; the model prices none of ${stated.rows}. `
        : `, nine in ten within ${errorText(stated.ninth)} (${stated.count} ${stated.rows}). `}
      {of === "time" && `Kernel times are ${basisWords(basis)}. `}
      {!stated.isSameChip && "No step of this chip is among them. "}
      <button type="button" className="lk" onClick={() => open({ group: stated.group, words: "" })}>
        Every measurement
      </button>
    </p>
  );
}

function likeness({ isLike, group }: Stated): string {
  const what = group === "operators" ? "Measured operators" : "Measured steps";
  return isLike ? `${what} like this one` : "Nothing like it was measured; nearest steps";
}
