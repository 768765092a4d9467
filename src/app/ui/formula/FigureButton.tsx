import type { ReactNode } from "react";

interface Props {
  /** Subject of the figure, for screen readers. */
  readonly of: string;
  readonly isOpen: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** Figure that opens its formula when pressed. */
export function FigureButton({ of, isOpen, onPress, children }: Props) {
  return (
    <button
      type="button"
      className="figure"
      aria-expanded={isOpen}
      aria-label={`${of}: how it comes about`}
      title="How it comes about"
      onClick={onPress}
    >
      {children}
    </button>
  );
}
