import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import type { MeshAxis } from "#core/mesh";
import { useAppStore } from "../store-context.tsx";

/**
 * The size of an axis as a field: each digit resizes at once, and all digits are one step of undo.
 */
export function AxisSize({ axis }: { readonly axis: MeshAxis }) {
  const store = useAppStore();
  const [draft, setDraft] = useState<string>();
  /**
   * Whether a digit has been typed since the field got the focus; the next one continues its log
   * entry.
   */
  const begun = useRef(Promise.resolve(false));
  const resize = async (size: number, continues: boolean) => {
    const gesture = { kind: "resize-axis", axis: axis.name, size } as const;
    return (await store.getState().gesture(gesture, { continues })) === undefined;
  };
  const afterwards = async (before: Promise<boolean>, size: number) => {
    const continues = await before;
    return (await resize(size, continues)) || continues;
  };
  const write = (text: string) => {
    setDraft(text);
    const size = Number(text);
    if (/^\d{1,6}$/.test(text) && size >= 1) begun.current = afterwards(begun.current, size);
  };
  const onFocus = (event: FocusEvent<HTMLInputElement>) => {
    begun.current = Promise.resolve(false);
    const { typed } = event.currentTarget.dataset;
    delete event.currentTarget.dataset.typed;
    if (typed === undefined) event.currentTarget.select();
    else write(typed);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = { ArrowUp: larger(axis.size), ArrowDown: smaller(axis.size) }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setDraft(undefined);
      void resize(next, false);
    } else if (event.key === "Enter" || event.key === "Escape") {
      const grip = event.currentTarget.closest(".mchip")?.querySelector("button");
      if (grip instanceof HTMLElement) grip.focus();
    }
  };
  const text = draft ?? String(axis.size);
  return (
    <input
      className="sz"
      role="spinbutton"
      inputMode="numeric"
      autoComplete="off"
      aria-label={`Devices along ${axis.name}`}
      aria-valuenow={axis.size}
      aria-valuemin={1}
      aria-valuemax={65536}
      data-testid={`mesh-size-${axis.name}`}
      style={{ width: `${Math.max(2, text.length) + 1}ch` }}
      value={text}
      onFocus={onFocus}
      onBlur={() => setDraft(undefined)}
      onKeyDown={onKeyDown}
      onChange={(event: ChangeEvent<HTMLInputElement>) => write(event.currentTarget.value.trim())}
    />
  );
}

/** The next power of two, which is a step of the size. */
export function larger(size: number): number {
  return 2 ** (Math.floor(Math.log2(size)) + 1);
}

/** The power of two before, at least 1. */
export function smaller(size: number): number {
  return Math.max(1, 2 ** (Math.ceil(Math.log2(size)) - 1));
}
