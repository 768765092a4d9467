import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes } from "react";
import { Icon } from "./Icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "name" | "children"> {
  readonly icon: LucideIcon;
  /** Its action: its accessible name and its tooltip. */
  readonly name: string;
  readonly size?: number;
  readonly testId?: string;
}

/** A square button with a sign in place of a word. */
export function IconButton({ icon: Shape, name, size = 16, testId, ...rest }: Props) {
  return (
    <button
      type="button"
      className="btn sq"
      aria-label={name}
      title={name}
      data-testid={testId}
      {...rest}
    >
      <Icon icon={Shape} size={size} />
    </button>
  );
}
